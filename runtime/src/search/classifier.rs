//! Custom rankings.

use super::Hit;
use crate::SkillSet;
use alloc::vec::Vec;

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
