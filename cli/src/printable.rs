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
