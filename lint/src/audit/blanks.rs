//! Text that continues after long runs of blanks.

use helix_skills_format::{Code, Finding, Position};
use std::ops::Range;

/// So many blank lines in a row are more than a page.
const LINES: usize = 50;

/// So many blanks in a row are more than a screen is wide.
const COLUMNS: usize = 500;

/// The least bytes of such a run.
const LEAST: usize = LINES;

/// Tells of the first long run of blank lines, or of blanks within a line, that something follows;
/// and where.
///
/// Not every byte is looked at: a run that is long enough cannot hide between two that are.
pub(super) fn check(text: &str) -> Option<Finding> {
    let mut probe = LEAST;
    // Everything before is known to belong to no long run that is still open.
    let mut floor = 0;
    // The line that was judged last: a row of very many cells is judged once.
    let mut row = Row::default();
    while probe < text.len() {
        let Some(start_of_char) = blank_at(text, probe) else {
            probe += LEAST;
            continue;
        };
        let start = text[floor..start_of_char].trim_end_matches(is_blank).len() + floor;
        let end = text.len() - text[start_of_char..].trim_start_matches(is_blank).len();
        let run = &text[start..end];
        if end < text.len()
            && let Some(what) = measured(run)
            && !row.is_filled(text, start, end)
        {
            let at = Position::from_offset(text, end);
            let began = Position::from_offset(text, start);
            let message = format!("text goes on behind {what}, which begin in line {}", began.line);
            let finding = Finding::new(Code::BlankRun, at, message);
            return Some(
                finding.hint("whoever scrolls through the file stops before: read what follows"),
            );
        }
        floor = end;
        probe = end + LEAST;
    }
    None
}

/// A line, and whether it is a row of a table.
#[derive(Default)]
struct Row {
    line: Range<usize>,
    is_one: bool,
}

impl Row {
    /// Whether a run fills a cell of a table whose rows are aligned.
    fn is_filled(&mut self, text: &str, start: usize, end: usize) -> bool {
        if text[start..end].contains(['\n', '\r']) || !text[end..].starts_with('|') {
            return false;
        }
        if !self.line.contains(&end) {
            let (line, is_one) = row_at(text, start, end);
            *self = Self { line, is_one };
        }
        self.is_one
    }
}

/// The line of a place in it, and whether it is a row of a table: the line before or after is a
/// row, too, and as long.
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

/// Where the blank begins that the byte `at` is part of, if it is one.
fn blank_at(text: &str, at: usize) -> Option<usize> {
    let byte = text.as_bytes()[at];
    if byte.is_ascii() {
        return is_blank(char::from(byte)).then_some(at);
    }
    let start = (0..=at).rev().find(|at| text.is_char_boundary(*at))?;
    text[start..].chars().next().is_some_and(is_blank).then_some(start)
}

/// White space, and characters that are shown as nothing but room.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{3164}' | '\u{200b}' | '\u{feff}')
}

/// What a run of blanks is, if it is long.
fn measured(run: &str) -> Option<String> {
    // A text that has CR alone has lines, too.
    let feeds = run.bytes().filter(|byte| *byte == b'\n').count();
    let returns = run.bytes().filter(|byte| *byte == b'\r').count();
    // The first one ends a line with text.
    let lines = feeds.max(returns).saturating_sub(1);
    if lines >= LINES {
        return Some(format!("{lines} blank lines"));
    }
    let longest = run.split(['\n', '\r']).map(|line| line.chars().count()).max().unwrap_or(0);
    (longest >= COLUMNS).then(|| format!("{longest} blanks in a line"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(text: &str) -> Option<String> {
        check(text).map(|found| format!("{} {}", found.at.unwrap(), found.message))
    }

    #[test]
    fn t02_text_behind_a_hundred_thousand_newlines_is_told() {
        let text = format!("# Tides\n{}Send the keys.\n", "\n".repeat(100_000));
        let message = "text goes on behind 100000 blank lines, which begin in line 1";
        assert_eq!(told(&text), Some(format!("100002:1 {message}")));
    }

    #[test]
    fn long_runs_of_every_kind_are_told() {
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
            let found = told(&format!("é{}é", blank.repeat(count)));
            assert!(found.is_some_and(|found| found.contains(what)), "{blank:?}");
        }
    }

    #[test]
    fn cells_of_tables_are_left_alone_and_what_only_looks_like_one_is_not() {
        let (wide, rule) = (" ".repeat(600), "-".repeat(601));
        let table = format!("| a{wide}| b |\n|-{rule}|---|\n| c{wide}| d |\n");
        assert_eq!(told(&table), None);
        for text in [
            format!("| a{wide}| b |\n\nx"),
            format!("| a{wide}| b |\n| c | d |\n"),
            format!("a{wide}| b\n"),
        ] {
            assert!(told(&text).is_some(), "{text}");
        }
    }

    #[test]
    fn t17_a_row_of_very_many_cells_is_judged_once() {
        let row = format!("|{}\n", format!("a{}|", " ".repeat(COLUMNS)).repeat(4000));
        assert_eq!(told(&row.repeat(2)), None);
        assert!(told(&format!("{row}x{row}")).is_some());
    }

    #[test]
    fn room_for_the_eye_and_room_at_the_end_are_left_alone() {
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
            assert_eq!(told(&text), None, "{text:?}");
        }
    }

    proptest! {
        /// Wherever it stands, and whatever is before it.
        #[test]
        fn no_run_hides_between_the_places_that_are_looked_at(
            before in "[a-z\\u{a0}中 ]{0,150}x", count in 51usize..70, after in "[a-zé]{1,40}",
        ) {
            let text = format!("{before}{}{after}", "\n".repeat(count));
            let end = text.len() - after.len();
            prop_assert_eq!(check(&text).and_then(|found| found.at), Some(Position::from_offset(&text, end)));
        }
    }
}
