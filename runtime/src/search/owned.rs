//! What the search does with a heap, besides building an index.

use super::{
    Document, Entries, Entry, IndexOptions, Reminder, SearchIndexBuf, SearchOptions,
    predicate::is_hit,
};
use crate::SkillSet;
use alloc::{borrow::Cow, vec::Vec};

impl SkillSet<'_> {
    /// Indexes the skills, at run time. The index of a baked set was made while compiling.
    #[must_use]
    pub fn index(&self, options: &IndexOptions) -> SearchIndexBuf {
        SearchIndexBuf::build(self.iter().map(Document::from), options)
    }
}

impl Entries for Vec<Entry<'_>> {
    fn entry(&self, document: usize) -> Option<Entry<'_>> {
        self.get(document).copied()
    }
}

impl Reminder<'_> {
    /// What to search for, for a message of several text parts: all of them, joined with a space.
    #[must_use]
    pub fn query<'t>(parts: &[&'t str]) -> Cow<'t, str> {
        match parts {
            [part] => Cow::Borrowed(part),
            _ => Cow::Owned(parts.join(" ")),
        }
    }
}

/// Whether a text is about one of some topics, scored like skills, above `threshold`: each topic is one
/// document.
///
/// The words are those of the reference; for Chinese or Cyrillic use [`classifies`](crate::classifies)
/// with an index of `Words::Unicode`.
///
/// ```
/// use helix_skills::search::content_matches;
/// let is_release = content_matches(["deploy to production", "roll back a release"], 0.5);
/// assert!(is_release("Please roll it back") && !is_release("Write a poem"));
/// ```
pub fn content_matches<'t>(
    topics: impl IntoIterator<Item = &'t str>,
    threshold: f64,
) -> impl Fn(&str) -> bool + Clone + Send + Sync + 'static {
    let topics = topics.into_iter().map(|topic| Document::new(topic, ""));
    let index = SearchIndexBuf::build(topics, &IndexOptions::new());
    move |content| is_hit(&index, content, &SearchOptions::new().threshold(threshold))
}
