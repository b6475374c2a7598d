//! The result of a sync.

use crate::difference::Difference;
use crate::facts::SkillFacts;
use crate::manifest::Lock;
use crate::upstream::Upstream;
use helix_skills_format::{GitUrl, Integrity, LockedSkill, ObjectId, SkillName, SourceKey};
use std::{collections::BTreeMap, path::PathBuf};

/// What a sync did to a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyncChange {
    /// It was added to the lockfile, and the store had no other files of this name.
    Added,
    /// Its files or their executable bits changed, in the lockfile or in the store.
    Updated,
    /// It was not in the store, or not as it was locked.
    Restored,
    /// Nothing changed.
    Unchanged,
    /// The manifest no longer selects it, or its source no longer has it.
    Removed,
}

impl SyncChange {
    /// Returns the change as one word, such as `added`.
    #[doc(hidden)]
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Restored => "restored",
            Self::Removed => "removed",
            Self::Unchanged => "unchanged",
        }
    }
}

/// Returns whether the files of a skill are the same, and their executable bits if both entries of
/// the lockfile list them.
pub(crate) fn has_same_files(before: &LockedSkill, after: &LockedSkill) -> bool {
    let differs = match (&before.executable, &after.executable) {
        (Some(before), Some(after)) => before != after,
        _ => false,
    };
    before.integrity == after.integrity && !differs
}

/// A source whose commit changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// The source.
    pub key: SourceKey,
    /// The repository of the plugin, if its commit changed and not that of the marketplace.
    pub plugin_url: Option<GitUrl>,
    /// The full name of the tag or branch, if the pin has one.
    pub reference: Option<String>,
    /// The commit that was locked before.
    pub before: Option<ObjectId>,
    /// The commit that is locked now.
    pub after: ObjectId,
}

/// What a sync did, or would have done in a dry run.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Synced {
    /// The sources whose commits changed.
    #[doc(hidden)]
    pub moved: Vec<Moved>,
    /// Files of the store that differed from the lockfile and were restored or removed.
    #[doc(hidden)]
    pub replaced: Vec<(PathBuf, Difference)>,
    /// The new lockfile.
    pub lock: Lock,
    /// Whether the lockfile changed.
    pub lock_changed: bool,
    /// Whether there was no lockfile before.
    #[doc(hidden)]
    pub lock_is_new: bool,
    /// The change of each skill.
    pub changes: BTreeMap<SkillName, SyncChange>,
    /// The former integrity of each updated skill, if it is known: that of the lockfile, or else of
    /// the store.
    #[doc(hidden)]
    pub was: BTreeMap<SkillName, Integrity>,
    /// The license of each skill that was read from its source, as [`Project::license`] returns it.
    ///
    /// [`Project::license`]: crate::Project::license
    #[doc(hidden)]
    pub licenses: BTreeMap<SkillName, Option<String>>,
    /// Facts about each skill whose files changed.
    #[doc(hidden)]
    pub facts: BTreeMap<SkillName, SkillFacts>,
    /// Skills that were renamed or removed upstream, of sources that an update resolved again.
    #[doc(hidden)]
    pub upstream: BTreeMap<SourceKey, Upstream>,
    /// Warnings, one line each.
    pub warnings: Vec<String>,
    /// Details such as excluded files, one line each, for verbose output.
    #[doc(hidden)]
    pub details: Vec<String>,
    /// Locked skills that are still missing from the store, because a build script does not fetch.
    pub(crate) deferred: Vec<SkillName>,
    /// Files of the project that were written, for build scripts.
    pub wrote: Vec<PathBuf>,
}
