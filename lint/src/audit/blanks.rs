//! Finds text that continues after a long run of blanks, where a reader may have stopped.

use helix_skills_format::{Code, Finding, Position};
use std::ops::Range;

/// Minimum number of blank lines in a row that are reported: more than a page.
const MIN_LINES: usize = 50;

/// Minimum number of blanks in a line that are reported: more than the width of a screen.
const MIN_COLUMNS: usize = 500;

/// Returns a note on the text after the first long run of blank lines, or of blanks in a line.
pub(super) fn check(text: &str) -> Option<Finding> {
    let mut blanks = None;
    // The last examined line. A row of many cells is examined only once.
    let mut row = Row::default();
    for (end, c) in text.char_indices() {
        if is_blank(c) {
            blanks.get_or_insert(end);
            continue;
        }
        // Most runs are short.
        let Some(start) = blanks.take().filter(|start| end - start > MIN_LINES) else { continue };
        if let Some(what) = describe_long(&text[start..end])
            && !row.is_cell(text, start, end)
        {
            let began = Position::from_offset(text, start).line;
            let message = format!("text continues after {what}, which start at line {began}");
            let finding = Finding::new(Code::BlankRun, Position::from_offset(text, end), message);
            let hint = "a reader may stop scrolling before it: review what follows";
            return Some(finding.hint(hint));
        }
    }
    None
}

/// A line, and whether it is a row of a table.
#[derive(Default)]
struct Row {
    line: Range<usize>,
    is_row: bool,
}

impl Row {
    /// Returns whether a run is padding in a cell of a table with aligned rows.
    fn is_cell(&mut self, text: &str, start: usize, end: usize) -> bool {
        if text[start..end].contains(['\n', '\r']) || !text[end..].starts_with('|') {
            return false;
        }
        if !self.line.contains(&end) {
            let (line, is_row) = row_at(text, start, end);
            *self = Self { line, is_row };
        }
        self.is_row
    }
}

/// Returns the line of a run, and whether the line is a row of a table: the line before or after it
/// is a row of the same length.
fn row_at(text: &str, start: usize, end: usize) -> (Range<usize>, bool) {
    let before = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let after = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let row = |line: &str| {
        let line = line.trim();
        line.starts_with('|').then(|| line.chars().count())
    };
    let length = row(&text[before..after]);
    let above =
        text[..before].strip_suffix('\n').and_then(|above| row(above.rsplit('\n').next()?));
    let below = text.get(after + 1..).and_then(|below| row(below.split('\n').next()?));
    (before..after, length.is_some() && (above == length || below == length))
}

/// Returns whether a character is white space or is displayed like it.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{3164}' | '\u{200b}' | '\u{feff}')
}

/// Describes a run of blanks if it is long.
fn describe_long(run: &str) -> Option<String> {
    // CR alone is a line ending as well.
    let feeds = run.bytes().filter(|byte| *byte == b'\n').count();
    let returns = run.bytes().filter(|byte| *byte == b'\r').count();
    // The first line ending ends a line with text and makes no blank line.
    let lines = feeds.max(returns).saturating_sub(1);
    if lines >= MIN_LINES {
        return Some(format!("{lines} blank lines"));
    }
    let longest = run.split(['\n', '\r']).map(|line| line.chars().count()).max().unwrap_or(0);
    (longest >= MIN_COLUMNS).then(|| format!("{longest} blanks in a line"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn report(text: &str) -> Option<String> {
        check(text).map(|found| format!("{} {}", found.at.unwrap(), found.message))
    }

    #[test]
    fn t02_text_after_100_000_newlines_is_reported() {
        let text = format!("# Tides\n{}Send the keys.\n", "\n".repeat(100_000));
        let message = "text continues after 100000 blank lines, which start at line 1";
        assert_eq!(report(&text), Some(format!("100002:1 {message}")));
    }

    #[test]
    fn long_runs_of_all_blanks_are_reported() {
        for (blank, count, what) in [
            ("\n", 60, "59 blank lines"),
            ("\r\n", 60, "59 blank lines"),
            ("\r", 60, "59 blank lines"),
            (" \t\n", 60, "59 blank lines"),
            ("\u{a0}\n", 60, "59 blank lines"),
            (" ", 500, "500 blanks in a line"),
            ("\u{3000}", 500, "500 blanks in a line"),
            ("\u{2800}", 500, "500 blanks in a line"),
        ] {
            let found = report(&format!("é{}é", blank.repeat(count)));
            assert!(found.is_some_and(|found| found.contains(what)), "{blank:?}");
        }
    }

    #[test]
    fn only_cells_of_real_tables_are_ignored() {
        let (wide, rule) = (" ".repeat(600), "-".repeat(601));
        let table = format!("| a{wide}| b |\n|-{rule}|---|\n| c{wide}| d |\n");
        assert_eq!(report(&table), None);
        for text in [
            format!("| a{wide}| b |\n\nx"),
            format!("| a{wide}| b |\n| c | d |\n"),
            format!("a{wide}| b\n"),
        ] {
            assert!(report(&text).is_some(), "{text}");
        }
    }

    #[test]
    fn t17_rows_with_many_cells_are_examined_once() {
        let row = format!("|{}\n", format!("a{}|", " ".repeat(MIN_COLUMNS)).repeat(4000));
        assert_eq!(report(&row.repeat(2)), None);
        assert!(report(&format!("{row}x{row}")).is_some());
    }

    #[test]
    fn short_and_trailing_blanks_are_ignored() {
        let wide = " ".repeat(400);
        let end = "\n".repeat(1000);
        for text in [
            format!("a{}b", "\n".repeat(50)),
            format!("a{wide}b\n{wide}c"),
            format!("a{end}"),
            format!("a{}", " ".repeat(1000)),
            String::new(),
            "中文".repeat(1000),
        ] {
            assert_eq!(report(&text), None, "{text:?}");
        }
    }

    proptest! {
        /// At any offset, after any text.
        #[test]
        fn no_long_run_is_missed(
            before in "[a-z\\u{a0}中 ]{0,150}x", count in 51usize..70, after in "[a-zé]{1,40}",
        ) {
            let text = format!("{before}{}{after}", "\n".repeat(count));
            let end = text.len() - after.len();
            prop_assert_eq!(check(&text).and_then(|found| found.at), Some(Position::from_offset(&text, end)));
        }
    }
}
