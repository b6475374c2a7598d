//! How the lockfile differs from the manifest or from the files on disk.

use super::{Error, ErrorKind};
use crate::difference::Difference;
use helix_skills_format::{
    __internal::{listed, listed_all},
    DirPath, ObjectId, RelPath, SkillName, SourceKey,
};
use std::{fmt, path::PathBuf};

/// A difference between the lockfile and the manifest or the files on disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Drift {
    #[error("the source `{key}` is in the manifest but not in the lockfile")]
    SourceNotLocked { key: SourceKey },
    /// With the keys of the entry that differ.
    #[error(
        "the source `{key}` was changed in the manifest since it was locked{}",
        After(listed_all(changed))
    )]
    SourceChanged { key: SourceKey, changed: Vec<String> },
    /// A build script does not resolve sources.
    #[error("the source `{key}` is not locked as the manifest has it")]
    SourceUnresolved { key: SourceKey },
    #[error("the source `{key}` is in the lockfile but not in the manifest")]
    SourceNotInManifest { key: SourceKey },
    #[error("the source `{key}` pins the commit {pinned}, but the lockfile has {locked}")]
    Commit { key: SourceKey, pinned: ObjectId, locked: ObjectId },
    #[error("the source `{key}` of the manifest does not select the skill `{skill}` in `{path}`")]
    NotSelected { key: SourceKey, skill: SkillName, path: DirPath },
    #[error("duplicate directory `{path}` of the source `{key}` in the lockfile")]
    DuplicateDirectory { key: SourceKey, path: DirPath },
    #[error("the lockfile lists the directory `{path}` of the source `{key}`, but no skill in it")]
    DirectoryWithoutSkill { key: SourceKey, path: DirPath },
    #[error(
        "the lockfile has a skill in the directory `{path}`, which it does not list for the source `{key}`"
    )]
    UnlistedDirectory { key: SourceKey, path: DirPath },
    #[error("the source `{key}` includes `{directory}`, but the lockfile has no skill from it")]
    IncludedNotLocked { key: SourceKey, directory: String },
    #[error("the lockfile has the skill `{skill}` in `{locked}`, but it is in `{found}`")]
    SkillMoved { skill: SkillName, locked: DirPath, found: DirPath },
    /// With the numbers of files and of bytes.
    #[error(
        "the size of the skill `{skill}` differs from the lockfile (files: {}, bytes: {}; on disk: {}, {})",
        locked.0, locked.1, found.0, found.1
    )]
    SkillSize { skill: SkillName, locked: (u64, u64), found: (u64, u64) },
    #[error(
        "the lockfile lists the executable file `{path}` of the skill `{skill}`, which has no such file"
    )]
    NoExecutable { skill: SkillName, path: RelPath },
    /// With the files that differ, if they are known.
    #[error(
        "the skill `{skill}` in `{}` was changed since it was locked{}",
        directory.display(), After(listed(files, 1))
    )]
    SkillChanged { skill: SkillName, directory: PathBuf, files: Vec<String> },
    /// A skill of a `path` source is locked with files that editors or systems leave behind.
    #[error(
        "the lockfile has {} of the skill `{skill}`, which editors or systems leave behind and `path` sources leave out",
        listed(files, 3)
    )]
    LeftoversLocked { skill: SkillName, files: Vec<String> },
    #[error("the skill `{skill}` in `{}` is not in the lockfile", directory.display())]
    SkillNotLocked { skill: SkillName, directory: PathBuf },
    /// With the directory of the source.
    #[error("the skill `{skill}` of the lockfile is no longer in `{}`", directory.display())]
    SkillGone { skill: SkillName, directory: PathBuf },
    #[error("the file `{}` of the skill `{skill}` was changed since it was locked", path.display())]
    FileChanged { skill: SkillName, path: PathBuf },
    #[error("the file `{}` of the skill `{skill}` was removed since it was locked", path.display())]
    FileGone { skill: SkillName, path: PathBuf },
    /// The store's `.gitattributes` differs from what a sync writes.
    #[error("`{}`: {difference}", path.display())]
    Attributes { path: PathBuf, difference: Difference },
}

/// A list after a colon; nothing if the list is empty.
struct After(String);

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, ": {}", self.0) }
    }
}

impl From<Drift> for Error {
    fn from(drift: Drift) -> Self {
        let hint = match &drift {
            Drift::LeftoversLocked { .. } => {
                "run `skills sync` and commit what it writes; or take them with `files.include` of the source"
            }
            _ => "run `skills sync` and commit what it writes",
        };
        Self::new(ErrorKind::Drift, "drift", drift.to_string()).with_hint(hint)
    }
}
