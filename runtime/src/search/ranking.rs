//! Keeps the best of many hits in a caller's buffer.

use super::Hit;

/// Collects the best hits in a buffer, for implementations of [`Classifier`](super::Classifier).
///
/// An offer takes time logarithmic in the buffer's length.
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
    /// A heap with the worst hit on top.
    hits: &'o mut [Hit],
    len: usize,
}

impl<'o> Ranking<'o> {
    /// Creates a ranking without hits that keeps at most `hits.len()` of them.
    #[must_use]
    pub const fn new(hits: &'o mut [Hit]) -> Self {
        Self { hits, len: 0 }
    }

    /// Returns the score that a later document must exceed, if the buffer is full.
    pub(super) fn floor(&self) -> Option<f64> {
        if self.len == self.hits.len() { self.hits.first().map(|worst| worst.score) } else { None }
    }

    /// Keeps this hit if it is among the best so far. Ignores a score that is NaN.
    pub fn offer(&mut self, document: usize, score: f64) {
        let hit = Hit::new(document, score);
        if score.is_nan() || self.hits.is_empty() {
            return;
        }
        if self.len < self.hits.len() {
            self.hits[self.len] = hit;
            self.rise(self.len);
            self.len += 1;
        } else if hit.is_before(&self.hits[0]) {
            self.hits[0] = hit;
            self.sink(self.len);
        }
    }

    /// Returns the hits, best first; equal scores are ordered by position.
    #[must_use]
    pub fn finish(mut self) -> &'o mut [Hit] {
        for end in (1..self.len).rev() {
            self.hits.swap(0, end);
            self.sink(end);
        }
        &mut self.hits[..self.len]
    }

    fn rise(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.hits[parent].is_before(&self.hits[at]) {
                break;
            }
            self.hits.swap(parent, at);
            at = parent;
        }
    }

    /// Restores the heap of the first `end` hits after its top was replaced.
    fn sink(&mut self, end: usize) {
        let mut at = 0;
        loop {
            let mut worst = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < end && self.hits[worst].is_before(&self.hits[child]) {
                    worst = child;
                }
            }
            if worst == at {
                break;
            }
            self.hits.swap(at, worst);
            at = worst;
        }
    }
}
