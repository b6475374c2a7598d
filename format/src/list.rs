//! Lists of names in messages, cut at a limit.

use std::fmt::{Display, Write as _};

/// Returns a count with its noun: "1 error", "2 errors".
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    format!("{count} {what}{}", if count == N::from(1) { "" } else { "s" })
}

/// Returns ` and 3 more` for `count` omitted names, or nothing if `count` is 0.
pub fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}

/// Returns the end of a message that summarizes several findings: ", and 3 more below".
pub fn more_below(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => ", and one more below".to_owned(),
        _ => format!(", and {others} more below"),
    }
}

/// Returns the first `shown` names in backticks and the number of the others: "`a`, `b` and 3
/// more".
pub fn listed<T: Display>(names: impl IntoIterator<Item = T>, shown: usize) -> String {
    let mut names = names.into_iter();
    let mut text = String::new();
    for name in names.by_ref().take(shown) {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}`{name}`");
    }
    text + &and_more(names.count())
}

/// Returns all names in backticks: "`a`, `b`".
pub fn listed_all<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    listed(names, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_findings_are_counted() {
        let ends = ["", ", and one more below", ", and 2 more below"];
        assert_eq!([0, 1, 2].map(more_below), ends);
    }

    #[test]
    fn long_lists_are_cut_and_counted() {
        assert_eq!(listed(["a", "b"], 2), "`a`, `b`");
        assert_eq!(listed(["a", "b", "c", "d"], 2), "`a`, `b` and 2 more");
        assert_eq!(listed::<&str>([], 2), "");
    }
}
