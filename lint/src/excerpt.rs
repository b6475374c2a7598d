//! Excerpts of untrusted text for messages.

use helix_skills_runtime::is_invisible;
use std::fmt::Write as _;

/// Maximum length of an excerpt in characters.
const MAX_CHARS: usize = 60;

/// Returns the start of a text on one line, in backticks, with control and invisible characters as
/// code points.
pub(crate) fn excerpt(text: &str) -> String {
    let mut shown = String::from("`");
    let mut count = 0;
    let mut was_blank = true;
    for c in text.trim().chars() {
        if count == MAX_CHARS {
            shown.push('…');
            break;
        }
        let is_blank = c.is_whitespace();
        match c {
            _ if is_blank && was_blank => continue,
            _ if is_blank => shown.push(' '),
            // Backticks delimit the excerpt.
            '`' => shown.push('\''),
            c if c.is_control() || is_invisible(c) => {
                // Writing to a string cannot fail.
                let _ = write!(shown, "<U+{:04X}>", u32::from(c));
            }
            c => shown.push(c),
        }
        was_blank = is_blank;
        count += 1;
    }
    shown.push('`');
    shown
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn excerpts_are_short_printable_and_on_one_line() {
        assert_eq!(excerpt("  a \n\t b`c\u{1b}[2J\u{200b}d  "), "`a b'c<U+001B>[2J<U+200B>d`");
        assert_eq!(excerpt(&"é".repeat(61)), format!("`{}…`", "é".repeat(60)));
        assert_eq!(excerpt(""), "``");
    }
}
