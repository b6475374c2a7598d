//! Line-by-line comparison of two texts, escaped for a terminal.

use helix_skills_format::__internal::printable_lines;
use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops, udiff::UnifiedHunkHeader};
use std::fmt::Write as _;

/// Maximum number of lines of both texts together. The limit is for untrusted files, which must not
/// delay the command: `Algorithm::Myers` gives up a search after some hundred edits, so that fewer
/// lines take a fraction of a second.
const MAX_LINES: usize = 20_000;

/// The changes from one text to another.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lines {
    /// Number of added lines.
    pub added: usize,
    /// Number of removed lines.
    pub removed: usize,
    /// The rows of a unified diff, escaped.
    pub rows: String,
}

impl Lines {
    /// Compares two texts; `context` is the number of unchanged lines around each change. `None` if
    /// they have too many lines.
    pub(super) fn between(old: &str, new: &str, context: usize) -> Option<Self> {
        let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
        if old.len() + new.len() > MAX_LINES {
            return None;
        }
        let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
        let mut lines = Self { added: 0, removed: 0, rows: String::new() };
        for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
            lines.added += op.new_range().len();
            lines.removed += op.old_range().len();
        }
        let groups = group_diff_ops(ops, context.min(MAX_LINES)).into_iter();
        for ops in groups.filter(|ops| !ops.is_empty()) {
            let _ = writeln!(lines.rows, "{}", UnifiedHunkHeader::new(&ops));
            for change in ops.iter().flat_map(|op| op.iter_changes(&old[..], &new[..])) {
                let ended = change.value().strip_suffix('\n');
                let text = printable_lines(ended.unwrap_or(change.value()));
                let _ = writeln!(lines.rows, "{}{text}", change.tag());
                if ended.is_none() {
                    lines.rows.push_str("\\ No newline at end of file\n");
                }
            }
        }
        Some(lines)
    }
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
