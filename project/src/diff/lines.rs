//! Line-by-line comparison of two texts, escaped for a terminal.

use helix_skills_format::__internal::printable_lines;
use similar::{ChangeTag, TextDiff};

/// Maximum number of lines of both texts together. The limit is for untrusted files, which must not
/// delay the command: `Algorithm::Myers`, the default, gives up a search after some hundred edits,
/// so that fewer lines take a fraction of a second.
const MAX_LINES: usize = 20_000;

/// The changes from one text to another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// Number of added lines.
    pub(super) added: usize,
    /// Number of removed lines.
    pub(super) removed: usize,
    /// The rows of a unified diff, escaped.
    pub(super) rows: String,
}

impl Lines {
    /// Compares two texts; `context` is the number of unchanged lines around each change. `None` if
    /// they have too many lines.
    pub(super) fn between(old: &str, new: &str, context: usize) -> Option<Self> {
        let [old, new] = [old, new].map(lines);
        if old.len() + new.len() > MAX_LINES {
            return None;
        }
        let [old, new] = [&old, &new].map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
        let diff = TextDiff::configure().newline_terminated(false).diff_slices(&old, &new);
        let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
        let unified = diff.unified_diff().context_radius(context.min(MAX_LINES)).to_string();
        Some(Self {
            added: count(ChangeTag::Insert),
            removed: count(ChangeTag::Delete),
            rows: printable_lines(&unified),
        })
    }
}

/// Returns the lines of a text. A last line that does not end says so, and differs from one that
/// does. A line ends only at a line feed, so that a carriage return does not look like a row.
fn lines(text: &str) -> Vec<String> {
    let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix('\n') {
        Some(line) => line.to_owned(),
        None => format!("{line}\n\\ No newline at end of file"),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str, context: usize) -> String {
        let rows = Lines::between(old, new, context).unwrap().rows;
        rows.replace("\n\\ No newline at end of file\n", "|\n")
    }

    fn numbers(lines: usize) -> String {
        (0..lines).map(|n| format!("{n}\n")).collect()
    }

    #[test]
    fn hunks_have_positions() {
        assert_eq!(
            shown("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n", 1),
            "@@ -2,3 +2,3 @@\n b\n-c\n+X\n d\n"
        );
        assert_eq!(shown("", "a\n", 3), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(shown("a\nb\n", "", 3), "@@ -1,2 +0,0 @@\n-a\n-b\n");
        assert_eq!(shown("a\nb", "a\nb\n", 0), "@@ -2 +2 @@\n-b|\n+b\n");
        assert_eq!(shown("a\n", "a\n", 3), "");
        let many = numbers(30);
        let edited = many.replace("\n2\n", "\ntwo\n").replace("\n20\n", "\ntwenty\n");
        assert_eq!(shown(&many, &edited, 1).matches("@@ -").count(), 2);
        assert_eq!(shown(&many, &edited, usize::MAX).lines().count(), 33);
    }

    #[test]
    fn control_and_invisible_characters_are_escaped() {
        let hostile = "\u{1b}[31mred\u{202e}\u{200b}\u{e0041}\t\u{9b}x\u{7f}\r\n\0\u{2028}";
        let text = shown("", hostile, 3);
        assert!(
            text.chars()
                .all(|c| c == '\n' || !(c.is_control() || helix_skills_runtime::is_invisible(c))),
            "{text}"
        );
        assert!(
            text.contains(r"\u{1b}[31mred\u{202e}\u{200b}\u{e0041}\t\u{9b}x\u{7f}\r"),
            "{text}"
        );
        assert_eq!(shown("a\nb\n", "a\r\nb\n", 0), "@@ -1 +1 @@\n-a\n+a\\r\n");
        // A row ends only where a line does.
        assert_eq!(shown("a\r", "b\n", 0), "@@ -1 +1 @@\n-a\\r|\n+b\n");
    }

    #[test]
    fn long_texts_are_not_compared() {
        let (old, new) = (numbers(MAX_LINES / 2), numbers(MAX_LINES / 2 + 1));
        assert!(Lines::between(&old, &old.replace("\n500\n", "\nx\n"), 3).is_some());
        assert_eq!(Lines::between(&old, &new, 3), None);
    }
}
