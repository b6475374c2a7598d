//! Differences between two lockfiles, or between the lockfile and the store, as a document.
//!
//! [`Project::diff`](crate::Project::diff) and [`Project::diff_since`](crate::Project::diff_since)
//! return a [`Comparison`]: sources and skills that differ, the files of each skill, and the
//! changed lines of each file. Old bytes come from the store next to the old lockfile, the
//! project's store, `path` sources and the cache, and are used only if they have the locked digest.
//! Only the lines that will be shown are kept in memory.

mod files;
mod lines;
mod locks;
mod side;
mod skills;
mod stored;

pub(crate) use locks::with_lock;
pub(crate) use stored::with_store;

use crate::Error;
use helix_skills_format::{LockedSkill, SkillName};
use serde_json::Value;
use std::collections::BTreeSet;

/// A skill of a lockfile, or of a source; `None` if a side does not have it.
type NamedSkill<'a> = Option<(&'a SkillName, &'a LockedSkill)>;

/// All differences between two sides. Sources and skills are as in the document of `skills diff
/// --json`.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// Sources that differ, by key.
    pub sources: Vec<Value>,
    /// Skills that differ, by their newest name. `change` is `added`, `removed`, `changed`,
    /// `renamed` or, if a skill comes from another source or directory, `moved`; the files of a
    /// renamed or moved skill may differ as well. `files` is null if the files of a side are
    /// unknown on this machine.
    pub skills: Vec<Value>,
    /// Skills of the lockfile without any file in the store. They do not count as differences,
    /// because the store need not be committed.
    pub absent: Vec<SkillName>,
    /// Warnings, one line each: why the cache was ignored, how to get text that is not on this
    /// machine.
    pub warnings: BTreeSet<String>,
    /// Sources that cannot be read.
    pub errors: Vec<Error>,
}

impl Comparison {
    /// Returns whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.skills.is_empty()
    }
}
