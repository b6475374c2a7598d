//! The differences between two lockfiles, or between the lockfile and the store. Works offline and
//! writes nothing.
//!
//! Bytes are shown only after their digest was verified, wherever they came from. Files are read and
//! compared one at a time; only the rows that will be shown are kept.

mod blob_lookup;
mod files;
mod lines;
mod locks;
mod side;
mod stored;

pub use blob_lookup::CacheLookup;
pub use files::{FileChange, FileKind, Missing, Shown};
pub use lines::{DiffBudget, Hunk, Hunks, Lines};
pub use locks::{OldLock, with_lock};
pub use side::Half;
pub use stored::with_store;

use crate::manifest::LockedSource;
use crate::{Error, difference::Difference, sync::has_same_files};
use helix_skills_format::{LockedSkill, RelPath, SkillName, SourceKey};
use std::collections::BTreeSet;

/// Everything that differs.
#[derive(Default)]
pub struct Comparison {
    pub sources: Vec<SourceChange>,
    pub skills: Vec<SkillChange>,
    /// Skills of the lock of which the store has nothing: not an error where the store is not committed.
    pub absent: Vec<SkillName>,
    /// What could not be looked at.
    pub errors: Vec<Error>,
}

/// A source that is not what it was.
pub struct SourceChange {
    pub key: SourceKey,
    pub before: Option<LockedSource>,
    pub after: Option<LockedSource>,
    /// The keys of its entry in the manifest that were changed.
    pub fields: Vec<String>,
}

/// How a skill differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkillKind {
    Added,
    Removed,
    Changed,
    /// It has another name, and perhaps other files.
    Renamed,
    /// It comes from another source or directory, and perhaps has other files.
    Moved,
}

/// A skill that is not what it was.
pub struct SkillChange {
    pub kind: SkillKind,
    pub before: Option<Version>,
    pub after: Option<Version>,
    /// What is wrong with its listing in the store.
    pub listing: Option<Difference>,
    /// Or the sides of which nobody here knows the files.
    pub files: Result<Vec<FileChange>, Missing>,
}

/// A skill on one side.
#[derive(Clone)]
pub struct Version {
    pub name: SkillName,
    pub locked: LockedSkill,
    /// Its directory, as a person in the project's directory would write it, `/` between the parts.
    pub place: String,
}

impl SkillChange {
    /// Its newest name.
    pub fn name(&self) -> Option<&SkillName> {
        self.after.as_ref().or(self.before.as_ref()).map(|version| &version.name)
    }

    /// The files that were not executable and are, then those that no longer are, by their paths. A
    /// lockfile may not know; of a skill that is new, all executable files count.
    pub fn executable(&self) -> [Vec<&RelPath>; 2] {
        static NONE: BTreeSet<RelPath> = BTreeSet::new();
        fn side(version: Option<&Version>) -> Option<&BTreeSet<RelPath>> {
            version.map_or(Some(&NONE), |version| version.locked.executable.as_ref())
        }
        match (&self.after, side(self.before.as_ref()), side(self.after.as_ref())) {
            (Some(_), Some(before), Some(after)) => {
                [after.difference(before).collect(), before.difference(after).collect()]
            }
            _ => [Vec::new(), Vec::new()],
        }
    }

    /// How a skill differs between two sides; none if it does not. `compare` is called only if its
    /// bytes differ.
    ///
    /// # Errors
    /// Those of `compare`.
    fn between(
        before: Option<Version>,
        after: Option<Version>,
        compare: impl FnOnce() -> Result<Result<Vec<FileChange>, Missing>, Error>,
    ) -> Result<Option<Self>, Error> {
        let integrity = |side: &Option<Version>| side.as_ref().map(|version| version.locked.integrity);
        let is_same = integrity(&before) == integrity(&after);
        let is_elsewhere = |a: &LockedSkill, b: &LockedSkill| (&a.source, &a.path) != (&b.source, &b.path);
        let kind = match (&before, &after) {
            (None, _) => SkillKind::Added,
            (_, None) => SkillKind::Removed,
            (Some(before), Some(after)) if before.name != after.name => SkillKind::Renamed,
            (Some(before), Some(after)) if is_elsewhere(&before.locked, &after.locked) => SkillKind::Moved,
            (Some(before), Some(after)) if has_same_files(&before.locked, &after.locked) => return Ok(None),
            _ => SkillKind::Changed,
        };
        let files = if is_same { Ok(Vec::new()) } else { compare()? };
        Ok(Some(Self { kind, before, after, listing: None, files }))
    }
}

impl Comparison {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.skills.is_empty()
    }
}
