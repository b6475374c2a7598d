//! Text tables, and the text of a locked source in them.

use super::args;
use console::{Alignment, Term, measure_text_width, pad_str, truncate_str};
use helix_skills_format::__internal::printable;
use helix_skills_project::manifest::LockedSource;

/// The space between two columns.
const GAP: &str = "  ";

/// Maximum width of a cell on a terminal, except in the first and the last column.
const MAX_WIDTH: usize = 30;

impl args::Table {
    /// Returns the width that the table has to fit: the width of the terminal, if stdout is one.
    pub(super) fn width(&self) -> Option<usize> {
        if self.wide { None } else { terminal_width(&Term::stdout()) }
    }
}

/// Returns the number of columns of a terminal.
pub(super) fn terminal_width(term: &Term) -> Option<usize> {
    let (_, width) = term.size_checked().filter(|_| term.is_term())?;
    Some(usize::from(width)).filter(|width| *width > 0)
}

/// Returns a table, with the indented notes of each row below it. Columns without text are left
/// out. Returns an empty text without rows.
///
/// Lines that are longer than `width` are cut, but never in the first column.
pub(super) fn table<const N: usize>(
    titles: [&str; N],
    rows: &[([String; N], Vec<String>)],
    width: Option<usize>,
) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let shown = rows.iter().map(|(row, _)| row.each_ref().map(|cell| printable(cell)));
    let shown: Vec<[String; N]> = [titles.map(str::to_owned)].into_iter().chain(shown).collect();
    let widths: [usize; N] = std::array::from_fn(|column| {
        let widths = shown.iter().map(|row| measure_text_width(&row[column]));
        let is_empty = shown[1..].iter().all(|row| row[column].is_empty());
        let most =
            if width.is_none() || [0, N - 1].contains(&column) { usize::MAX } else { MAX_WIDTH };
        if is_empty { 0 } else { widths.max().unwrap_or_default().min(most) }
    });
    let longest = width.unwrap_or(usize::MAX).max(widths[0] + GAP.len() + 1);
    let notes = [&[][..]].into_iter().chain(rows.iter().map(|(_, notes)| notes.as_slice()));
    let mut text = String::new();
    for (row, notes) in shown.iter().zip(notes) {
        let cells = row
            .iter()
            .zip(widths)
            .filter(|(_, width)| *width > 0)
            .map(|(cell, width)| pad_str(cell, width, Alignment::Left, Some("…")).into_owned());
        let line = cells.collect::<Vec<_>>().join(GAP);
        text.push_str(&format!("{}\n", truncate_str(line.trim_end(), longest, "…")));
        for note in notes {
            text.push_str(&format!("  {}\n", printable(note)));
        }
    }
    text
}

/// Returns what a source is locked to: a short ref and the commit of the skills, or a path.
pub(super) fn locked(source: &LockedSource) -> String {
    if let Some(path) = source.entry.directory() {
        return format!("path {path}");
    }
    let reference = source.skills_reference().unwrap_or_default();
    let name = ["refs/tags/", "refs/heads/"].iter().find_map(|it| reference.strip_prefix(it));
    let reference = name.unwrap_or(reference);
    let at = if reference.is_empty() { "" } else { "@" };
    let commit = source.skills_commit().map(|commit| commit.short().to_string());
    let version = source.plugin.as_ref().and_then(|plugin| plugin.version.as_deref());
    let version = version.map(|version| format!(", plugin {version}")).unwrap_or_default();
    format!("{reference}{at}{}{version}", commit.unwrap_or_default())
}
