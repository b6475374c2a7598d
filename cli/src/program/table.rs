//! Text tables, and the text of a locked source in them.

use super::args;
use console::{Term, measure_text_width, truncate_str};
use helix_skills_format::__internal::printable;
use helix_skills_project::manifest::{LockedSource, Source};

/// The space between two columns.
const GAP: &str = "  ";

/// What follows the titles if columns are left out.
const LEFT_OUT: &str = "  …\n";

/// A column is not made narrower than this to fit a table to the terminal.
const MIN_WIDTH: usize = 10;

impl args::Table {
    /// Returns the width that the table has to fit: that of the terminal, unless stdout is none.
    pub(super) fn width(&self) -> Option<usize> {
        if self.wide { None } else { terminal_width(&Term::stdout()) }
    }
}

/// Returns the number of columns of a terminal.
pub(super) fn terminal_width(term: &Term) -> Option<usize> {
    let (_, width) = term.size_checked().filter(|_| term.is_term())?;
    Some(usize::from(width)).filter(|width| *width > 0)
}

/// The columns of a table.
pub(super) struct Columns<const N: usize> {
    pub(super) titles: [&'static str; N],
    /// Columns whose cells are cut to fit the terminal.
    pub(super) cut: &'static [&'static str],
    /// Columns that are left out if this is not enough, the least important one first.
    pub(super) optional: &'static [&'static str],
}

impl<const N: usize> Columns<N> {
    /// Aligns rows, and prints the indented notes of each row below it. Columns without text are
    /// left out. Returns an empty text without rows.
    ///
    /// Rows that do not fit `width` without their optional columns are longer.
    pub(super) fn text(&self, rows: &[([String; N], Vec<String>)], width: Option<usize>) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let shown: Vec<[String; N]> =
            rows.iter().map(|(row, _)| row.each_ref().map(|cell| printable(cell))).collect();
        let (widths, is_unmarked) = self.widths(&shown, width);
        let line = |row: [&str; N]| {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths).filter(|(_, width)| **width > 0) {
                let cell = truncate_str(cell, *width, "…");
                let padding = " ".repeat(width.saturating_sub(measure_text_width(&cell)));
                line.push_str(&format!("{cell}{padding}{GAP}"));
            }
            line.trim_end().to_owned()
        };
        let mut text = line(self.titles);
        text.push_str(if is_unmarked { "\n" } else { LEFT_OUT });
        for (row, (_, notes)) in shown.iter().zip(rows) {
            text.push_str(&line(row.each_ref().map(String::as_str)));
            text.push('\n');
            for note in notes {
                text.push_str(&format!("  {}\n", printable(note)));
            }
        }
        text
    }

    /// Returns the width of each column, 0 for those that are not printed, and whether the titles
    /// need no mark for columns that are left out.
    fn widths(&self, rows: &[[String; N]], width: Option<usize>) -> ([usize; N], bool) {
        let mut whole = [0; N];
        for row in rows {
            for (width, cell) in whole.iter_mut().zip(row) {
                *width = measure_text_width(cell).max(*width);
            }
        }
        for (width, title) in whole.iter_mut().zip(self.titles).filter(|(width, _)| **width > 0) {
            *width = measure_text_width(title).max(*width);
        }
        let room = width.unwrap_or(usize::MAX / 2);
        let is_cut = self.titles.map(|title| self.cut.contains(&title));
        let (mut left_out, mut mark) = (self.optional.iter(), 0);
        loop {
            let mut widths = whole;
            let long = |widths: &[usize; N]| {
                let shown = widths.iter().filter(|width| **width > 0);
                shown.map(|width| width + GAP.len()).sum::<usize>() + mark > room + GAP.len()
            };
            while long(&widths) {
                let cut = widths.iter_mut().zip(is_cut).filter(|(_, is_cut)| *is_cut);
                let widest = cut.map(|(width, _)| width).max();
                let Some(widest) = widest.filter(|width| **width > MIN_WIDTH) else { break };
                *widest -= 1;
            }
            let is_long = long(&widths);
            let Some(title) = left_out.next().filter(|_| is_long) else {
                return (widths, mark == 0 || is_long);
            };
            for (width, _) in whole.iter_mut().zip(self.titles).filter(|(_, it)| it == title) {
                (*width, mark) = (0, measure_text_width(LEFT_OUT.trim_end()));
            }
        }
    }
}

/// Returns what a source is locked to: a short ref and the commit of the skills, or a path.
pub(super) fn locked(source: &LockedSource) -> String {
    if let Source::Path(path) = &source.entry {
        return format!("path {}", path.path);
    }
    let reference = source.skills_reference().unwrap_or_default();
    let reference = ["refs/tags/", "refs/heads/"]
        .iter()
        .find_map(|start| reference.strip_prefix(start))
        .unwrap_or(reference);
    let commit =
        source.skills_commit().map(|commit| commit.short().to_string()).unwrap_or_default();
    let version = source.plugin.as_ref().and_then(|plugin| plugin.version.as_deref());
    let version = version.map(|version| format!(", plugin {version}")).unwrap_or_default();
    if reference.is_empty() {
        format!("{commit}{version}")
    } else {
        format!("{reference}@{commit}{version}")
    }
}
