//! Finds control characters, which a terminal may interpret, and invisible characters that are not
//! a reason to refuse a text.

use crate::excerpt::push_number;
use helix_skills_format::{
    __internal::{can_hide_text, more_below},
    Code, Finding, Position,
};
use helix_skills_runtime::is_invisible;

/// Returns a note on the first control or invisible character, and the number of others.
///
/// The following are ignored: tabs, line endings, form feeds at the start of a line, a leading byte
/// order mark, invisible text that is refused elsewhere, and up to [`MAX_IN_A_ROW`] characters that
/// occur in words ([`is_part_of_words`]).
pub(super) fn check(text: &str) -> Option<Finding> {
    let mut first: Option<(usize, char)> = None;
    let mut others = 0;
    for (at, c) in text.char_indices().filter(|(at, c)| is_reported(text, *at, *c)) {
        match first {
            None => first = Some((at, c)),
            Some(_) => others += 1,
        }
    }
    let (at, c) = first?;
    let mut shown = String::new();
    push_number(&mut shown, c);
    let (what, hint) = match c {
        '\r' => (
            "a carriage return without a line feed",
            "a terminal prints the rest of the line over its start: review it in an editor",
        ),
        c if c.is_control() => {
            ("a control character", "a terminal may interpret it and display other text")
        }
        _ => ("an invisible character", "a model reads it and you do not see it"),
    };
    let message = format!("{what}, `{shown}`{}", more_below(others));
    Some(Finding::new(Code::ControlCharacter, Position::from_offset(text, at), message).hint(hint))
}

/// Returns whether the character at an offset is reported.
fn is_reported(text: &str, at: usize, c: char) -> bool {
    match c {
        ' '..='~' | '\n' | '\t' => false,
        '\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        // Old sources start a page with a form feed.
        '\u{c}' => at > 0 && text.as_bytes()[at - 1] != b'\n',
        c if c.is_control() => true,
        c if is_part_of_words(c) => text[..at]
            .chars()
            .rev()
            .take_while(|c| is_part_of_words(*c))
            .nth(MAX_IN_A_ROW - 1)
            .is_some(),
        c => is_invisible(c) && !can_hide_text(c),
    }
}

/// Maximum number of consecutive characters that are part of words: a Mongolian letter may have a
/// selector and a separator.
const MAX_IN_A_ROW: usize = 2;

/// Returns whether a character is a soft hyphen, or an invisible vowel, selector or separator of
/// Khmer or Mongolian.
fn is_part_of_words(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Option<String> {
        check(text).map(|found| format!("{} {}", found.at.unwrap(), found.message))
    }

    #[test]
    fn control_and_invisible_characters_are_reported() {
        for (text, expected) in [
            (
                "a\n\u{1b}[8mhidden\u{1b}[0m",
                "2:1 a control character, `<U+001B>`, and one more below",
            ),
            ("\u{9b}8m", "1:1 a control character, `<U+009B>`"),
            ("a\u{7f}", "1:2 a control character, `<U+007F>`"),
            ("a\u{8}\u{8}\u{8}", "1:2 a control character, `<U+0008>`, and 2 more below"),
            ("bad\rgood\n", "1:4 a carriage return without a line feed, `<U+000D>`"),
            ("a\u{2028}b", "1:2 an invisible character, `<U+2028>`"),
            ("a\u{34f}b", "1:2 an invisible character, `<U+034F>`"),
            ("a\u{2064}b", "1:2 an invisible character, `<U+2064>`"),
            ("a\u{c}b", "1:2 a control character, `<U+000C>`"),
            (
                "a\u{ad}\u{ad}\u{ad}\u{ad}b",
                "1:4 an invisible character, `<U+00AD>`, and one more below",
            ),
            ("a\u{180e}\u{ad}\u{17b4}", "1:4 an invisible character, `<U+17B4>`"),
        ] {
            assert_eq!(report(text).as_deref(), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn regular_text_is_ignored() {
        for text in [
            "\u{feff}a\tb\r\nc\n",
            "a\n\u{c}\nb",
            "soft\u{ad}hyphen",
            "ᠠ\u{180b}\u{180e}ᠠ",
            "Grüße 中文 👩\u{200d}🚀\u{fe0f}",
            "",
        ] {
            assert_eq!(report(text), None, "{text:?}");
        }
    }

    #[test]
    fn last_byte_of_a_long_text_is_checked() {
        for length in [0, 4094, 4095, 4096, 200_000] {
            let text = format!("{}é\u{1b}", "\n".repeat(length));
            assert_eq!(
                report(&text),
                Some(format!("{}:2 a control character, `<U+001B>`", length + 1))
            );
        }
    }
}
