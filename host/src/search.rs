//! Search in the names and descriptions of skills.

use helix_skills_runtime::{__internal::sorted_set, IndexOptions, SearchIndex, Skill, SkillSet};
use std::sync::OnceLock;

/// Skills and their index, which is built when it is first used.
#[derive(Clone, Debug, Default)]
pub(crate) struct LazyIndex(OnceLock<(Vec<Skill>, SearchIndex)>);

impl LazyIndex {
    /// Returns a set of `skills` with an index. They must be sorted by name, each name once, and
    /// the same in every call.
    pub(crate) fn set<'s>(&self, skills: impl Iterator<Item = &'s Skill>) -> SkillSet<'_> {
        let (skills, index) = self.0.get_or_init(|| {
            let skills: Vec<Skill> = skills.cloned().collect();
            let index = sorted_set(&skills).index(&IndexOptions::new());
            (skills, index)
        });
        sorted_set(skills).with_index(index)
    }
}
