//! Text tables, and the text of a locked source in them.

use super::args;
use console::{Alignment, Term, measure_text_width, pad_str, truncate_str};
use helix_skills_format::{__internal::printable, LockedSource, ObjectId};

/// The space between two columns.
const GAP: &str = "  ";

/// What precedes a note, and each further line of a stacked row.
const INDENT: &str = "  ";

/// Minimum width of a long text next to other columns.
const MIN_TEXT: usize = 30;

/// Maximum number of lines of a cell.
const MAX_LINES: usize = 2;

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
/// `text` is the column with long texts; without a width, it is moved to the end. Otherwise it is
/// wrapped between words, to at most two lines. If it would become too narrow next to the other
/// columns, all rows are stacked: the cells of a row follow each other on indented lines.
pub(super) fn table<const N: usize>(
    titles: [&str; N],
    text: usize,
    rows: &[([String; N], Vec<String>)],
    width: Option<usize>,
) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let shown = rows.iter().map(|(row, _)| row.each_ref().map(|cell| printable(cell)));
    let mut shown: Vec<[String; N]> =
        [titles.map(str::to_owned)].into_iter().chain(shown).collect();
    let (text, width) = match width {
        Some(width) => (text, width),
        None => {
            shown.iter_mut().for_each(|row| row[text..].rotate_left(1));
            (N - 1, usize::MAX)
        }
    };
    let mut widths: [usize; N] = std::array::from_fn(|column| {
        let widths = shown.iter().map(|row| measure_text_width(&row[column]));
        let is_empty = shown[1..].iter().all(|row| row[column].is_empty());
        if is_empty { 0 } else { widths.max().unwrap_or_default() }
    });
    let others = widths.iter().enumerate().filter(|(at, width)| *at != text && **width > 0);
    let others: usize = others.map(|(_, width)| width + GAP.len()).sum();
    let is_stacked = others + widths[text].min(MIN_TEXT) > width;
    let titles = shown[0].iter_mut().zip(widths);
    titles.filter(|(_, width)| *width == 0).for_each(|(title, _)| title.clear());
    let is_long = widths[text] > MIN_TEXT;
    widths[text] = widths[text].min(width.saturating_sub(others));
    let notes = [&[][..]].into_iter().chain(rows.iter().map(|(_, notes)| notes.as_slice()));
    let mut table = String::new();
    for (row, notes) in shown.iter().zip(notes) {
        let mut lines = match is_stacked {
            true => stacked(row, is_long.then_some(text), width),
            false => aligned(row, text, widths),
        };
        lines.extend(notes.iter().flat_map(|note| indented(&printable(note), width, usize::MAX)));
        lines.iter().for_each(|line| table.push_str(&format!("{}\n", line.trim_end())));
    }
    table
}

/// Returns the lines of a row with its cells in columns.
fn aligned<const N: usize>(row: &[String; N], text: usize, widths: [usize; N]) -> Vec<String> {
    let wrapped = wrap(&row[text], widths[text], MAX_LINES);
    let lines = wrapped.iter().enumerate().map(|(at, wrapped)| {
        let cells = row.iter().zip(widths).enumerate().filter(|(_, (_, width))| *width > 0);
        let cells = cells.map(|(column, (cell, width))| {
            let cell = match column {
                _ if column == text => wrapped,
                _ if at == 0 => cell,
                _ => "",
            };
            pad_str(cell, width, Alignment::Left, None)
        });
        cells.collect::<Vec<_>>().join(GAP)
    });
    lines.collect()
}

/// Returns the lines of a row with its cells one after the other. Only the first one can be longer
/// than a line, and a long text has lines of its own.
fn stacked<const N: usize>(row: &[String; N], long: Option<usize>, width: usize) -> Vec<String> {
    let mut lines = vec![row[0].clone()];
    let mut is_after_long = false;
    for (column, cell) in row.iter().enumerate().skip(1).filter(|(_, cell)| !cell.is_empty()) {
        let is_alone = is_after_long || long == Some(column);
        is_after_long = long == Some(column);
        let more = GAP.len() + measure_text_width(cell);
        match lines.last_mut() {
            Some(line) if !is_alone && measure_text_width(line) + more <= width => {
                line.push_str(GAP);
                line.push_str(cell);
            }
            _ => lines.extend(indented(cell, width, MAX_LINES)),
        }
    }
    lines
}

/// Returns at most `most` indented lines.
fn indented(text: &str, width: usize, most: usize) -> Vec<String> {
    let lines = wrap(text, width.saturating_sub(INDENT.len()), most);
    lines.iter().map(|line| format!("{INDENT}{line}")).collect()
}

/// Wraps a text between words, to at most `most` lines of `width` columns. Longer texts are cut.
fn wrap(text: &str, width: usize, most: usize) -> Vec<String> {
    if measure_text_width(text) <= width {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let count = lines.len();
        let line = &mut lines[count - 1];
        if line.is_empty() {
            line.push_str(word);
        } else if count == most || measure_text_width(line) + measure_text_width(word) < width {
            line.push_str(&format!(" {word}"));
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.iter().map(|line| truncate_str(line, width, "…").into_owned()).collect()
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
    let commit = source.skills_commit().map(ObjectId::short);
    let version = source.plugin.as_ref().and_then(|plugin| plugin.version.as_deref());
    let version = version.map(|version| format!(", plugin {version}")).unwrap_or_default();
    format!("{reference}{at}{}{version}", commit.unwrap_or_default())
}
