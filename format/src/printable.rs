//! Escaping of untrusted text for terminals.

use helix_skills_runtime::is_invisible;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns `text` on one line, with all control and invisible characters escaped.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_printable(&mut out, c));
    out
}

/// Appends a character, escaped if it is a control character or invisible.
pub fn push_printable(out: &mut String, c: char) {
    if c.is_control() || is_invisible(c) {
        let _ = write!(out, "{}", c.escape_unicode());
    } else {
        out.push(c);
    }
}

/// Returns `text` with its line breaks, and all other control and invisible characters escaped.
/// Tabs and carriage returns become `\t` and `\r`, so that changed line endings are visible.
pub fn printable_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ => push_printable(&mut out, c),
        }
    }
    out
}

/// Cuts the middle out of a very long text: untrusted values may be megabytes, and the message
/// around them must stay readable.
pub fn shortened(text: &str) -> Cow<'_, str> {
    /// Number of characters that are kept at each end.
    const START: usize = 3000;
    const END: usize = 1000;
    let start = text.char_indices().nth(START).map(|(at, _)| at);
    let end = text.char_indices().rev().nth(END - 1).map(|(at, _)| at);
    match (start, end) {
        (Some(start), Some(end)) if start < end => {
            format!("{} … {} bytes … {}", &text[..start], end - start, &text[end..]).into()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_both_ends() {
        assert_eq!(shortened(&"é".repeat(4000)), "é".repeat(4000));
        let long = format!("the name `{}` is too long", "é".repeat(4_000_000));
        let shown = shortened(&long);
        assert!(shown.starts_with("the name `éé") && shown.ends_with("éé` is too long"), "{shown}");
        assert!(shown.contains("é … 7992046 bytes … é") && shown.chars().count() < 4100, "{shown}");
    }

    #[test]
    fn only_line_feeds_reach_the_terminal() {
        assert_eq!(
            printable_lines("a\tb\r\n\n\u{1b}[2Jc\u{202e}é"),
            "a\\tb\\r\n\n\\u{1b}[2Jc\\u{202e}é"
        );
    }
}
