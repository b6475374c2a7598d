//! Text that a model reads and a person does not see.
//!
//! Which characters are refused, and where the others of their kind belong, is measured: no file of eight public
//! repositories of skills, 1,474 of them, has one that is refused.

use crate::{Code, Finding, Position};
use std::fmt::Write as _;

/// So many characters of a hidden run are shown.
const SHOWN: usize = 8;

/// The first invisible character of `text` that is no part of visible writing, and how many there are.
///
/// Refused are tag characters, bidirectional controls, U+200B, U+2060, fillers of Hangul, variation selectors 1 to 14 and
/// from 17 on, and a byte order mark that is not the first character. Selectors 15 and 16 are for a symbol, digit, `#` or `*`
/// before them; joiners for emoji, and for the scripts that write with them.
///
/// ```
/// use helix_skills_format::audit::invisible_text;
/// let found = invisible_text("plain\nhid\u{200b}\u{e0041}den\n").unwrap();
/// assert_eq!(found.at.unwrap().to_string(), "2:4");
/// assert_eq!(found.message, "an invisible text: `<U+200B><U+E0041>`");
/// assert_eq!(invisible_text("👩\u{200d}🚀 1\u{fe0f}\u{20e3} می\u{200c}خواهم"), None);
/// ```
#[must_use]
pub fn invisible_text(text: &str) -> Option<Finding> {
    let first = first_hidden(text)?;
    let run: String = text[first..].chars().take_while(|c| is_of_the_kind(*c)).collect();
    let others = hidden(&text[first + run.len()..], text[..first + run.len()].chars().next_back()).count();
    let mut message = format!("an invisible text: `{}`", escaped(&run));
    match others {
        0 => {}
        1 => message.push_str(", and one more invisible character below"),
        n => {
            let _ = write!(message, ", and {n} more invisible characters below");
        }
    }
    let finding = Finding::new(Code::InvisibleText, Position::of(text, first), message);
    Some(finding.hint("a model reads what you do not see: remove it"))
}

/// The same of the path of a file.
#[must_use]
pub fn invisible_in_path(path: &str) -> Option<Finding> {
    first_hidden(path).or_else(|| path.find('\u{feff}'))?;
    let mut shown = String::with_capacity(path.len() + 8);
    path.chars().for_each(|c| if is_of_the_kind(c) { name(&mut shown, c) } else { shown.push(c) });
    let message = format!("the path of the file holds invisible characters: `{shown}`");
    Some(Finding::new(Code::InvisibleText, None, message).hint("rename the file"))
}

/// Where the first of them is.
fn first_hidden(text: &str) -> Option<usize> {
    // Most files are ASCII, and where this is compiled without optimisation std's loop is the quick one.
    if text.is_ascii() {
        return None;
    }
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    hidden(&text[start..], None).next().map(|at| start + at)
}

/// The places of all of them in a text that follows `before`.
fn hidden(text: &str, before: Option<char>) -> impl Iterator<Item = usize> {
    let mut previous = before;
    let mut base = before;
    text.char_indices().filter_map(move |(at, c)| {
        let is_hidden = is_of_the_kind(c) && !belongs(c, previous, base, &text[at + c.len_utf8()..]);
        previous = Some(c);
        // What a joiner joins may carry a selector or the tone of a skin.
        if !matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}') {
            base = Some(c);
        }
        is_hidden.then_some(at)
    })
}

/// Whether a character is one of those that hide something, wherever it stands.
const fn is_of_the_kind(c: char) -> bool {
    matches!(c,
        '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'
        | '\u{2066}'..='\u{2069}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether such a character is part of visible writing. `base` is what stands before it without its selectors and tones.
fn belongs(c: char, previous: Option<char>, base: Option<char>, after: &str) -> bool {
    match c {
        '\u{fe0e}' | '\u{fe0f}' => previous.is_some_and(has_styles),
        '\u{200c}' => base.is_some_and(is_joining),
        '\u{200d}' => match base {
            Some(base) if is_pictograph(base) => after.chars().next().is_some_and(is_pictograph),
            Some(base) => is_joining(base),
            None => false,
        },
        _ => false,
    }
}

/// Whether a character is shown as text or as a picture, by the selector that follows: `emoji-variation-sequences.txt` of
/// Unicode names some of each block.
const fn has_styles(c: char) -> bool {
    matches!(c, '#' | '*' | '0'..='9' | '©' | '®') || is_pictograph(c)
}

/// Whether a character is a symbol that emoji are made of.
const fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}'
        | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Whether a letter or mark is of a script in which joiners change what is seen: Arabic and its kin, Mongolian, those of India and
/// their kin in the south-east.
const fn is_joining(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{6ff}' | '\u{700}'..='\u{74f}' | '\u{750}'..='\u{77f}' | '\u{7ca}'..='\u{7fa}'
        | '\u{840}'..='\u{86f}' | '\u{870}'..='\u{8ff}' | '\u{900}'..='\u{df4}' | '\u{f00}'..='\u{fff}'
        | '\u{1000}'..='\u{109f}' | '\u{1700}'..='\u{17ff}' | '\u{1807}'..='\u{18aa}' | '\u{1a20}'..='\u{1aad}'
        | '\u{1b00}'..='\u{1bff}' | '\u{1c00}'..='\u{1c4f}' | '\u{a840}'..='\u{a877}' | '\u{a8e0}'..='\u{a8ff}'
        | '\u{a980}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' | '\u{abc0}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{10aff}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

/// A run of characters by their numbers.
fn escaped(run: &str) -> String {
    let mut shown = String::new();
    run.chars().take(SHOWN).for_each(|c| name(&mut shown, c));
    let more = run.chars().count().saturating_sub(SHOWN);
    if more > 0 {
        let _ = write!(shown, " and {more} more");
    }
    shown
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
        invisible_text(text).map(|found| format!("{} {}", found.at.unwrap(), found.message))
    }

    /// T3, each class with its first and its last.
    #[test]
    fn t03_every_class_is_refused_inside_of_words() {
        for (first, last) in [
            (0xe0000, 0xe007f),
            (0x61c, 0x61c),
            (0x200b, 0x200b),
            (0x200e, 0x200f),
            (0x202a, 0x202e),
            (0x2060, 0x2060),
            (0x2066, 0x2069),
            (0xfeff, 0xfeff),
            (0x115f, 0x1160),
            (0x3164, 0x3164),
            (0xffa0, 0xffa0),
            (0xfe00, 0xfe0d),
            (0xe0100, 0xe01ef),
            // No letters of these words take a selector or a joiner.
            (0xfe0e, 0xfe0f),
            (0x200c, 0x200d),
        ] {
            for code in first..=last {
                let c = char::from_u32(code).unwrap();
                let expected = format!("2:3 an invisible text: `<U+{code:04X}>`");
                assert_eq!(at(&format!("é\nab{c}cd\n")), Some(expected));
                assert!(invisible_in_path(&format!("docs/a{c}b.md")).is_some(), "{code:x}");
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
            assert_eq!(at(text), None, "{text:?}");
        }
    }

    #[test]
    fn t03_what_is_let_through_carries_no_message() {
        for text in [
            "a\u{fe0f}b\u{fe0e}c",
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
        let more = "and 2 more invisible characters below";
        assert_eq!(at(&text), Some(format!("1:2 an invisible text: `{shown} and 12 more`, {more}")));
    }

    proptest! {
        /// One anywhere in any text is found, and there, unless the text held another before.
        #[test]
        fn t03_one_is_found_wherever_it_stands(
            before in "[ -~\\nа-яüß中文]{0,200}",
            after in "[ -~\\nа-яüß中文]{0,200}",
            c in prop::sample::select(vec!['\u{200b}', '\u{e0020}', '\u{202e}', '\u{2060}', '\u{3164}', '\u{fe05}', '\u{e0101}']),
        ) {
            let text = format!("{before}{c}{after}");
            let found = invisible_text(&text).unwrap();
            prop_assert_eq!(found.at, Some(Position::of(&text, before.len())));
        }
    }
}
