//! Queries for skills by text and metadata.

use super::text_match::TextMatch;
use alloc::vec::Vec;
use helix_skills_runtime::{Profile, Skill};

/// Selects skills by a text, by metadata, or by both, up to a limit.
///
/// ```
/// use helix_skills::{Skill, registry::SkillQuery, SkillSet, skill_set};
/// const TRIAGE: Skill = Skill::define("triage", "Sorts new issues.", "…")
///     .metadata(&[("team", "Core")])
///     .build();
/// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "…")
///     .when_to_use("When a file ends in `.pdf`.")
///     .build();
/// static SKILLS: SkillSet = skill_set![TRIAGE, PDF];
///
/// let names = |query: SkillQuery<'_>| {
///     query.search(SKILLS).iter().map(|skill| skill.name()).collect::<Vec<_>>()
/// };
/// assert_eq!(names(SkillQuery::new().text(" FILE ENDS ")), ["pdf"]);
/// assert_eq!(names(SkillQuery::new().text("core")), ["triage"]); // a value of its metadata
/// assert_eq!(names(SkillQuery::new().metadata(&[("team", "core")])), [""; 0]); // exactly
/// assert_eq!(names(SkillQuery::new().limit(1)), ["pdf"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "a query does nothing unless it is passed to a search"]
pub struct SkillQuery<'a> {
    text: &'a str,
    metadata: Option<&'a [(&'a str, &'a str)]>,
    limit: usize,
    profile: Profile,
}

impl<'a> SkillQuery<'a> {
    /// Creates a query that matches all skills.
    pub const fn new() -> Self {
        Self { text: "", metadata: None, limit: 0, profile: Profile::Helix }
    }

    /// Selects skills that contain this text in the name, the description, `when_to_use` or a value
    /// of the metadata. Case and surrounding white space are ignored. The text is matched as a
    /// whole: `issue triage` only matches if the words are adjacent and in this order. A blank text
    /// matches every skill.
    ///
    /// The text is never a pattern, because it may come from a model, and a regular expression
    /// engine would be a dependency of every agent.
    pub const fn text(mut self, text: &'a str) -> Self {
        self.text = text;
        self
    }

    /// Selects skills that have all of these metadata pairs, compared exactly. An empty list
    /// selects skills that have any metadata.
    pub const fn metadata(mut self, metadata: &'a [(&'a str, &'a str)]) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// Sets the maximum number of skills; 0 is no limit.
    pub const fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Parses the text by the rules of another system. In [`Profile::DeerFlow`]:
    ///
    /// - `select:a,b` matches skills by name,
    /// - `+word rest` matches skills with `word` in the name, those with most occurrences of `rest`
    ///   first,
    /// - any other text is searched in name and description, matches in the name first,
    /// - a blank text matches nothing,
    /// - the default limit is 5, except for `select:`.
    ///
    /// Unlike in deer-flow, the text is not a regular expression.
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Returns the matching skills in their order; in [`Profile::DeerFlow`], best matches first.
    /// Skills that are not for models match as well, because the host searches.
    /// [`SkillSet::search`](helix_skills_runtime::SkillSet::search) ranks skills by the words of a
    /// task instead.
    #[must_use]
    pub fn search<'s>(&self, skills: impl IntoIterator<Item = &'s Skill>) -> Vec<&'s Skill> {
        let text_match = TextMatch::parse(self.text, self.profile);
        let limit = match self.limit {
            0 => text_match.default_limit(),
            limit => limit,
        };
        let skills = skills.into_iter().filter(|skill| self.has_metadata(skill));
        let answers = skills.filter_map(|skill| Some((text_match.rank(skill)?, skill)));
        if text_match.is_ranked() {
            let mut answers: Vec<_> = answers.collect();
            answers.sort_by(|(one, _), (other, _)| other.cmp(one)); // stable
            return answers.into_iter().map(|(_, skill)| skill).take(limit).collect();
        }
        answers.map(|(_, skill)| skill).take(limit).collect()
    }

    fn has_metadata(&self, skill: &Skill) -> bool {
        let Some(wanted) = self.metadata else { return true };
        skill.metadata().len() > 0
            && wanted.iter().all(|wanted| skill.metadata().any(|pair| pair == *wanted))
    }
}
