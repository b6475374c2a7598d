//! What a search finds.

/// A document that answers a query, and how well. Scores compare the answers of one query with each other; no score
/// means the same in another corpus, and none is the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hit {
    /// The position of the document among those that were indexed: for a set, the position of the skill.
    pub document: usize,
    /// Higher is better.
    pub score: f64,
}

impl Hit {
    /// How many hits the reference gives unless told otherwise: `[Hit::default(); Hit::TOP]` is room for them.
    pub const TOP: usize = 5;

    /// Whether this hit comes before `other`: a higher score, or the same and earlier in the corpus.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        self.score > other.score || (self.score == other.score && self.document < other.document)
    }
}
