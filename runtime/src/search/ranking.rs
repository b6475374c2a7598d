//! Keeps the best of many hits in a caller's buffer.

use super::Hit;
use alloc::vec::Vec;

/// Minimum number of hits that are sorted at a time.
const MIN_BATCH: usize = 256;

/// Collects the best hits in a buffer, for implementations of [`Classifier`](super::Classifier).
///
/// An offer takes time logarithmic in the buffer's length, on average.
///
/// ```
/// # use helix_skills::search::{Hit, Ranking};
/// let mut hits = [Hit::default(); 2];
/// let mut ranking = Ranking::new(&mut hits);
/// for (document, score) in [0.1, 0.7, 0.7, 0.4].into_iter().enumerate() {
///     ranking.offer(document, score);
/// }
/// let best: Vec<usize> = ranking.finish().iter().map(|hit| hit.document).collect();
/// assert_eq!(best, [1, 2]);
/// ```
#[derive(Debug)]
pub struct Ranking<'o> {
    out: &'o mut [Hit],
    offered: Vec<Hit>,
}

impl<'o> Ranking<'o> {
    /// Creates a ranking without hits that keeps at most `hits.len()` of them.
    #[must_use]
    pub const fn new(hits: &'o mut [Hit]) -> Self {
        Self { out: hits, offered: Vec::new() }
    }

    /// Keeps this hit if it is among the best so far. Ignores a score that is NaN.
    pub fn offer(&mut self, document: usize, score: f64) {
        if score.is_nan() || self.out.is_empty() {
            return;
        }
        self.offered.push(Hit::new(document, score));
        if self.offered.len() >= self.out.len().saturating_mul(2).max(MIN_BATCH) {
            self.keep_best();
        }
    }

    /// Returns the hits, best first; equal scores are ordered by position.
    #[must_use]
    pub fn finish(mut self) -> &'o mut [Hit] {
        self.keep_best();
        let best = &mut self.out[..self.offered.len()];
        best.copy_from_slice(&self.offered);
        best
    }

    /// Sorts the offered hits and drops those that do not fit into the buffer.
    fn keep_best(&mut self) {
        self.offered.sort_unstable_by(Hit::rank);
        self.offered.truncate(self.out.len());
    }
}
