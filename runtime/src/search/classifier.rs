//! Who ranks documents.

use super::{Hit, SearchOptions};

/// Ranks the documents of a corpus by how well they answer a query.
///
/// [`SearchIndex`](crate::SearchIndex) and `SearchIndexBuf` are classifiers; so is whatever else
/// can score texts, such as a program's own embeddings. Skills do not appear here: a document is a position, whether in a
/// set or among the entries of a provider.
///
/// ```
/// use helix_skills::search::{Classifier, Hit, Ranking, SearchOptions};
///
/// /// Finds documents by one of their letters.
/// struct Initials(&'static [char]);
///
/// impl Classifier for Initials {
///     fn classify<'o>(&self, query: &str, options: &SearchOptions<'_>, out: &'o mut [Hit]) -> &'o [Hit] {
///         let mut ranking = Ranking::new(out);
///         for (document, initial) in self.0.iter().enumerate() {
///             let score = query.matches(*initial).count() as f64;
///             if options.accepts(document, score) {
///                 ranking.offer(document, score);
///             }
///         }
///         ranking.finish()
///     }
/// }
///
/// let classifier: &dyn Classifier = &Initials(&['a', 'b']);
/// let mut hits = [Hit::default(); Hit::TOP];
/// let hits = classifier.classify("bbc", &SearchOptions::new().threshold(1.0), &mut hits);
/// assert_eq!(hits, [Hit::new(1, 2.0)]);
/// ```
pub trait Classifier {
    /// Writes the best hits into `out`, best first, and returns those it wrote: as many as there are, at most as many as
    /// `out` has room for, and only what the options [accept](SearchOptions::accepts).
    #[must_use]
    fn classify<'o>(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        out: &'o mut [Hit],
    ) -> &'o [Hit];
}

impl<C: Classifier + ?Sized> Classifier for &C {
    fn classify<'o>(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        out: &'o mut [Hit],
    ) -> &'o [Hit] {
        (**self).classify(query, options, out)
    }
}
