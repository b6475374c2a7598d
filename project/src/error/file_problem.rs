//! Unusable files and directories of skills.

use super::PathProblem;
use crate::marketplace::{ListedBy, PluginName};
use helix_skills_runtime::{NameError, PathError, ResourceError};
use std::{fmt, io};

/// Why a file or a directory of a skill cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileProblem {
    /// It is of the wrong type, or a link that cannot be followed.
    Path(PathProblem),
    /// It is a link of a locked skill whose target is not in the lockfile.
    UnlockedLink(PathProblem),
    /// The link cannot be followed, or the file's metadata cannot be read.
    Metadata {
        /// The cause.
        source: io::Error,
    },
    /// Its path in the skill breaks a rule.
    BadPath(PathError),
    /// Its name is not UTF-8.
    NameNotUtf8,
    /// It is a submodule.
    Submodule,
    /// It is a special file, such as a pipe or a device.
    Special,
    /// It is a pointer to a file in git LFS.
    LfsPointer {
        /// The size of that file.
        bytes: u64,
    },
    /// Its name is that of another file on some file systems.
    Collision {
        /// The other file.
        other: String,
    },
    /// It would make its directory a bare git repository.
    BareRepository,
    /// The directory has no usable SKILL.md.
    NoSkillMd,
    /// A file of a marketplace or plugin cannot be read.
    OfPlugin(PathProblem),
    /// A plugin lists a directory that has no skills.
    ListedWithoutSkill {
        /// The file that lists it.
        by: ListedBy,
        /// The plugin.
        plugin: PluginName,
        /// Why it has no skills.
        problem: PathProblem,
    },
    /// The skill's name with the `prefix` of its source breaks a rule.
    PrefixedName {
        /// The whole name.
        name: String,
        /// The rule.
        source: NameError,
    },
    /// The lockfile has an invalid skill name.
    LockedName {
        /// The name.
        name: String,
        /// The cause.
        source: NameError,
    },
    /// The listing of a locked skill has an invalid file.
    LockedFile {
        /// The file's path in the skill.
        path: String,
        /// The cause.
        source: ResourceError,
    },
    /// The listing of a locked skill has no SKILL.md.
    ListingWithoutSkillMd,
    /// The store is a link or a file.
    StoreNotADirectory,
    /// A file has the name that is needed to write the new text.
    Leftover {
        /// Its name.
        name: String,
    },
}

impl FileProblem {
    /// Returns the cause that follows this one in the error's chain.
    pub(super) fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Metadata { source } => Some(source),
            Self::PrefixedName { source, .. } | Self::LockedName { source, .. } => Some(source),
            Self::LockedFile { source, .. } => Some(source),
            _ => None,
        }
    }

    /// Returns the hint. `exclude` is the line for the manifest that excludes the file or the
    /// skill, if it has a reasonable length.
    pub(super) fn hint(&self, exclude: Option<&str>) -> String {
        let fixed = match self {
            Self::OfPlugin(_) => "report it to the plugin's author, or pin an earlier version",
            Self::ListedWithoutSkill { .. } => {
                "report it to the plugin's author, or pin an earlier version"
            }
            Self::PrefixedName { .. } => "choose another `prefix`",
            Self::LockedName { .. } | Self::LockedFile { .. } => {
                "the lockfile was edited: restore it from version control, or delete it and run `skills sync`"
            }
            Self::ListingWithoutSkillMd => "run `skills sync`",
            Self::StoreNotADirectory => "remove it, or choose another directory with `--out`",
            Self::Leftover { .. } => {
                "move or remove that file, which an interrupted run may have left"
            }
            _ => match exclude {
                Some(exclude) => return format!("exclude it with `{exclude}`"),
                None => {
                    "exclude the whole skill with `exclude`, or the file's directory with `files.exclude`"
                }
            },
        };
        fixed.to_owned()
    }
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(problem) | Self::OfPlugin(problem) => problem.fmt(f),
            Self::UnlockedLink(problem) => {
                write!(f, "{problem}; its target is not in the lockfile")
            }
            Self::Metadata { .. } => f.write_str("broken link or unreadable file"),
            Self::BadPath(PathError::Git) => {
                f.write_str("its name is reserved for git on some file systems")
            }
            Self::BadPath(error) => error.fmt(f),
            Self::NameNotUtf8 => f.write_str("its name is not UTF-8"),
            Self::Submodule => f.write_str("it is a submodule, which is not fetched"),
            Self::Special => f.write_str("it is neither a file nor a directory"),
            Self::LfsPointer { bytes } => {
                write!(
                    f,
                    "it is a pointer to a file of {bytes} bytes in git LFS, which is not fetched"
                )
            }
            Self::Collision { other } => {
                write!(
                    f,
                    "its name is that of `{other}` on some file systems, or looks the same (letter case, Unicode form or invisible characters)"
                )
            }
            Self::BareRepository => f.write_str(
                "it makes its directory a bare git repository, and git would use its `config`",
            ),
            Self::NoSkillMd => f.write_str("the directory has no usable SKILL.md"),
            Self::ListedWithoutSkill { by, plugin, problem } => {
                write!(f, "{by} of the plugin `{plugin}` lists it as skills, but {problem}")
            }
            Self::PrefixedName { name, .. } => write!(f, "invalid name `{name}`"),
            Self::LockedName { name, .. } => write!(f, "invalid name `{name}`"),
            Self::LockedFile { path, .. } => write!(f, "invalid file `{path}`"),
            Self::ListingWithoutSkillMd => f.write_str("the listing has no `SKILL.md`"),
            Self::StoreNotADirectory => f.write_str("it is a link or a file, expected a directory"),
            Self::Leftover { name } => {
                write!(f, "cannot fix it while `{}` is next to it", name.escape_debug())
            }
        }
    }
}
