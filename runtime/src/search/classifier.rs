//! The trait of rankers.

use super::{Hit, SearchOptions};

/// Ranks the documents of a corpus by how well they match a query.
///
/// Implemented by [`SearchIndex`](crate::SearchIndex) and `SearchIndex`. Implement it to rank by
/// other means, such as embeddings. A document is a position in a set or in the list of a
/// provider's skills.
///
/// ```
/// use helix_skills::search::{Classifier, Hit, Ranking, SearchOptions};
///
/// /// Matches documents by a single character.
/// struct Initials(&'static [char]);
///
/// impl Classifier for Initials {
///     fn classify<'o>(
///         &self,
///         query: &str,
///         options: &SearchOptions<'_>,
///         out: &'o mut [Hit],
///     ) -> &'o [Hit] {
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
    /// Writes the best hits into `out`, best first, and returns the written part.
    ///
    /// Hits must be [accepted](SearchOptions::accepts) by the options. There are fewer than `out`
    /// can hold if fewer documents match.
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
