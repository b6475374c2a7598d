//! Search hits.

use crate::Skill;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A skill that matches a query, and its score.
///
/// Scores can be compared only within the results of one query. They depend on all skills of the
/// set and have no upper limit.
///
/// ```
/// # use helix_skills::{Skill, SkillSet, skill_set};
/// use helix_skills::search::{IndexOptions, SearchOptions};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let index = SKILLS.index(&IndexOptions::new()); // embedded sets already have one
/// for hit in SKILLS.with_index(&index).search("a pdf", &SearchOptions::new()) {
///     println!("{:.2} {}", hit.score, hit.skill.name());
/// #   assert_eq!(hit.skill.name(), "pdf");
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<'a> {
    /// The skill.
    pub skill: &'a Skill,
    /// The score; higher is better.
    pub score: f64,
}

impl Hit<'_> {
    /// Orders hits by score, best first, and equal scores by name. No score is NaN.
    fn rank(&self, other: &Self) -> Ordering {
        let by_score = other.score.partial_cmp(&self.score).unwrap_or(Ordering::Equal);
        by_score.then_with(|| self.skill.name().cmp(other.skill.name()))
    }
}

/// Returns the best hits, at most `limit`, best first.
pub(crate) fn best(mut hits: Vec<Hit<'_>>, limit: usize) -> Vec<Hit<'_>> {
    if let Some(last) = limit.checked_sub(1).filter(|last| *last < hits.len()) {
        // Most matches of a large set are not among the best; only those are sorted.
        hits.select_nth_unstable_by(last, Hit::rank);
    }
    hits.truncate(limit);
    hits.sort_unstable_by(Hit::rank);
    hits
}
