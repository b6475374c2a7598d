//! Text against text, line by line, escaped for a terminal.

use crate::printable::printable_lines;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline, group_diff_ops};
use std::{
    ops::Range,
    time::{Duration, Instant},
};

/// All long texts of one run are compared in about this time. What comes later is still shown, but with more lines in
/// its changes than there had to be: a stranger's files must not keep anybody waiting.
const PATIENCE: Duration = Duration::from_secs(10);

/// Two texts with fewer lines together are compared to the end, so that no long one can blur what was changed in them.
const SHORT: usize = 4_000;

/// More context than this is the whole text.
const MAX_CONTEXT: usize = 1_000_000;

/// How much is shown, and how long may be looked for the shortest way to show it.
pub(crate) struct Effort {
    context: usize,
    until: Instant,
}

impl Effort {
    /// So many lines around each change.
    pub(crate) fn new(context: usize) -> Self {
        Self { context: context.min(MAX_CONTEXT), until: Instant::now() + PATIENCE }
    }
}

/// The changes from one text to another.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) hunks: Vec<Hunk>,
    pub(crate) added: usize,
    pub(crate) removed: usize,
}

/// Changed lines with some around them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
    pub(crate) rows: Vec<Row>,
}

/// One line of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) sign: Sign,
    /// Escaped, without its line feed.
    pub(crate) text: String,
    /// Whether it ends with a line feed.
    pub(crate) is_ended: bool,
}

/// Which text a line is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Both,
    Old,
    New,
}

impl Lines {
    pub(crate) fn between(old: &str, new: &str, effort: &Effort) -> Self {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
        let until = (old.len() + new.len() > SHORT).then_some(effort.until);
        let ops = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, until);
        let count = |side: fn(&DiffOp) -> Range<usize>| {
            ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).map(|op| side(op).len()).sum()
        };
        let (removed, added) = (count(DiffOp::old_range), count(DiffOp::new_range));
        let hunks = group_diff_ops(ops, effort.context).into_iter().filter(|ops| !ops.is_empty());
        let hunks = hunks.map(|ops| Hunk::new(&ops, &old, &new)).collect();
        Self { hunks, added, removed }
    }
}

impl Hunk {
    fn new(ops: &[DiffOp], old: &[&str], new: &[&str]) -> Self {
        let mut rows = Vec::new();
        for op in ops {
            if let DiffOp::Equal { .. } = op {
                rows.extend(old[op.old_range()].iter().map(|line| Row::new(Sign::Both, line)));
            } else {
                rows.extend(old[op.old_range()].iter().map(|line| Row::new(Sign::Old, line)));
                rows.extend(new[op.new_range()].iter().map(|line| Row::new(Sign::New, line)));
            }
        }
        let span = |side: fn(&DiffOp) -> Range<usize>| match (ops.first(), ops.last()) {
            (Some(first), Some(last)) => side(first).start..side(last).end,
            _ => 0..0,
        };
        Self { old: span(DiffOp::old_range), new: span(DiffOp::new_range), rows }
    }

    /// Where it is in both texts, as unified diffs write it.
    pub(crate) fn place(&self) -> String {
        let side = |range: &Range<usize>| match range.len() {
            0 => format!("{},0", range.start),
            1 => format!("{}", range.start + 1),
            more => format!("{},{more}", range.start + 1),
        };
        format!("@@ -{} +{} @@", side(&self.old), side(&self.new))
    }
}

impl Row {
    fn new(sign: Sign, line: &str) -> Self {
        let text = line.strip_suffix('\n');
        Self { sign, text: printable_lines(text.unwrap_or(line)), is_ended: text.is_some() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str, context: usize) -> String {
        let mut text = String::new();
        for hunk in Lines::between(old, new, &Effort::new(context)).hunks {
            text.push_str(&format!("{}\n", hunk.place()));
            for row in hunk.rows {
                let sign = match row.sign {
                    Sign::Both => ' ',
                    Sign::Old => '-',
                    Sign::New => '+',
                };
                text.push_str(&format!("{sign}{}{}\n", row.text, if row.is_ended { "" } else { "|" }));
            }
        }
        text
    }

    #[test]
    fn hunks_say_where_they_are() {
        assert_eq!(shown("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n", 1), "@@ -2,3 +2,3 @@\n b\n-c\n+X\n d\n");
        assert_eq!(shown("", "a\n", 3), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(shown("a\nb\n", "", 3), "@@ -1,2 +0,0 @@\n-a\n-b\n");
        assert_eq!(shown("a\nb", "a\nb\n", 0), "@@ -2 +2 @@\n-b|\n+b\n");
        assert_eq!(shown("a\n", "a\n", 3), "");
        let many: String = (0..30).map(|n| format!("{n}\n")).collect();
        let edited = many.replace("\n2\n", "\ntwo\n").replace("\n20\n", "\ntwenty\n");
        assert_eq!(shown(&many, &edited, 1).matches("@@ -").count(), 2);
        assert_eq!(shown(&many, &edited, usize::MAX).lines().count(), 33);
    }

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        let hostile = "\u{1b}[31mred\u{202e}\u{200b}\u{e0041}\t\u{9b}x\u{7f}\r\n\0\u{2028}";
        let text = shown("", hostile, 3);
        assert!(
            text.chars().all(|c| c == '\n' || !(c.is_control() || helix_skills_runtime::is_invisible(c))),
            "{text}"
        );
        assert!(text.contains(r"\u{1b}[31mred\u{202e}\u{200b}\u{e0041}\t\u{9b}x\u{7f}\r"), "{text}");
        assert_eq!(shown("a\nb\n", "a\r\nb\n", 0), "@@ -1 +1 @@\n-a\n+a\\r\n");
    }

    /// The time that a long text took is not taken from a short one.
    #[test]
    fn a_short_text_is_always_compared_to_the_end() {
        let old: String = (0..1_000).map(|n| format!("{n}\n")).collect();
        let new = old.replace("\n500\n", "\nchanged\n");
        let lines = Lines::between(&old, &new, &Effort { context: 0, until: Instant::now() });
        assert_eq!((lines.added, lines.removed), (1, 1));
    }

    /// Every line is there as often as in its text, whatever was given up in the search.
    #[test]
    fn a_text_made_to_be_slow_is_still_shown_whole() {
        let mut state = 7_u32;
        let mut hostile = || {
            let mut bit = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if state >> 31 == 0 { "a\n" } else { "b\n" }
            };
            (0..60_000).map(|_| bit()).collect::<String>()
        };
        let (old, new) = (hostile(), hostile());
        let lines = Lines::between(&old, &new, &Effort { context: MAX_CONTEXT, until: Instant::now() });
        let side = |without: Sign| {
            let rows = lines.hunks.iter().flat_map(|hunk| &hunk.rows).filter(move |row| row.sign != without);
            rows.map(|row| format!("{}\n", row.text)).collect::<String>()
        };
        assert!(side(Sign::New) == old && side(Sign::Old) == new);
    }
}
