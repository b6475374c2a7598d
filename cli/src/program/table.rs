//! Text tables, and the text of a locked source in them.

use super::args;
use console::{Term, measure_text_width, truncate_str};
use helix_skills_format::__internal::printable;
use helix_skills_project::manifest::{LockedSource, Source};

/// The space between two columns.
const GAP: &str = "  ";

/// A column is not made narrower than this to fit a table to the terminal.
const MIN_WIDTH: usize = 12;

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

/// Aligns rows in columns, and prints the indented notes of each row below it.
///
/// With a `width`, the widest columns are cut until the rows fit.
pub(super) fn columns<'r, const N: usize>(
    rows: impl Iterator<Item = (&'r [String; N], &'r [String])>,
    width: Option<usize>,
) -> String {
    let shown: Vec<([String; N], _)> =
        rows.map(|(row, notes)| (row.each_ref().map(|cell| printable(cell)), notes)).collect();
    let widths = widths(shown.iter().map(|(row, _)| row), width);
    let mut text = String::new();
    for (row, notes) in shown {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths).filter(|(_, width)| **width > 0) {
            let cell = truncate_str(cell, *width, "…");
            let padding = " ".repeat(width.saturating_sub(measure_text_width(&cell)));
            line.push_str(&format!("{cell}{padding}{GAP}"));
        }
        text.push_str(line.trim_end());
        text.push('\n');
        for note in notes {
            text.push_str(&format!("  {}\n", printable(note)));
        }
    }
    text
}

/// Returns the width of each column.
fn widths<'r, const N: usize>(
    rows: impl Iterator<Item = &'r [String; N]>,
    width: Option<usize>,
) -> [usize; N] {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = measure_text_width(cell).max(*width);
        }
    }
    let room = width.unwrap_or(usize::MAX).saturating_sub(GAP.len() * (N - 1));
    while widths.iter().sum::<usize>() > room
        && let Some(widest) = widths.iter_mut().max().filter(|width| **width > MIN_WIDTH)
    {
        *widest -= 1;
    }
    widths
}

/// Returns what a source is locked to: a short ref and the commit of the skills, or a path.
pub(super) fn locked(source: &LockedSource) -> String {
    if let Source::Path(path) = &source.request {
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
