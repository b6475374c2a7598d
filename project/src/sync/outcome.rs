//! What a sync did.

use crate::difference::Difference;
use crate::manifest::Lock;
use helix_skills_format::{DirPath, GitUrl, LockedSkill, ObjectId, SkillName, SourceKey};
use helix_skills_lint::Audited;
use std::{collections::BTreeMap, path::PathBuf};

/// What happened to a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The lock did not have it.
    Added,
    /// It has other files than before, or other executable bits.
    Updated,
    /// The store had it not, or not as it was locked.
    Restored,
    /// Nothing.
    Unchanged,
    /// Nobody asks for it any more, or its source no longer has it.
    Removed,
}

impl Change {
    /// The change as one word, such as `added`, for texts and data.
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

/// Whether the files of a skill are the same, and not known to differ in an executable bit.
pub(crate) fn has_same_files(before: &LockedSkill, after: &LockedSkill) -> bool {
    let differs = match (&before.executable, &after.executable) {
        (Some(before), Some(after)) => before != after,
        _ => false,
    };
    before.integrity == after.integrity && !differs
}

/// A source that means another commit than before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// The source.
    pub key: SourceKey,
    /// The repository of the plugin, where that is meant and not the one that the source names.
    pub plugin_url: Option<GitUrl>,
    /// The full name of the tag or branch, if its pin means one.
    pub reference: Option<String>,
    /// The commit that was locked, if one was.
    pub before: Option<ObjectId>,
    /// The commit that is locked now.
    pub after: ObjectId,
}

/// How the skills of a source went on upstream since they were locked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upstream {
    /// Locked skills whose directory has another name or place now.
    pub renamed: Vec<Renamed>,
    /// Locked skills whose directory is there no more.
    pub gone: Vec<SkillName>,
}

/// A locked skill whose directory has another name or place upstream: no directory of the old name is there, and one that
/// is new has the same tree or at least half of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renamed {
    /// The skill, by the name it was locked with.
    pub skill: SkillName,
    /// Its directory when it was locked.
    pub from: DirPath,
    /// Its directory now.
    pub to: DirPath,
}

impl Upstream {
    /// The name that the directory `name` has now, if it was renamed.
    pub fn new_name(&self, name: &str) -> Option<&DirPath> {
        self.renamed.iter().find(|renamed| renamed.from.file_name() == Some(name)).map(|renamed| &renamed.to)
    }
}

/// What a sync did, or would do.
#[derive(Debug)]
#[non_exhaustive]
pub struct Synced {
    /// The sources that mean another commit than before.
    pub moved: Vec<Moved>,
    /// Files of the store that were not what was locked and are put back, or away.
    pub replaced: Vec<(PathBuf, Difference)>,
    /// The lock.
    pub lock: Lock,
    /// Whether it is another one than before.
    pub lock_changed: bool,
    /// Whether there was none before.
    pub lock_is_new: bool,
    /// What happened to each skill.
    pub changes: BTreeMap<SkillName, Change>,
    /// What was noticed in each skill whose bytes are others than were locked, and refused nothing: the manifest's `allow`
    /// leaves out what somebody has looked at.
    pub audited: BTreeMap<SkillName, Audited>,
    /// How skills went on upstream, of sources whose pins were resolved anew on request.
    pub upstream: BTreeMap<SourceKey, Upstream>,
    /// What is odd, as lines for people.
    pub warnings: Vec<String>,
    /// What was left out, as lines for people who want to know.
    pub details: Vec<String>,
    /// Locked skills that are not in the store yet, because somebody else will put them there.
    pub put_off: Vec<SkillName>,
    /// Files of the project that were written, for build scripts.
    pub wrote: Vec<PathBuf>,
}
