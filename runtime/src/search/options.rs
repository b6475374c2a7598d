//! Search options.

use core::fmt;

/// Options of a search. The number of hits is limited by the buffer passed to the search.
///
/// ```
/// # use helix_skills::search::SearchOptions;
/// let options = SearchOptions::new().threshold(0.5);
/// assert!(options.accepts(0, 0.6) && !options.accepts(0, 0.5));
/// ```
#[derive(Clone, Copy)]
pub struct SearchOptions<'f> {
    threshold: f64,
    prefix: Option<bool>,
    only: Option<&'f (dyn Fn(usize) -> bool + Sync)>,
}

impl<'f> SearchOptions<'f> {
    /// Creates the default options: prefixes match, every score above 0, all documents.
    #[must_use]
    pub const fn new() -> Self {
        Self { threshold: 0.0, prefix: None, only: None }
    }

    /// Accepts only scores greater than `threshold`. A score of 0 is never a hit.
    #[must_use]
    pub const fn threshold(self, threshold: f64) -> Self {
        Self { threshold, ..self }
    }

    /// Sets whether a word of the query also matches longer words that start with it: `deploy`
    /// matches `deployment`.
    ///
    /// Applies to words of at least three characters that are not stop words. The weight of a
    /// longer word is multiplied by the length of the query's word over its own, in bytes: 6/10 for
    /// `deployment`. The score of a document is the sum over all matches. Off, words match whole
    /// words only, as in the reference.
    #[must_use]
    pub const fn prefix(self, prefix: bool) -> Self {
        Self { prefix: Some(prefix), ..self }
    }

    /// Sets [`prefix`](Self::prefix) if it is not set.
    #[doc(hidden)]
    #[must_use]
    pub const fn or_prefix(self, prefix: bool) -> Self {
        if self.prefix.is_some() { self } else { self.prefix(prefix) }
    }

    /// Accepts only documents for which `only` returns `true`, such as the skills that an agent may
    /// use. The rarity of words is still that in all documents.
    #[must_use]
    pub const fn only(self, only: &'f (dyn Fn(usize) -> bool + Sync)) -> Self {
        Self { only: Some(only), ..self }
    }

    /// Returns whether longer words match; see [`prefix`](Self::prefix).
    pub(crate) const fn is_prefix(&self) -> bool {
        !matches!(self.prefix, Some(false))
    }

    /// Returns whether `document` may be a hit.
    pub(crate) fn accepts_document(&self, document: usize) -> bool {
        self.only.is_none_or(|only| only(document))
    }

    /// Returns whether `document` is a hit with this score.
    #[must_use]
    pub fn accepts(&self, document: usize, score: f64) -> bool {
        score > 0.0 && score > self.threshold && self.accepts_document(document)
    }
}

impl Default for SearchOptions<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SearchOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchOptions")
            .field("threshold", &self.threshold)
            .field("prefix", &self.is_prefix())
            .field("only", &self.only.map(|_| ".."))
            .finish()
    }
}
