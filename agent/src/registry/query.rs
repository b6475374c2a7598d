//! What skills are asked for by.

use super::text_match::TextMatch;
use alloc::vec::Vec;
use helix_skills_runtime::{Profile, Skill};

/// Which skills: those that hold a text, have some metadata, or both, and how many.
///
/// ```
/// use helix_skills::{Skill, registry::SkillQuery, SkillSet, skill_set};
/// const TRIAGE: Skill = Skill::define("triage", "Sorts new issues.", "…").metadata(&[("team", "Core")]).build();
/// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "…").when_to_use("When a file ends in `.pdf`.").build();
/// static SKILLS: SkillSet = skill_set![TRIAGE, PDF];
///
/// let names = |query: SkillQuery<'_>| query.search(SKILLS).iter().map(|skill| skill.name()).collect::<Vec<_>>();
/// assert_eq!(names(SkillQuery::new().text(" FILE ENDS ")), ["pdf"]);
/// assert_eq!(names(SkillQuery::new().text("core")), ["triage"]); // a value of its metadata
/// assert_eq!(names(SkillQuery::new().metadata(&[("team", "core")])), [""; 0]); // exactly
/// assert_eq!(names(SkillQuery::new().limit(1)), ["pdf"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "a query finds nothing by itself"]
pub struct SkillQuery<'a> {
    text: &'a str,
    metadata: Option<&'a [(&'a str, &'a str)]>,
    limit: usize,
    profile: Profile,
}

impl<'a> SkillQuery<'a> {
    /// All skills.
    pub const fn new() -> Self {
        Self { text: "", metadata: None, limit: 0, profile: Profile::Helix }
    }

    /// Those that hold this text in the name, the description, `when_to_use` or a value of the metadata, without regard to case
    /// and to white space around it. A text is one piece: `issue triage` is found where both words stand like this. A blank
    /// one is found everywhere.
    pub const fn text(mut self, text: &'a str) -> Self {
        self.text = text;
        self
    }

    /// Those that have all of this metadata, exactly. No pairs: those that have any at all.
    pub const fn metadata(mut self, metadata: &'a [(&'a str, &'a str)]) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// The first so many; 0 is no limit.
    pub const fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Reads the text as another system does. In [`Profile::DeerFlow`] `select:a,b` names skills; `+word rest` asks for the word in
    /// the name, and puts first who has the rest limit often; any other text is looked for in name and description, and comes first
    /// where the name has it. A blank one is found nowhere, and 5 skills are the limit but for `select:`, unless a limit says
    /// otherwise. A text is no pattern there either: it may be a model's, and nobody has to interpret it.
    pub const fn in_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Those of `skills` that answer, in their order; in [`Profile::DeerFlow`] what answers best comes first.
    #[must_use]
    pub fn search<'s>(
        &self,
        skills: impl IntoIterator<Item = &'s Skill<'s>>,
    ) -> Vec<&'s Skill<'s>> {
        self.answers(skills.into_iter(), |skill, rank| rank(**skill))
    }

    /// Those of `skills` that answer. `view` hands the skill of an item on.
    pub(super) fn answers<T>(
        &self,
        skills: impl Iterator<Item = T>,
        view: impl Fn(&T, &dyn Fn(Skill<'_>) -> Option<usize>) -> Option<usize>,
    ) -> Vec<T> {
        let text_match = TextMatch::parse(self.text, self.profile);
        let limit = match self.limit {
            0 => text_match.default_limit(),
            limit => limit,
        };
        let rank = |skill: Skill<'_>| {
            if self.has_metadata(&skill) { text_match.rank(&skill) } else { None }
        };
        let answers = skills.filter_map(|skill| Some((view(&skill, &rank)?, skill)));
        if text_match.is_ranked() {
            let mut answers: Vec<_> = answers.collect();
            answers.sort_by(|(one, _), (other, _)| other.cmp(one)); // stable
            return answers.into_iter().map(|(_, skill)| skill).take(limit).collect();
        }
        answers.map(|(_, skill)| skill).take(limit).collect()
    }

    fn has_metadata(&self, skill: &Skill<'_>) -> bool {
        let Some(wanted) = self.metadata else { return true };
        !skill.metadata().is_empty() && wanted.iter().all(|pair| skill.metadata().contains(pair))
    }
}
