//! Checks for text that a model reads and a reviewer cannot see.
//!
//! The set of refused characters, and the contexts in which the other invisible characters are
//! allowed, are chosen from data: none of the 1,474 files of eight public skill repositories
//! contains a refused one.

use crate::list::{and_more, more_below};
use crate::{Code, Finding, Position, SkillMd, skill_md};
use helix_skills_runtime::{__private::is_plain, is_invisible};
use std::fmt::Write as _;

/// Maximum number of characters of a hidden run that a message shows.
const MAX_SHOWN: usize = 8;

/// Reports all invisible characters in one file of a skill: in its path, in its text, and in the
/// values that YAML escapes of its frontmatter produce. Returns an empty list if there are none.
///
/// A file that is not UTF-8 is never shown to a model, and neither is one other than SKILL.md with
/// a NUL in its first 8,000 bytes, so only their paths are checked.
/// ```
/// use helix_skills_format::__internal::invisible::check_file;
/// let found = check_file("docs/a.md", "plain\nhid\u{200b}den\n".as_bytes());
/// assert_eq!(found[0].file.as_deref(), Some("docs/a.md"));
/// assert_eq!(found[0].at.unwrap().to_string(), "2:4");
///
/// let escaped = b"---\nname: a\ndescription: \"Reads\\u200B.\"\n---\n";
/// assert!(check_file("SKILL.md", escaped)[0].message.contains("<U+200B>"));
/// assert!(check_file("a.png", b"\x89PNG\r\n\x1a\n\xe2\x80\x8b").is_empty());
/// ```
#[must_use]
pub fn check_file(path: &str, bytes: &[u8]) -> Vec<Finding> {
    let text = std::str::from_utf8(bytes).ok();
    let text = text.filter(|text| SkillMd::is_file_name(path) || is_plain(text));
    let [mut in_text, mark] = text.map_or([None, None], check_text);
    if in_text.is_none() && SkillMd::is_file_name(path) {
        in_text = text.and_then(invisible_in_values);
    }
    let found = [check_path(path), in_text, mark];
    found.into_iter().flatten().map(|finding| finding.in_file(path)).collect()
}

/// Reports the first invisible character of `text` that may hide text, and the first harmless one,
/// each with the number of further ones.
///
/// Not reported are characters that are part of visible writing: selectors 15 and 16 after a
/// symbol, a digit, `#` or `*`; joiners in emoji and in the scripts that use them; and a byte order
/// mark at the start. Harmless are those of [`is_harmless`].
fn check_text(text: &str) -> [Option<Finding>; 2] {
    let first = first_of_each(text);
    [Code::InvisibleText, Code::InvisibleMark].map(|code| {
        let is_mark = code == Code::InvisibleMark;
        let first = first[usize::from(is_mark)]?;
        let run: String = text[first..].chars().take_while(|c| can_hide_text(*c)).collect();
        let mut others = 0_usize;
        each_invisible(text, |at, is| {
            others += usize::from(is == is_mark && at >= first + run.len());
        });
        let (what, hint) = match is_mark {
            false => ("text", "models read it, but reviewers do not see it: remove it"),
            true => ("mark", "it only changes how other text looks: remove it, or allow it"),
        };
        let message = format!("invisible {what}: `{}`{}", escaped(&run), more_below(others));
        Some(Finding::new(code, Position::from_offset(text, first), message).hint(hint))
    })
}

/// Reports invisible characters in the path of a file.
fn check_path(path: &str) -> Option<Finding> {
    first_inside(path)?;
    let mut shown = String::with_capacity(path.len() + 8);
    path.chars().for_each(|c| if can_hide_text(c) { name(&mut shown, c) } else { shown.push(c) });
    let message = format!("the path contains invisible characters: `{shown}`");
    Some(Finding::new(Code::InvisibleText, None, message).hint("rename the file"))
}

/// Reports invisible characters that YAML escapes produce in the keys and values of a SKILL.md's
/// frontmatter. The text of the file does not contain them, but a catalog would.
fn invisible_in_values(text: &str) -> Option<Finding> {
    let layout = skill_md::layout(text)?;
    let yaml = &text[layout.yaml];
    // Only double-quoted scalars have escapes, and few files have any.
    yaml.match_indices('\\').next()?;
    let scalars = skill_md::scalars(yaml, layout.opening.saturating_add(1));
    let (at, value, first) = scalars
        .into_iter()
        .find_map(|(at, value)| first_inside(&value).map(|first| (at, value, first)))?;
    let run: String = value[first..].chars().take_while(|c| can_hide_text(*c)).collect();
    let message = format!("YAML escapes in the value produce invisible text: `{}`", escaped(&run));
    Some(
        Finding::new(Code::InvisibleText, at, message)
            .hint("models read it, but reviewers do not see it: remove the escapes"),
    )
}

/// Returns the byte offsets of the first refused and of the first harmless character.
fn first_of_each(text: &str) -> [Option<usize>; 2] {
    let mut first: [Option<usize>; 2] = [None; 2];
    each_invisible(text, |at, is_mark| {
        let first = &mut first[usize::from(is_mark)];
        *first = Some(first.map_or(at, |first| first.min(at)));
    });
    first
}

/// Returns the byte offset of the first invisible character in a part of a file, where harmless
/// ones and a leading byte order mark are refused too.
fn first_inside(text: &str) -> Option<usize> {
    let first = first_of_each(text).into_iter().flatten().min();
    first.or_else(|| text.starts_with('\u{feff}').then_some(0))
}

/// Calls `report` with the byte offset of each invisible character that is not part of visible
/// writing, and whether it is harmless, in any order.
fn each_invisible(text: &str, mut report: impl FnMut(usize, bool)) {
    search(text, |at, c| {
        let is_byte_order_mark = at == 0 && c == '\u{feff}';
        if !is_byte_order_mark && !belongs(c, &text[..at], &text[at + c.len_utf8()..]) {
            report(at, is_harmless(c, text, at));
        }
    });
}

/// The characters that can hide text: the first byte of their UTF-8, and the first and last
/// character of each range.
///
/// Git shows no difference of a file with a NUL, and terminals obey the other control characters.
const HIDING: [(u8, char, char); 17] = [
    (0x00, '\0', '\0'),
    (0x08, '\u{8}', '\u{8}'),
    (0x1b, '\u{1b}', '\u{1b}'),
    (0x7f, '\u{7f}', '\u{7f}'),
    (0xc2, '\u{9b}', '\u{9b}'),
    (0xd8, '\u{61c}', '\u{61c}'),
    (0xe1, '\u{115f}', '\u{1160}'),
    (0xe2, '\u{200b}', '\u{200f}'),
    (0xe2, '\u{202a}', '\u{202e}'),
    (0xe2, '\u{2060}', '\u{2060}'),
    (0xe2, '\u{2066}', '\u{2069}'),
    (0xe3, '\u{3164}', '\u{3164}'),
    (0xef, '\u{fe00}', '\u{fe0f}'),
    (0xef, '\u{feff}', '\u{feff}'),
    (0xef, '\u{ffa0}', '\u{ffa0}'),
    (TAGS, '\u{e0000}', '\u{e007f}'),
    (TAGS, '\u{e0100}', '\u{e01ef}'),
];

/// First byte of tag characters and of variation selectors 17 and above, which are too many to
/// search for one by one.
const TAGS: u8 = 0xf3;

/// Returns whether a character can hide text.
fn can_hide_text(c: char) -> bool {
    HIDING.iter().any(|(_, from, to)| (*from..=*to).contains(&c))
}

/// Calls `report` with each character that can hide text and its byte offset, in any order.
///
/// In unoptimized builds, such as those of procedural macros, a loop over bytes takes longer than
/// hashing them. This function therefore only calls functions that the standard library has
/// compiled already: counting characters, searching for a byte, and searching for one character.
fn search(text: &str, mut report: impl FnMut(usize, char)) {
    let is_ascii = text.chars().count() == text.len();
    let (mut byte, mut is_there) = (u8::MAX, false);
    for (first, from, to) in HIDING {
        // Most files are ASCII.
        if is_ascii && !first.is_ascii() {
            return;
        }
        if byte != first {
            (byte, is_there) = (first, text.as_bytes().contains(&first));
            if is_there && first == TAGS {
                // Some private-use characters begin with this byte too. Nearly no text contains
                // any.
                text.char_indices()
                    .filter(|(_, c)| *c >= '\u{e0000}' && can_hide_text(*c))
                    .for_each(|(at, c)| report(at, c));
            }
        }
        if is_there && first != TAGS {
            (from..=to).for_each(|c| text.match_indices(c).for_each(|(at, _)| report(at, c)));
        }
    }
}

/// Returns whether an invisible character is part of visible writing.
fn belongs(c: char, before: &str, after: &str) -> bool {
    let previous = before.chars().next_back();
    // A character before a joiner may be followed by a skin tone and a selector.
    let mut bases = before.chars().rev().take(3).skip_while(|c| is_ornament(*c));
    match c {
        '\u{fe0e}' | '\u{fe0f}' => previous.is_some_and(has_styles),
        '\u{200c}' => previous.is_some_and(is_joining),
        '\u{200d}' => match bases.next() {
            Some(base) if is_pictograph(base) => after.chars().next().is_some_and(is_pictograph),
            Some(_) => previous.is_some_and(is_joining),
            None => false,
        },
        _ => false,
    }
}

/// The flags of England, Scotland and Wales, the only tag sequences that Unicode recommends.
const FLAGS: [&str; 3] = [
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Returns whether the invisible character at `at` can only change how visible text looks: a tag
/// in one of [`FLAGS`]; or, if no other invisible character is next to it, selector 15 or 16 after
/// a visible character, a zero-width space next to a letter of a script without spaces, or a
/// direction mark next to a letter of that direction.
///
/// Other selectors are refused even there: each of them can encode a byte.
fn is_harmless(c: char, text: &str, at: usize) -> bool {
    if c >= '\u{e0000}' {
        let in_flag = |flag: &&str, before| {
            let start = at.checked_sub(before * c.len_utf8());
            start.and_then(|start| text.get(start..start + flag.len())) == Some(*flag)
        };
        return FLAGS.iter().any(|flag| (1..7).any(|before| in_flag(flag, before)));
    }
    let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
    let (previous, next) = (before.chars().next_back(), after.chars().next());
    let next_to = |is: fn(char) -> bool| [previous, next].into_iter().flatten().any(is);
    !next_to(can_hide_text)
        && match c {
            '\u{200b}' => next_to(is_spaceless),
            '\u{200e}' => next_to(|c| c.is_alphabetic() && !is_right_to_left(c)),
            '\u{200f}' => next_to(|c| c.is_alphabetic() && is_right_to_left(c)),
            '\u{fe0e}' | '\u{fe0f}' => previous.is_some_and(is_visible),
            _ => false,
        }
}

/// Returns whether a character is visible, and not part of a drawing: see [`has_styles`].
fn is_visible(c: char) -> bool {
    let is_drawing = matches!(c, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}');
    !c.is_whitespace() && !c.is_control() && !is_invisible(c) && !is_drawing
}

/// Returns whether a character is a letter or mark of Thai, Lao, Khmer or Myanmar, which put
/// zero-width spaces between words.
const fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{e81}'..='\u{ece}' | '\u{edc}'..='\u{edf}'
        | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' | '\u{109a}'..='\u{109d}'
        | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17d3}' | '\u{17d7}' | '\u{17dc}' | '\u{17dd}'
        | '\u{a9e0}'..='\u{a9ef}' | '\u{a9fa}'..='\u{a9fe}' | '\u{aa60}'..='\u{aa76}' | '\u{aa7a}'..='\u{aa7f}')
}

/// Returns whether a letter is written from right to left, by its block.
const fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Returns whether a character only changes how the one before it looks.
const fn is_ornament(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Returns whether a character has a text and an emoji style, which a following selector chooses.
///
/// Unicode's `emoji-variation-sequences.txt` names some characters of each of these blocks; authors
/// put selectors after others too. Box drawings, block elements and dots are excluded: drawings
/// contain thousands of them, and a selector after each could encode a hidden message.
const fn has_styles(c: char) -> bool {
    matches!(c, '#' | '*' | '0'..='9' | '©' | '®' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{24ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Returns whether a character is a symbol that joiners combine to emoji: the blocks of Unicode's
/// `Extended_Pictographic` that `emoji-zwj-sequences.txt` uses.
const fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2194}'..='\u{2199}' | '\u{21a9}' | '\u{21aa}' | '\u{231a}' | '\u{231b}' | '\u{23e9}'..='\u{23fa}'
        | '\u{2600}'..='\u{27bf}' | '\u{2b05}'..='\u{2b07}' | '\u{2b1b}' | '\u{2b1c}' | '\u{2b50}' | '\u{2b55}'
        | '\u{1f300}'..='\u{1f3fa}' | '\u{1f400}'..='\u{1faff}')
}

/// Returns whether a letter or mark belongs to a script in which joiners change the visible text:
/// Arabic and related scripts, Mongolian, and the scripts of India and Southeast Asia.
const fn is_joining(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{6ff}' | '\u{700}'..='\u{74f}' | '\u{750}'..='\u{77f}' | '\u{7ca}'..='\u{7fa}'
        | '\u{840}'..='\u{86f}' | '\u{870}'..='\u{8ff}' | '\u{900}'..='\u{df4}' | '\u{f00}'..='\u{fff}'
        | '\u{1000}'..='\u{109f}' | '\u{1700}'..='\u{17ff}' | '\u{1807}'..='\u{18aa}' | '\u{1a20}'..='\u{1aad}'
        | '\u{1b00}'..='\u{1bff}' | '\u{1c00}'..='\u{1c4f}' | '\u{a840}'..='\u{a877}' | '\u{a8e0}'..='\u{a8ff}'
        | '\u{a980}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' | '\u{abc0}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{10aff}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

/// Returns the code points of a run, at most [`MAX_SHOWN`] of them.
fn escaped(run: &str) -> String {
    let mut shown = String::new();
    run.chars().take(MAX_SHOWN).for_each(|c| name(&mut shown, c));
    shown + &and_more(run.chars().count().saturating_sub(MAX_SHOWN))
}

fn name(to: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = write!(to, "<U+{:04X}>", c as u32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Option<String> {
        let [hidden, _] = check_text(text);
        hidden.map(|found| format!("{} {}", found.at.unwrap(), found.message))
    }

    /// T3: the first and last character of each class.
    #[test]
    #[cfg_attr(miri, ignore = "checks hundreds of texts")]
    fn t03_every_class_is_refused_inside_of_words() {
        for (first, last) in [
            (0xe0000, 0xe007f),
            (0x00, 0x00),
            (0x08, 0x08),
            (0x1b, 0x1b),
            (0x7f, 0x7f),
            (0x9b, 0x9b),
            (0x61c, 0x61c),
            (0x200b, 0x200b),
            (0x200f, 0x200f),
            (0x202a, 0x202e),
            (0x2060, 0x2060),
            (0x2066, 0x2069),
            (0xfeff, 0xfeff),
            (0x115f, 0x1160),
            (0x3164, 0x3164),
            (0xffa0, 0xffa0),
            (0xfe00, 0xfe0d),
            (0xe0100, 0xe01ef),
            // The letters of these words take no joiner.
            (0x200c, 0x200d),
        ] {
            for code in first..=last {
                let c = char::from_u32(code).unwrap();
                let expected = format!("2:3 invisible text: `<U+{code:04X}>`");
                assert_eq!(at(&format!("é\nab{c}cd\n")), Some(expected));
                assert!(check_path(&format!("docs/a{c}b.md")).is_some(), "{code:x}");
            }
        }
    }

    #[test]
    fn t03_what_is_seen_is_let_through() {
        for text in [
            "\u{feff}---\nname: a\n---\n",
            "👩\u{200d}👩\u{200d}👧 👨🏽\u{200d}🚀 🏳\u{fe0f}\u{200d}🌈 ❤\u{fe0f}\u{200d}🔥 👁\u{fe0f}\u{200d}🗨\u{fe0f}",
            "1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3} ☺\u{fe0e} ©\u{fe0f} ™\u{fe0f} ㊗\u{fe0f}",
            "می\u{200c}خواهم نمی\u{200c}دانم ه\u{200d}",
            "क\u{94d}\u{200d}ष श\u{94d}\u{200c}य ශ\u{dca}\u{200d}ර\u{dd3}",
            "soft\u{ad}hyphen, nbsp\u{a0}, 中文，日本語、한국어",
        ] {
            assert_eq!(check_text(text), [None, None], "{text:?}");
        }
    }

    /// Each harmless case is a warning, and what is close to it is an error.
    #[test]
    fn t03_only_harmless_marks_are_warnings() {
        for text in [
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "a🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}b",
            "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
            "a\u{fe0f}b",
            "é\u{fe0e}",
            ".\u{fe0f}\n",
            "## \u{fffd}\u{fe0f} Heading",
            "ไทย\u{200b}ไทย",
            "ລາວ\u{200b}!",
            "សួស\u{200b}តី",
            "(\u{200b}မြန်မာ",
            "שלום\u{200f} (OK)",
            "שלום\u{200f}\n",
            "1\u{200f}م",
            "See \u{200e}https://example.com",
            "abc\u{200e}",
            "日\u{200e} 1",
        ] {
            let [hidden, mark] = check_text(text);
            assert_eq!(hidden, None, "{text:?}");
            assert_eq!(mark.map(|found| found.code), Some(Code::InvisibleMark), "{text:?}");
            assert!(check_path(text).is_some(), "{text:?}");
        }
        for text in [
            // Other regions, a flag that is cut or continued, another base.
            "🏴\u{e0075}\u{e0073}\u{e0063}\u{e0061}\u{e007f}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e0067}\u{e007f}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0041}",
            "🏁\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            // Two selectors, others than 15 and 16, and nothing visible before them.
            "a\u{fe0f}\u{fe0f}",
            "\u{fffd}\u{fe0f}\u{fe0e}",
            "\u{fffd}\u{fe0f}\u{200d}a",
            "a\u{fe00}",
            "一\u{e0100}",
            " \u{fe0f}",
            "\u{a0}\u{fe0f}",
            "\u{ad}\u{fe0f}",
            "\u{fe0f}",
            "\u{180b}\u{fe0f}",
            // Zero-width spaces in other scripts, next to digits, or two of them.
            "a\u{200b}b",
            "日\u{200b}本",
            "`\u{200b}`",
            "๑\u{200b}๒",
            "១\u{200b}២",
            "ไทย\u{200b}\u{200b}ไทย",
            "ไทย\u{200b}\u{2060}ไทย",
            // Direction marks next to letters of the other direction, digits, or nothing.
            "abc\u{200f}",
            "ם\u{200e}",
            "1\u{200e}2",
            "٣\u{200f}٤",
            "abc.\u{200e}\n",
            "שלום!\u{200f}\n",
            "\n\u{200e}```",
            "\u{200e}",
            "a\u{200e}\u{200e}b",
            "ם\u{200f}\u{202e}",
            "م\u{61c}",
        ] {
            assert!(at(text).is_some(), "{text:?}");
        }
        // The rest of the text is checked, too.
        let [hidden, mark] = check_text("\u{200e}a b\u{2060}c d\u{fe0f}\u{200e}");
        assert!(hidden.unwrap().message.ends_with("`<U+2060>`, and 2 more below"));
        assert_eq!(mark.unwrap().message, "invisible mark: `<U+200E>`");
    }

    #[test]
    fn t03_what_is_let_through_carries_no_message() {
        for text in [
            "a\u{fe0f}\u{fe0e}c",
            "☺\u{fe0f}\u{fe0e}\u{fe0f}",
            "\u{fe0f}x",
            "👩\u{200d}\u{200d}🚀",
            "👩\u{200d} x",
            "👩\u{200c}x",
            "می\u{200c}\u{200d}\u{200c}خ",
            "\u{feff}\u{feff}x",
            "x\u{feff}",
            "zwnj be\u{200c}tween Latin letters",
        ] {
            assert!(at(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn long_runs_are_cut_and_others_are_counted() {
        let text = format!("a{}b\u{200b}c\u{202e}d", "\u{e0041}".repeat(20));
        let shown = "<U+E0041>".repeat(8);
        let more = "and 2 more below";
        assert_eq!(at(&text), Some(format!("1:2 invisible text: `{shown} and 12 more`, {more}")));
    }

    #[test]
    fn t03_the_table_is_by_first_bytes() {
        for (first, from, to) in HIDING {
            for c in from..=to {
                assert_eq!(c.to_string().as_bytes()[0], first, "{:x}", u32::from(c));
                let mut found = Vec::new();
                search(&format!("é{c}"), |at, c| found.push((at, c)));
                assert_eq!(found, [(2, c)]);
            }
        }
        assert!(HIDING.is_sorted());
    }

    #[test]
    fn t03_escapes_of_yaml_hide_nothing() {
        let of = |yaml: &str| {
            let text = format!("\n---\nname: a\n{yaml}\n---\nbody \\u200b\n");
            let found = check_file("SKILL.md", text.as_bytes());
            assert!(check_file("docs/SKILL.md", text.as_bytes()).is_empty());
            found.first().map(|found| format!("{} {}", found.at.unwrap(), found.message))
        };
        let made = |at: &str, run: &str| {
            Some(format!("{at} YAML escapes in the value produce invisible text: `{run}`"))
        };
        assert_eq!(of("description: \"a\\u200Bb\""), made("4:14", "<U+200B>"));
        assert_eq!(of("description: \"\\uFEFFb\""), made("4:14", "<U+FEFF>"));
        assert_eq!(
            of("description: b\nmetadata:\n  k: [x, \"\\U000E0041\\U000E0042\"]"),
            made("6:10", "<U+E0041><U+E0042>")
        );
        assert_eq!(of("description: b\n\"x\\u202e\": y"), made("5:1", "<U+202E>"));
        assert_eq!(of("description: 'a\\u200Bb'"), None);
        assert_eq!(of("description: a\\u200Bb"), None);
        assert_eq!(of("description: \"\\u263a\\ufe0f \\t \\xe9\""), None);
        // A value that needs quotes is read as if it were quoted.
        assert_eq!(of("description: a: b\nwhen_to_use: \"\\u2060\""), made("5:14", "<U+2060>"));
    }

    #[test]
    fn t03_drawings_have_no_room_for_bits() {
        for text in [
            "─\u{fe0f}─",
            "█\u{fe0e}",
            "⠿\u{fe0f}",
            "─\u{200d}─",
            "∑\u{200d}∑",
            "🇩\u{200d}🇪",
            "👩🏽🏽🏽\u{200d}🚀",
        ] {
            assert!(at(text).is_some(), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 2 } else { 256 }, failure_persistence: None, ..ProptestConfig::default() })]

        /// The search finds what a check of every character finds.
        #[test]
        fn t03_search_misses_no_character(
            text in "[a-é☺👩🏽مक一ー。\u{ff0c}\u{f0000}\u{61c}\u{1160}\u{200b}\u{200d}\u{2066}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{e0041}\u{e01ef}]{0,90}",
        ) {
            let mut found = Vec::new();
            search(&text, |at, c| found.push((at, c)));
            found.sort_unstable();
            let all: Vec<_> = text.char_indices().filter(|(_, c)| can_hide_text(*c)).collect();
            prop_assert_eq!(found, all);
        }

        /// A refused character is found at any place in any text.
        #[test]
        fn t03_one_is_found_wherever_it_stands(
            before in "[ -~\\nа-яüß中文]{0,200}",
            after in "[ -~\\nа-яüß中文]{0,200}",
            c in prop::sample::select(vec!['\u{200b}', '\u{e0020}', '\u{202e}', '\u{2060}', '\u{3164}', '\u{fe05}', '\u{e0101}']),
        ) {
            let text = format!("{before}{c}{after}");
            let found = check_text(&text)[0].clone().unwrap();
            prop_assert_eq!(found.at, Some(Position::from_offset(&text, before.len())));
        }
    }
}
