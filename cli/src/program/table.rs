//! Text tables, and the text of a locked source in them.

use helix_skills_format::__internal::printable;
use helix_skills_project::manifest::{LockedSource, Source};

/// Aligns rows in columns, and prints the indented notes of each row below it.
pub(super) fn columns<'r, const N: usize>(
    rows: impl Iterator<Item = (&'r [String; N], &'r [String])> + Clone,
) -> String {
    let width =
        |column: usize| rows.clone().map(|(row, _)| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for (row, notes) in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        text.push_str(&printable(cells.collect::<Vec<_>>().join("  ").trim_end()));
        text.push('\n');
        for note in notes {
            text.push_str(&format!("  {}\n", printable(note)));
        }
    }
    text
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
