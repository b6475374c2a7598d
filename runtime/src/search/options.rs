//! What is asked of a search beside its query.

use core::fmt;

/// What counts as a hit. How many of them are wanted is the length of the buffer that takes them.
///
/// ```
/// # use helix_skills::search::SearchOptions;
/// let options = SearchOptions::new().threshold(0.5).prefix(true);
/// assert!(options.accepts(0, 0.6) && !options.accepts(0, 0.5));
/// ```
#[derive(Clone, Copy, Default)]
pub struct SearchOptions<'f> {
    threshold: f64,
    prefix: bool,
    only: Option<&'f (dyn Fn(usize) -> bool + Sync)>,
}

impl<'f> SearchOptions<'f> {
    /// Whole words, every score above 0, all documents.
    #[must_use]
    pub const fn new() -> Self {
        Self { threshold: 0.0, prefix: false, only: None }
    }

    /// Only scores above this. A score that equals it is no hit, and 0 never is one.
    #[must_use]
    pub const fn threshold(self, threshold: f64) -> Self {
        Self { threshold, ..self }
    }

    /// Whether a word of the query also finds the longer words that start with it: `deploy` finds `deployment`.
    ///
    /// For words of three characters or more that are no stop words. A longer word counts as much less as it is longer: its
    /// weight times the length of the query's word over its own, in bytes. A document scores the sum over all of them.
    #[must_use]
    pub const fn prefix(self, prefix: bool) -> Self {
        Self { prefix, ..self }
    }

    /// Only documents for which `only` holds, such as the skills one agent may use. How rare a word is still counts all.
    #[must_use]
    pub const fn only(self, only: &'f (dyn Fn(usize) -> bool + Sync)) -> Self {
        Self { only: Some(only), ..self }
    }

    /// Whether longer words count, too: see [`prefix`](Self::prefix).
    #[must_use]
    pub const fn is_prefix(&self) -> bool {
        self.prefix
    }

    /// Whether a document may be a hit.
    #[must_use]
    pub fn accepts_document(&self, document: usize) -> bool {
        self.only.is_none_or(|only| only(document))
    }

    /// Whether a document with this score is a hit.
    #[must_use]
    pub fn accepts(&self, document: usize, score: f64) -> bool {
        score > 0.0 && score > self.threshold && self.accepts_document(document)
    }
}

impl fmt::Debug for SearchOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchOptions")
            .field("threshold", &self.threshold)
            .field("prefix", &self.prefix)
            .field("only", &self.only.map(|_| ".."))
            .finish()
    }
}
