//! Indexes of sets, and predicates that own their index.

use super::{
    Document, IndexOptions, Reminder, SearchEntries, SearchEntry, SearchIndex, SearchOptions,
    predicate::is_hit,
};
use crate::SkillSet;
use alloc::{borrow::Cow, vec::Vec};

impl SkillSet<'_> {
    /// Indexes the skills at run time. Baked sets have an index made at compile time.
    #[must_use]
    pub fn index(&self, options: &IndexOptions) -> SearchIndex {
        SearchIndex::build(self.iter().map(Document::from), options)
    }
}

impl SearchEntries for Vec<SearchEntry<'_>> {
    fn entry(&self, document: usize) -> Option<SearchEntry<'_>> {
        self.get(document).copied()
    }
}

impl Reminder<'_> {
    /// Returns the query for a message of several text parts: the parts, joined by spaces.
    #[must_use]
    pub fn query<'t>(parts: &[&'t str]) -> Cow<'t, str> {
        match parts {
            [part] => Cow::Borrowed(part),
            _ => Cow::Owned(parts.join(" ")),
        }
    }
}

/// Returns a predicate that is true for texts about at least one of `topics`: if a topic, ranked as
/// a document of its own, scores above `threshold`.
///
/// Words are split by `Words::Compatible`, and match whole words; for Chinese or Cyrillic, use
/// [`classifies`](crate::classifies) with an index of `Words::Unicode`.
///
/// ```
/// use helix_skills_runtime::content_matches;
/// let is_release = content_matches(["deploy to production", "roll back a release"], 0.5);
/// assert!(is_release("Please roll it back") && !is_release("Write a poem"));
/// ```
pub fn content_matches<'t>(
    topics: impl IntoIterator<Item = &'t str>,
    threshold: f64,
) -> impl Fn(&str) -> bool + Clone + Send + Sync + 'static {
    let topics = topics.into_iter().map(|topic| Document::new(topic, ""));
    let index = SearchIndex::build(topics, &IndexOptions::new());
    move |content| is_hit(&index, content, &SearchOptions::new().prefix(false).threshold(threshold))
}
