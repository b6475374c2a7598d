//! Search in the names and descriptions of skills.

use helix_skills_runtime::{Classifier, Document, Hit, IndexOptions, SearchIndex, SearchOptions};
use std::sync::OnceLock;

/// An index of skills that is built when it is first used.
#[derive(Clone, Debug, Default)]
pub(crate) struct LazyIndex(OnceLock<SearchIndex>);

impl LazyIndex {
    /// Returns up to `limit` hits, best first, among skills with these names and descriptions,
    /// which must be the same in every call.
    pub(crate) fn search<'s>(
        &self,
        skills: impl ExactSizeIterator<Item = (&'s str, &'s str)>,
        query: &str,
        options: &SearchOptions<'_>,
        limit: usize,
    ) -> Vec<Hit> {
        let mut hits = vec![Hit::default(); limit.min(skills.len())];
        let documents = skills.map(|(name, description)| Document::new(name, description));
        let index = self.0.get_or_init(|| SearchIndex::build(documents, &IndexOptions::new()));
        index.classify(query, options, &mut hits).to_vec()
    }
}
