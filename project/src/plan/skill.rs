//! What a sync does with one skill.

use crate::{contents::Contents, facts::SkillFacts, invisible_text};
use helix_skills_format::{Finding, Listing, LockedSkill, RelPath, SkillMd};

/// A skill of the new lockfile.
pub(crate) struct SkillPlan {
    pub(crate) locked: LockedSkill,
    /// The files to write; `None` if the store already has them.
    pub(crate) arrival: Option<Arrival>,
    /// Files of the store whose executable bit differs from the locked one, if nothing arrives.
    pub(crate) modes: Vec<RelPath>,
    pub(crate) skill: Option<SkillMd>,
    /// Invisible text in its files, whether or not the manifest allows it.
    pub(crate) invisible: Vec<Finding>,
    /// For reviewers, if the lockfile does not have these bytes yet.
    pub(crate) facts: Option<SkillFacts>,
}

/// Files to write to the store.
pub(crate) struct Arrival {
    pub(crate) listing: Listing,
    /// Empty for skills of `path` sources, which are not copied.
    pub(crate) contents: Contents,
    /// Whether they were fetched, and are added to the cache.
    pub(crate) cache: bool,
}

impl SkillPlan {
    /// Creates the record of a skill that is locked already.
    pub(crate) fn locked(
        locked: LockedSkill,
        arrival: Option<Arrival>,
        invisible: Vec<Finding>,
    ) -> Self {
        let (modes, skill, facts) = (Vec::new(), None, None);
        Self { locked, arrival, modes, skill, invisible, facts }
    }

    /// Creates the record of a locked skill whose files were not in the store. `is_new` is whether
    /// they are added to the cache.
    pub(crate) fn arriving(locked: LockedSkill, contents: Contents, is_new: bool) -> Self {
        let contents = contents.with_executable(locked.executable.as_ref());
        let (invisible, listing) = (invisible_text::find(&contents), contents.listing());
        let arrival = Arrival { listing, contents, cache: is_new };
        Self::locked(locked, Some(arrival), invisible)
    }
}
