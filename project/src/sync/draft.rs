//! The new lockfile and store of a sync, as far as they are known.

use super::apply::Pending;
use crate::{
    Error, contents::Contents, facts::SkillFacts, manifest::LockedSource, notes::Notes,
    upstream::Upstream,
};
use helix_skills_format::{Finding, Listing, LockedSkill, RelPath, SkillMd, SkillName, SourceKey};
use std::collections::BTreeMap;

/// A skill of the new lockfile.
pub(super) struct Wanted {
    pub(super) locked: LockedSkill,
    /// The files to write; `None` if the store already has them.
    pub(super) arrival: Option<Arrival>,
    /// Files of the store whose executable bit differs from the locked one, if nothing arrives.
    pub(super) modes: Vec<RelPath>,
    pub(super) skill: Option<SkillMd>,
    /// Invisible text in its files, whether or not the manifest allows it.
    pub(super) invisible: Vec<Finding>,
    /// For reviewers, if the lockfile does not have these bytes yet.
    pub(super) facts: Option<SkillFacts>,
}

/// Files to write to the store.
pub(super) struct Arrival {
    pub(super) listing: Listing,
    /// `None` for skills of `path` sources, which are not copied.
    pub(super) contents: Option<Contents>,
    /// Whether they were fetched, and are added to the cache.
    pub(super) cache: bool,
}

impl Wanted {
    /// Creates the record of a skill that is locked already.
    pub(super) fn locked(
        locked: LockedSkill,
        arrival: Option<Arrival>,
        invisible: Vec<Finding>,
    ) -> Self {
        let (modes, skill, facts) = (Vec::new(), None, None);
        Self { locked, arrival, modes, skill, invisible, facts }
    }
}

/// What a sync is going to write, as far as it was read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) sources: BTreeMap<SourceKey, LockedSource>,
    pub(super) skills: Vec<(SkillName, Wanted)>,
    pub(super) upstream: BTreeMap<SourceKey, Upstream>,
    pub(super) notes: Notes,
    pub(super) errors: Vec<Error>,
    /// Locked skills that are fetched later, by another process.
    pub(super) deferred: Vec<SkillName>,
    /// Listings of interrupted syncs.
    pub(super) pending: Pending,
}
