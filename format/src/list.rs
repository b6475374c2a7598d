//! Lists of names in messages, cut where nobody would read on.

use std::fmt::{Display, Write as _};

/// ` and 3 more` after the names that are shown; nothing if all are.
pub fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}

/// The first `shown` of some names in backticks, and how many others there are: "`a`, `b` and 3 more".
pub fn listed<T: Display>(names: impl IntoIterator<Item = T>, shown: usize) -> String {
    let mut names = names.into_iter();
    let mut text = String::new();
    for name in names.by_ref().take(shown) {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}`{name}`");
    }
    text + &and_more(names.count())
}

/// All names in backticks: "`a`, `b`".
pub fn listed_all<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    listed(names, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_counted() {
        assert_eq!(listed(["a", "b"], 2), "`a`, `b`");
        assert_eq!(listed(["a", "b", "c", "d"], 2), "`a`, `b` and 2 more");
        assert_eq!(listed::<&str>([], 2), "");
    }
}
