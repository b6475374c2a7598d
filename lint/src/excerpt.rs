//! Excerpts of untrusted text for messages.

use helix_skills_runtime::is_invisible;
use std::fmt::Write as _;

/// Maximum length of an excerpt in characters.
const MAX_CHARS: usize = 60;

/// Returns the start of a text on one line, in more backticks than it has in a row, with control
/// and invisible characters as code points.
pub(crate) fn excerpt(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = String::new();
    for c in text.chars().take(MAX_CHARS) {
        if c.is_control() || is_invisible(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "<U+{:04X}>", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    if text.chars().nth(MAX_CHARS).is_some() {
        shown.push('…');
    }
    match shown.split(|c| c != '`').map(str::len).max() {
        None | Some(0) => format!("`{shown}`"),
        Some(longest) => {
            let ticks = "`".repeat(longest + 1);
            format!("{ticks} {shown} {ticks}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn excerpts_are_short_printable_and_on_one_line() {
        assert_eq!(excerpt("  a \n\t b`c\u{1b}[2J\u{200b}d  "), "`` a b`c<U+001B>[2J<U+200B>d ``");
        assert_eq!(excerpt(&"é".repeat(61)), format!("`{}…`", "é".repeat(60)));
        assert_eq!(excerpt(""), "``");
    }
}
