//! Texts in messages.

use helix_skills_runtime::OneLine;
use std::path::Path;

/// Returns a path on one line, because file names are untrusted text.
pub(crate) fn display_path(path: &Path) -> String {
    OneLine(&path.to_string_lossy()).to_string()
}

/// Formats how many more findings there are.
pub(crate) fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {more} more)") }
}
