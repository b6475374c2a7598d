//! Characters that look alike.

/// Returns the one or two lower-case ASCII characters that `c` looks like.
///
/// These are letters in another font, width or frame, and letters that look the same in Greek,
/// Cyrillic and phonetic alphabets. Only letters that occur in our tags are covered; every other
/// character is returned unchanged.
pub(crate) fn confusable_skeleton(c: char) -> (char, Option<char>) {
    let code = c as u32;
    let letter = |a: u32| char::from(b'a' + ((code - a) % 26) as u8);
    let one = match code {
        0..=0x7f => c.to_ascii_lowercase(),
        // Fullwidth forms have the order of ASCII. The other ranges are whole alphabets,
        // alternating between upper and lower case.
        0xff01..=0xff5e => char::from((code - 0xfee0) as u8).to_ascii_lowercase(),
        0x1d400..=0x1d6a3 => letter(0x1d400),
        0x24b6..=0x24e9 => letter(0x24b6),
        0x1ccd6..=0x1ccef => letter(0x1ccd6),
        0x1f130..=0x1f149 => letter(0x1f130),
        0x1f150..=0x1f169 => letter(0x1f150),
        0x1f170..=0x1f189 => letter(0x1f170),
        0x1f1e6..=0x1f1ff => letter(0x1f1e6),
        _ => match c {
            'ﬁ' => return ('f', Some('i')),
            'ﬅ' | 'ﬆ' => return ('s', Some('t')),
            '㏌' => return ('i', Some('n')),
            '㎱' => return ('n', Some('s')),
            _ => single(c),
        },
    };
    (one, None)
}

/// Handles characters outside of the alphabets above.
fn single(c: char) -> char {
    match c {
        'ª' | 'ᴬ' | 'ᵃ' | 'ₐ' | 'ᴀ' | 'а' | 'А' | 'α' | 'Α' | 'ɑ' => 'a',
        'ᴮ' | 'ᵇ' | 'ℬ' | 'ʙ' | 'в' | 'В' | 'Β' | 'Ь' | 'ь' => 'b',
        'ᶜ' | 'ℂ' | 'ℭ' | 'Ⅽ' | 'ⅽ' | 'ꟲ' | '🄫' | 'ᴄ' | 'с' | 'С' | 'ϲ' | 'Ϲ' => {
            'c'
        }
        'ᴰ' | 'ᵈ' | 'ⅅ' | 'ⅆ' | 'Ⅾ' | 'ⅾ' | 'ᴅ' | 'ԁ' => 'd',
        'ᴱ' | 'ᵉ' | 'ₑ' | 'ℯ' | 'ℰ' | 'ⅇ' | 'ᴇ' | 'е' | 'Е' | 'ε' | 'Ε' | '℮' => {
            'e'
        }
        'ᶠ' | 'ℱ' | 'ꟳ' | 'ꜰ' | 'ƒ' => 'f',
        'ᴵ' | 'ᵢ' | 'ⁱ' | 'ℐ' | 'ℑ' | 'ℹ' | 'ⅈ' | 'Ⅰ' | 'ⅰ' | 'ɪ' | 'ı' | 'і' | 'І' | 'ι' | 'Ι' => {
            'i'
        }
        'ᴷ' | 'ᵏ' | 'ₖ' | '\u{212a}' | 'ᴋ' | 'к' | 'К' | 'κ' | 'Κ' => 'k',
        'ˡ' | 'ᴸ' | 'ₗ' | 'ℒ' | 'ℓ' | 'Ⅼ' | 'ⅼ' | 'ʟ' | 'ӏ' | 'Ӏ' | 'ł' => 'l',
        'ᴹ' | 'ᵐ' | 'ₘ' | 'ℳ' | 'Ⅿ' | 'ⅿ' | 'ᴍ' | 'м' | 'М' | 'Μ' => 'm',
        'ᴺ' | 'ⁿ' | 'ₙ' | 'ℕ' | 'ɴ' | 'п' | 'η' | 'Ν' => 'n',
        'º' | 'ᴼ' | 'ᵒ' | 'ₒ' | 'ℴ' | 'ᴏ' | 'о' | 'О' | 'ο' | 'Ο' => 'o',
        'ʳ' | 'ᴿ' | 'ᵣ' | 'ℛ' | 'ℜ' | 'ℝ' | '🄬' | 'ʀ' | 'г' => 'r',
        'ſ' | 'ˢ' | 'ₛ' | '\u{a7f1}' | 'ꜱ' | 'ѕ' | 'Ѕ' => 's',
        'ᵀ' | 'ᵗ' | 'ₜ' | 'ᴛ' | 'т' | 'Т' | 'τ' | 'Τ' => 't',
        'ᵁ' | 'ᵘ' | 'ᵤ' | 'ᴜ' | 'υ' => 'u',
        'ᵛ' | 'ᵥ' | 'Ⅴ' | 'ⅴ' | 'ⱽ' | 'ᴠ' | 'ѵ' | 'ν' => 'v',
        'ˣ' | 'ₓ' | 'Ⅹ' | 'ⅹ' | 'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'ʸ' | '\u{209e}' | 'ʏ' | 'у' | 'У' | 'γ' | 'Υ' => 'y',
        '︳' | '︴' | '﹍' | '﹎' | '﹏' => '_',
        '‐' | '‑' | '‒' | '–' | '−' | '﹣' => '-',
        '⁄' | '∕' | '⧸' => '/',
        '﹨' | '∖' => '\\',
        '︕' | '﹗' => '!',
        '﹤' => '<',
        _ => c,
    }
}

/// Returns whether `c` is a combining mark above, below or through the character before it.
pub(crate) const fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}
