//! Search hits, and custom rankings.

use crate::{Skill, SkillSet};
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

/// Ranks skills by other means than the words of an index, such as embeddings; for
/// [`ToolboxBuilder::classifier`](crate::ToolboxBuilder::classifier).
///
/// ```
/// use helix_skills::search::{Classifier, Hit, SearchOptions};
/// use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
/// # const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![CSV, PDF];
///
/// /// Counts how often the query has the name of a skill.
/// struct Names;
///
/// impl Classifier for Names {
///     fn classify<'s>(&self, query: &str, skills: SkillSet<'s>) -> Vec<Hit<'s>> {
///         let score = |skill: &Skill| query.matches(skill.name()).count() as f64;
///         skills.iter().map(|skill| Hit { skill, score: score(skill) }).collect()
///     }
/// }
///
/// let toolbox = Toolbox::builder(SKILLS).classifier(&Names).build()?;
/// let hits = toolbox.search("csv to csv or pdf", &SearchOptions::new());
/// assert_eq!(hits.iter().map(|hit| hit.skill.name()).collect::<Vec<_>>(), ["csv", "pdf"]);
/// # Ok::<(), helix_skills::Error>(())
/// ```
pub trait Classifier {
    /// Returns hits among `skills`, in any order.
    ///
    /// The toolbox sorts them, and drops those that its model may not load or that the
    /// [options](super::SearchOptions) exclude. A score that is not above 0 is never a hit.
    #[must_use]
    fn classify<'s>(&self, query: &str, skills: SkillSet<'s>) -> Vec<Hit<'s>>;
}
