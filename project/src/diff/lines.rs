//! Line-by-line comparison of two texts, escaped for a terminal.

use helix_skills_format::__internal::printable_lines;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};
use std::{cell::Cell, ops::Range};

/// Maximum number of search steps for all long texts of one run.
///
/// A step takes up to ten nanoseconds. When no steps are left, changes are still complete, but have
/// more lines than necessary. The limit is for untrusted files, which must not delay the command.
const MAX_STEPS: usize = 1 << 30;

/// Pairs of texts with at most this many lines in total are always searched, in time linear in
/// their length, so that a long text cannot make the changes of other texts longer.
const SHORT: usize = 4_000;

/// Number of edits after which the search of a short text stops; see [`steps`].
const MIN_SEARCH_DEPTH: usize = 256;

/// A row counts once for every `ROW_BYTES` bytes, two lines of a terminal.
const ROW_BYTES: usize = 160;

/// The text after a line without a line feed.
const NOT_ENDED: &str = "\n\\ no line feed at the end of the file\n";

/// Maximum number of context lines, which show the whole text.
const MAX_CONTEXT: usize = 1_000_000;

/// Which lines of changed files a comparison shows.
#[derive(Clone, Copy, Debug)]
pub struct DiffOptions {
    /// Number of unchanged lines around each change.
    pub context: usize,
    /// Maximum number of lines that are shown in total; lines of files that do not fit are only
    /// counted. `None` counts all lines and shows none.
    pub max_lines: Option<usize>,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { context: 3, max_lines: Some(100_000) }
    }
}

impl DiffOptions {
    pub(crate) fn budget(&self) -> DiffBudget {
        DiffBudget {
            context: self.context.min(MAX_CONTEXT),
            rows: self.max_lines.map(Cell::new),
            steps: Cell::new(MAX_STEPS),
        }
    }
}

/// The remaining limits of one comparison.
pub(crate) struct DiffBudget {
    /// Number of unchanged lines around each change.
    context: usize,
    /// Number of rows that may still be shown; `None` if lines are only counted.
    rows: Option<Cell<usize>>,
    /// Number of search steps that are left for long texts.
    steps: Cell<usize>,
}

impl DiffBudget {
    /// Takes the steps of a search. Returns false, and takes none, if too few are left.
    fn take_steps(&self, steps: usize) -> bool {
        let left = self.steps.get().checked_sub(steps);
        left.inspect(|left| self.steps.set(*left)).is_some()
    }
}

/// The changes from one text to another.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lines {
    /// Number of added lines.
    pub added: usize,
    /// Number of removed lines.
    pub removed: usize,
    /// The lines themselves.
    pub hunks: Hunks,
}

/// The changed lines of a text.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hunks {
    /// All of them.
    Shown(Vec<Hunk>),
    /// Left out, because lines are only counted.
    Counted,
    /// Left out, because they exceed the remaining number of lines.
    OverLimit,
}

/// Changed lines with unchanged ones around them.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
    /// The rows of a unified diff: a sign, the escaped line, a line feed. One string, because most
    /// rows are shorter than the overhead of a separate string.
    pub rows: String,
}

impl Lines {
    pub(super) fn between(old: &str, new: &str, budget: &DiffBudget) -> Self {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
        let ops = search(&old, &new, budget);
        let count = |side: fn(&DiffOp) -> Range<usize>| -> usize {
            ops.iter()
                .filter(|op| !matches!(op, DiffOp::Equal { .. }))
                .map(|op| side(op).len())
                .sum()
        };
        let (removed, added) = (count(DiffOp::old_range), count(DiffOp::new_range));
        let hunks = match &budget.rows {
            None => Hunks::Counted,
            // Avoids writing rows of most texts that do not fit.
            Some(left) if left.get() < added + removed => Hunks::OverLimit,
            Some(left) => {
                let mut rows = left.get();
                let groups =
                    group_diff_ops(ops, budget.context).into_iter().filter(|ops| !ops.is_empty());
                match groups.map(|ops| Hunk::new(&ops, &old, &new, &mut rows)).collect() {
                    Some(hunks) => {
                        left.set(rows);
                        Hunks::Shown(hunks)
                    }
                    None => Hunks::OverLimit,
                }
            }
        };
        Self { added, removed, hunks }
    }
}

/// Returns the edits from `old` to `new`. For long texts without steps left, the edit is one
/// replacement of all lines between the first and the last difference.
fn search(old: &[&str], new: &[&str], budget: &DiffBudget) -> Vec<DiffOp> {
    let prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let suffix = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    let (old_len, new_len) = (old_rest.len() - suffix, new_rest.len() - suffix);
    // The algorithm skips equal ends as well; here they are only excluded from the steps.
    let lines = old_len + new_len;
    if old_len == 0 || new_len == 0 || lines <= SHORT || budget.take_steps(steps(lines)) {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let (old_end, new_end) = (prefix + old_len, prefix + new_len);
    let ops = [
        DiffOp::Equal { old_index: 0, new_index: 0, len: prefix },
        DiffOp::Replace { old_index: prefix, old_len, new_index: prefix, new_len },
        DiffOp::Equal { old_index: old_end, new_index: new_end, len: suffix },
    ];
    ops.into_iter().filter(|op| !op.old_range().is_empty()).collect()
}

/// Returns an upper bound of the steps of comparing texts with this many lines in total.
/// `Algorithm::Myers` gives up a search after the square root of this number of edits, but at least
/// 256.
fn steps(lines: usize) -> usize {
    lines.saturating_mul(lines.isqrt().max(MIN_SEARCH_DEPTH))
}

impl Hunk {
    /// Formats the rows of `ops` and subtracts them from `left`; `None` if too few are left.
    fn new(ops: &[DiffOp], old: &[&str], new: &[&str], left: &mut usize) -> Option<Self> {
        let mut rows = String::new();
        let mut extend = |sign: char, lines: &[&str]| {
            for line in lines {
                let ended = line.strip_suffix('\n');
                let text = printable_lines(ended.unwrap_or(line));
                *left = left.checked_sub(1 + text.len() / ROW_BYTES)?;
                rows.push(sign);
                rows.push_str(&text);
                rows.push_str(if ended.is_some() { "\n" } else { NOT_ENDED });
            }
            Some(())
        };
        for op in ops {
            if let DiffOp::Equal { .. } = op {
                extend(' ', &old[op.old_range()])?;
            } else {
                extend('-', &old[op.old_range()])?;
                extend('+', &new[op.new_range()])?;
            }
        }
        let span = |side: fn(&DiffOp) -> Range<usize>| match (ops.first(), ops.last()) {
            (Some(first), Some(last)) => side(first).start..side(last).end,
            _ => 0..0,
        };
        Some(Self { old: span(DiffOp::old_range), new: span(DiffOp::new_range), rows })
    }

    /// Formats the position in both texts as in a unified diff: `@@ -1,3 +1,4 @@`.
    #[must_use]
    pub fn place(&self) -> String {
        let side = |range: &Range<usize>| match range.len() {
            0 => format!("{},0", range.start),
            1 => format!("{}", range.start + 1),
            more => format!("{},{more}", range.start + 1),
        };
        format!("@@ -{} +{} @@", side(&self.old), side(&self.new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunks(lines: Lines) -> Vec<Hunk> {
        match lines.hunks {
            Hunks::Shown(hunks) => hunks,
            other => panic!("{other:?}"),
        }
    }

    fn budget(context: usize, max_lines: usize) -> DiffBudget {
        DiffOptions { context, max_lines: Some(max_lines) }.budget()
    }

    fn shown(old: &str, new: &str, context: usize) -> String {
        let mut text = String::new();
        for hunk in hunks(Lines::between(old, new, &budget(context, 1_000))) {
            text.push_str(&format!("{}\n", hunk.place()));
            text.push_str(&hunk.rows.replace(NOT_ENDED, "|\n"));
        }
        text
    }

    /// Returns the text of one side, from the rows.
    fn side(hunks: &[Hunk], without: char) -> String {
        let rows =
            hunks.iter().flat_map(|hunk| hunk.rows.lines()).filter(|row| !row.starts_with(without));
        rows.map(|row| format!("{}\n", &row[1..])).collect()
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
    }

    #[test]
    fn rows_of_a_run_are_bounded() {
        let budget = budget(0, 10);
        let long = format!("{}\n", "x".repeat(2 * ROW_BYTES));
        assert_eq!(hunks(Lines::between("", "a\nb\n", &budget)).len(), 1);
        // 8 rows are left: 9 lines do not fit, nor does a line of 9 rows; one of 3 rows does.
        for too_much in [numbers(9), long.repeat(3), "\u{1b}".repeat(8 * ROW_BYTES / 6 + 1)] {
            let lines = Lines::between("", &too_much, &budget);
            assert_eq!((lines.hunks, lines.added), (Hunks::OverLimit, too_much.lines().count()));
        }
        assert_eq!(hunks(Lines::between("", &long, &budget))[0].rows, format!("+{long}"));
        assert_eq!(budget.rows.as_ref().map(Cell::get), Some(5));
        let counts_only = DiffOptions { context: 0, max_lines: None }.budget();
        assert_eq!(Lines::between("", &numbers(9), &counts_only).hunks, Hunks::Counted);
    }

    #[test]
    fn short_texts_are_always_searched() {
        let (old, budget) = (numbers(1_000), DiffBudget { steps: Cell::new(0), ..budget(0, 10) });
        let lines = Lines::between(&old, &old.replace("\n500\n", "\nchanged\n"), &budget);
        assert_eq!((lines.added, lines.removed), (1, 1));
    }

    #[test]
    fn search_steps_of_a_run_are_bounded() {
        let old = numbers(SHORT);
        let new = old.replace("\n10\n", "\nten\n").replace("\n3990\n", "\nend\n");
        let budget =
            DiffBudget { steps: Cell::new(steps(2 * 3_981)), ..budget(MAX_CONTEXT, 100_000) };
        let first = Lines::between(&old, &new, &budget);
        assert_eq!((first.added, first.removed, budget.steps.get()), (2, 2, 0));
        // Without steps every line between the differences is removed and added, and none is lost.
        let second = Lines::between(&old, &new, &budget);
        assert_eq!((second.added, second.removed), (3_981, 3_981));
        for lines in [first, second] {
            let hunks = hunks(lines);
            assert!(side(&hunks, '+') == old && side(&hunks, '-') == new);
        }
        // What is only added or removed takes no steps.
        assert_eq!(Lines::between(&old, &format!("{old}{new}"), &budget).removed, 0);
    }
}
