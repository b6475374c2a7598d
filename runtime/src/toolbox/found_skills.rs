//! The answer to a search.

use super::Toolbox;
use crate::{Excerpt, Hit, OneLine, SearchEntries, SearchOptions, scalars::floor};
use alloc::{format, string::String};

/// Maximum number of skills in an answer.
const MAX_FOUND: usize = 10;

/// Maximum length of a model's query in bytes; the rest is not searched for. Matching each word of
/// a longer text as a prefix would take time and find nothing more.
const MAX_QUERY: usize = 1024;

/// Returns the answer of `search_skills`: names and descriptions, best first, one line each.
pub(super) fn find(toolbox: &Toolbox<'_>, query: &str) -> String {
    let mut hits = [Hit::default(); MAX_FOUND];
    let searched = &query[..floor(query, MAX_QUERY)];
    let found = toolbox.search(searched, &SearchOptions::new(), &mut hits);
    // A custom classifier may return too many hits, or skills that this model may not see.
    let (view, set) = (toolbox.view(), toolbox.set());
    let visible = found.iter().filter(|hit| view.shows_at(hit.document)).take(MAX_FOUND);
    let entries = visible.filter_map(|hit| set.entry(hit.document));
    let lines: String = entries
        .map(|entry| format!("- {}: {}\n", OneLine(entry.name()), OneLine(entry.description())))
        .collect();
    if lines.is_empty() {
        return format!(
            "No skill matches `{}`. Search with other words that describe the task.",
            Excerpt(query)
        );
    }
    format!("The skills that match best; load one before you follow it:\n{lines}")
}
