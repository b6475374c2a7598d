//! Search hits.

use core::cmp::Ordering;

/// A document that matches a query, and its score.
///
/// Scores can be compared only within the results of one query. They depend on the corpus and have
/// no upper limit.
///
/// ```
/// # use helix_skills::{Skill, SkillSet, skill_set};
/// use helix_skills::search::{Hit, IndexOptions, SearchOptions};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let index = SKILLS.index(&IndexOptions::new()); // baked sets already have one
/// let set = SKILLS.with_index(&index);
/// let mut hits = [Hit::default(); Hit::TOP];
/// for hit in set.search("a pdf", &SearchOptions::new(), &mut hits) {
///     let skill = SKILLS.iter().nth(hit.document).unwrap();
///     assert_eq!(skill.name(), "pdf");
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The position of the document in the index; for a set, the position of the skill.
    pub document: usize,
    /// The score; higher is better.
    pub score: f64,
}

impl Hit {
    /// The default number of hits of Deep Agents' classifier, as in `[Hit::default(); Hit::TOP]`.
    pub const TOP: usize = 5;

    /// Creates a hit, for a custom [`Classifier`](super::Classifier).
    #[must_use]
    pub const fn new(document: usize, score: f64) -> Self {
        Self { document, score }
    }

    /// Orders hits by score, best first, and equal scores by position. No score is NaN.
    pub(super) fn rank(&self, other: &Self) -> Ordering {
        let by_score = other.score.partial_cmp(&self.score).unwrap_or(Ordering::Equal);
        by_score.then(self.document.cmp(&other.document))
    }
}
