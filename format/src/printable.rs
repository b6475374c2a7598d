//! Untrusted text, made safe for a terminal.

use helix_skills_runtime::is_invisible;
use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` on one line, with every control and invisible character escaped.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_printable(&mut out, c));
    out
}

/// Appends a character, escaped if a terminal would act on it or it is invisible.
pub fn push_printable(out: &mut String, c: char) {
    if c.is_control() || is_invisible(c) {
        let _ = write!(out, "{}", c.escape_unicode());
    } else {
        out.push(c);
    }
}

/// `text` with its lines, and everything else escaped that a terminal acts on or nobody sees. Tabs
/// and carriage returns have their usual short names, so that a line end that was changed can be
/// seen.
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

/// `text` without its middle, where it is longer than a person reads: a value of a stranger's may
/// be megabytes, and what is said of it stands around it.
pub fn shortened(text: &str) -> Cow<'_, str> {
    /// So many characters are shown of what is longer than both.
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
    fn of_a_long_text_both_ends_are_shown() {
        assert_eq!(shortened(&"é".repeat(4000)), "é".repeat(4000));
        let long = format!("the name `{}` is too long", "é".repeat(4_000_000));
        let shown = shortened(&long);
        assert!(shown.starts_with("the name `éé") && shown.ends_with("éé` is too long"), "{shown}");
        assert!(shown.contains("é … 7992046 bytes … é") && shown.chars().count() < 4100, "{shown}");
    }

    #[test]
    fn lines_stay_lines_and_nothing_else_moves_a_terminal() {
        assert_eq!(
            printable_lines("a\tb\r\n\n\u{1b}[2Jc\u{202e}é"),
            "a\\tb\\r\n\n\\u{1b}[2Jc\\u{202e}é"
        );
    }
}
