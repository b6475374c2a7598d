//! How the lockfile differs from the manifest or from the files on disk.

use crate::difference::Difference;
use helix_skills_format::__internal::{listed, listed_all};
use helix_skills_format::{DirPath, ObjectId, RelPath, SkillName, SourceKey};
use std::{fmt, path::PathBuf};

/// A difference between the lockfile and the manifest or the files on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drift {
    /// A source of the manifest is not in the lockfile.
    SourceNotLocked {
        /// The source.
        key: SourceKey,
    },
    /// The entry of a source was changed since it was locked.
    SourceChanged {
        /// The source.
        key: SourceKey,
        /// The keys of its entry that differ.
        changed: Vec<String>,
    },
    /// A source is not locked as in the manifest, and this command does not resolve sources.
    SourceUnresolved {
        /// The source.
        key: SourceKey,
    },
    /// A source of the lockfile is not in the manifest.
    SourceNotInManifest {
        /// The source.
        key: SourceKey,
    },
    /// The manifest's `sha` differs from the commit in the lockfile.
    Commit {
        /// The source.
        key: SourceKey,
        /// The commit in the manifest.
        pinned: ObjectId,
        /// The commit in the lockfile.
        locked: ObjectId,
    },
    /// The entry of a source does not select a locked skill.
    NotSelected {
        /// The source.
        key: SourceKey,
        /// The locked skill.
        skill: SkillName,
        /// Its directory in the source.
        path: DirPath,
    },
    /// Two locked skills have the same directory.
    DuplicateDirectory {
        /// The source.
        key: SourceKey,
        /// The directory.
        path: DirPath,
    },
    /// The lockfile lists a directory of a source, but no skill in it.
    DirectoryWithoutSkill {
        /// The source.
        key: SourceKey,
        /// The directory.
        path: DirPath,
    },
    /// The lockfile has a skill in a directory that it does not list.
    UnlistedDirectory {
        /// The source.
        key: SourceKey,
        /// The directory.
        path: DirPath,
    },
    /// `include` names a directory without a locked skill.
    IncludedNotLocked {
        /// The source.
        key: SourceKey,
        /// The directory's name.
        directory: String,
    },
    /// A skill of a `path` source is in another directory than the lockfile says.
    SkillMoved {
        /// The skill.
        skill: SkillName,
        /// The directory in the lockfile.
        locked: DirPath,
        /// The directory on disk.
        found: DirPath,
    },
    /// A skill has other numbers of files and bytes than the lockfile says.
    SkillSize {
        /// The skill.
        skill: SkillName,
        /// Files and bytes in the lockfile.
        locked: (u64, u64),
        /// Files and bytes on disk.
        found: (u64, u64),
    },
    /// The lockfile lists an executable file that a skill does not have.
    NoExecutable {
        /// The skill.
        skill: SkillName,
        /// The file.
        path: RelPath,
    },
    /// A skill of a `path` source was changed.
    SkillChanged {
        /// The skill.
        skill: SkillName,
        /// Its directory, from the project's root.
        directory: PathBuf,
        /// The files that differ; empty if they are not known.
        files: Vec<String>,
    },
    /// A skill of a `path` source is locked with files that editors or systems leave behind.
    LeftoversLocked {
        /// The skill.
        skill: SkillName,
        /// The files, by their paths in the skill.
        files: Vec<String>,
    },
    /// A skill of a `path` source is not in the lockfile.
    SkillNotLocked {
        /// The skill.
        skill: SkillName,
        /// Its directory, from the project's root.
        directory: PathBuf,
    },
    /// A locked skill of a `path` source no longer exists.
    SkillGone {
        /// The skill.
        skill: SkillName,
        /// The directory of the source, from the project's root.
        directory: PathBuf,
    },
    /// An original of a `path` source was changed.
    FileChanged {
        /// The skill.
        skill: SkillName,
        /// The file, from the project's root.
        path: PathBuf,
    },
    /// An original of a `path` source was removed.
    FileGone {
        /// The skill.
        skill: SkillName,
        /// The file, from the project's root.
        path: PathBuf,
    },
    /// The store's `.gitattributes` differs from what a sync writes.
    Attributes {
        /// The file, from the project's root.
        path: PathBuf,
        /// How it differs.
        difference: Difference,
    },
    /// A sync would change a skill in the lockfile, but `--locked` forbids it.
    WouldChange {
        /// The skill.
        skill: SkillName,
    },
    /// A sync would remove skills from the lockfile, but `--locked` forbids it.
    WouldLoseSkills,
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SourceNotLocked { key } => {
                write!(f, "the source `{key}` is in the manifest but not in the lockfile")
            }
            Self::SourceChanged { key, changed } => {
                write!(f, "the source `{key}` was changed in the manifest since it was locked")?;
                if changed.is_empty() { Ok(()) } else { write!(f, ": {}", listed_all(changed)) }
            }
            Self::SourceUnresolved { key } => {
                write!(f, "the source `{key}` is not locked as the manifest has it")
            }
            Self::SourceNotInManifest { key } => {
                write!(f, "the source `{key}` is in the lockfile but not in the manifest")
            }
            Self::Commit { key, pinned, locked } => {
                write!(
                    f,
                    "the source `{key}` pins the commit {pinned}, but the lockfile has {locked}"
                )
            }
            Self::NotSelected { key, skill, path } => {
                write!(
                    f,
                    "the source `{key}` of the manifest does not select the skill `{skill}` in `{path}`"
                )
            }
            Self::DuplicateDirectory { key, path } => {
                write!(f, "duplicate directory `{path}` of the source `{key}` in the lockfile")
            }
            Self::DirectoryWithoutSkill { key, path } => {
                write!(
                    f,
                    "the lockfile lists the directory `{path}` of the source `{key}`, but no skill in it"
                )
            }
            Self::UnlistedDirectory { key, path } => write!(
                f,
                "the lockfile has a skill in the directory `{path}`, which it does not list for the source `{key}`"
            ),
            Self::IncludedNotLocked { key, directory } => {
                write!(
                    f,
                    "the source `{key}` includes `{directory}`, but the lockfile has no skill from it"
                )
            }
            Self::SkillMoved { skill, locked, found } => {
                write!(
                    f,
                    "the lockfile has the skill `{skill}` in `{locked}`, but it is in `{found}`"
                )
            }
            Self::SkillSize { skill, locked, found } => write!(
                f,
                "the size of the skill `{skill}` differs from the lockfile (files: {}, bytes: {}; on disk: {}, {})",
                locked.0, locked.1, found.0, found.1
            ),
            Self::NoExecutable { skill, path } => write!(
                f,
                "the lockfile lists the executable file `{path}` of the skill `{skill}`, which has no such file"
            ),
            Self::SkillChanged { skill, directory, files } => {
                write!(
                    f,
                    "the skill `{skill}` in `{}` was changed since it was locked",
                    directory.display()
                )?;
                if files.is_empty() { Ok(()) } else { write!(f, ": {}", listed(files, 1)) }
            }
            Self::LeftoversLocked { skill, files } => {
                write!(
                    f,
                    "the lockfile has {} of the skill `{skill}`, which editors or systems leave behind and `path` sources leave out",
                    listed(files, 3)
                )
            }
            Self::SkillNotLocked { skill, directory } => {
                write!(f, "the skill `{skill}` in `{}` is not in the lockfile", directory.display())
            }
            Self::SkillGone { skill, directory } => {
                write!(
                    f,
                    "the skill `{skill}` of the lockfile is no longer in `{}`",
                    directory.display()
                )
            }
            Self::FileChanged { skill, path } => {
                write!(
                    f,
                    "the file `{}` of the skill `{skill}` was changed since it was locked",
                    path.display()
                )
            }
            Self::FileGone { skill, path } => {
                write!(
                    f,
                    "the file `{}` of the skill `{skill}` was removed since it was locked",
                    path.display()
                )
            }
            Self::Attributes { path, difference } => {
                write!(f, "`{}`: {difference}", path.display())
            }
            Self::WouldChange { skill } => {
                write!(
                    f,
                    "the lockfile would change for the skill `{skill}`, which `--locked` forbids"
                )
            }
            Self::WouldLoseSkills => {
                f.write_str("the lockfile would lose skills, which `--locked` forbids")
            }
        }
    }
}
