//! Text of strangers, made safe for a terminal.

use helix_skills_runtime::is_invisible;
use std::fmt::Write as _;

/// `text` on one line, with every control and invisible character escaped.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push(&mut out, c));
    out
}

/// Appends a character, escaped if a terminal would act on it or nobody would see it.
pub(crate) fn push(out: &mut String, c: char) {
    if c.is_control() || is_invisible(c) {
        let _ = write!(out, "{}", c.escape_unicode());
    } else {
        out.push(c);
    }
}

/// `text` with its lines, and everything else escaped that a terminal acts on or nobody sees. Tabs and carriage returns have
/// their usual short names, so that a line end that was changed can be seen.
#[cfg(feature = "program")]
pub(crate) fn printable_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ => push(&mut out, c),
        }
    }
    out
}

#[cfg(test)]
#[cfg(feature = "program")]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines_and_nothing_else_moves_a_terminal() {
        assert_eq!(printable_lines("a\tb\r\n\n\u{1b}[2Jc\u{202e}é"), "a\\tb\\r\n\n\\u{1b}[2Jc\\u{202e}é");
    }
}
