//! Why a file or a skill's directory cannot be used.

use super::PathProblem;
use crate::marketplace::{ListedBy, PluginName};
use helix_skills_runtime::{NameError, PathError, ResourceError};
use std::{fmt, io};

/// Why a file or a directory of a skill cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileProblem {
    /// It is not what it should be, or a link that cannot be followed.
    Path(PathProblem),
    /// A link of a locked skill, of whose target the lockfile says nothing.
    UnlockedLink(PathProblem),
    /// The link cannot be followed, or the file cannot be examined.
    Metadata {
        /// Why not.
        source: io::Error,
    },
    /// Its path in the skill breaks a rule.
    BadPath(PathError),
    /// Its name is not UTF-8.
    NameNotUtf8,
    /// It is a submodule.
    Submodule,
    /// It is a pipe, a device or the like.
    Special,
    /// It stands for a file in git LFS.
    LfsPointer {
        /// The size of that file.
        bytes: u64,
    },
    /// Some file systems take its name for that of another file.
    Collision {
        /// The other file.
        other: String,
    },
    /// It would make its directory a bare git repository.
    BareRepository,
    /// No SKILL.md is left in the directory.
    NoSkillMd,
    /// A text of a marketplace or plugin cannot be read.
    OfPlugin(PathProblem),
    /// A plugin lists a directory of skills that is none.
    ListedWithoutSkill {
        /// Which text lists it.
        by: ListedBy,
        /// The plugin.
        plugin: PluginName,
        /// Why it is none.
        problem: PathProblem,
    },
    /// The skill's name with the `prefix` of its source breaks a rule.
    PrefixedName {
        /// The whole name.
        name: String,
        /// The rule.
        source: NameError,
    },
    /// The lockfile has a name that no skill can have.
    LockedName {
        /// The name.
        name: String,
        /// Why not.
        source: NameError,
    },
    /// The listing of a locked skill has a file that no skill can have.
    LockedFile {
        /// The file's path in the skill.
        path: String,
        /// Why not.
        source: ResourceError,
    },
    /// The listing of a locked skill has no SKILL.md.
    ListingWithoutSkillMd,
    /// A link or a file stands where the store should be.
    StoreNotADirectory,
    /// A file that stands where the new text would be written.
    Leftover {
        /// Its name.
        name: String,
    },
}

impl FileProblem {
    /// What is behind it, for the causes of the error.
    pub(super) fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Metadata { source } => Some(source),
            Self::PrefixedName { source, .. } | Self::LockedName { source, .. } => Some(source),
            Self::LockedFile { source, .. } => Some(source),
            _ => None,
        }
    }

    /// `exclude` is the manifest's line that leaves the file or the skill out, if it has a
    /// reasonable length.
    pub(super) fn hint(&self, exclude: Option<&str>) -> String {
        let fixed = match self {
            Self::OfPlugin(_) => {
                "upstream has to fix it; a version of the plugin from before can be pinned"
            }
            Self::ListedWithoutSkill { .. } => {
                "report it to the plugin's author, or pin a version in which it was there"
            }
            Self::PrefixedName { .. } => "choose another `prefix`",
            Self::LockedName { .. } | Self::LockedFile { .. } => {
                "the lockfile was edited: restore it from version control, or delete it and run `skills sync`"
            }
            Self::ListingWithoutSkillMd => "run `skills sync`",
            Self::StoreNotADirectory => "remove it, or name another directory with `--out`",
            Self::Leftover { .. } => {
                "that name is needed for the new text: move it, or remove it if a run was ended"
            }
            _ => match exclude {
                Some(exclude) => return format!("leave it out with `{exclude}`"),
                None => {
                    "leave the whole skill out with `exclude`, or the file's directory with `files.exclude`"
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
                write!(f, "{problem}; the lockfile does not say what stands there")
            }
            Self::Metadata { .. } => {
                f.write_str("the link leads nowhere, or the file cannot be read")
            }
            Self::BadPath(PathError::Git) => {
                f.write_str("its name looks like one of git's own to some file system")
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
                    "`{other}` has the same name to some file systems (upper and lower case, or Unicode form)"
                )
            }
            Self::BareRepository => f.write_str(
                "it makes its directory a bare git repository, whose `config` git would obey there",
            ),
            Self::NoSkillMd => f.write_str("the directory has no SKILL.md that can be baked"),
            Self::ListedWithoutSkill { by, plugin, problem } => {
                write!(f, "{by} of the plugin `{plugin}` lists it as skills, but {problem}")
            }
            Self::PrefixedName { name, .. } => write!(f, "the name `{name}` is refused"),
            Self::LockedName { name, .. } => write!(f, "it cannot be called `{name}`"),
            Self::LockedFile { path, .. } => write!(f, "it cannot have the file `{path}`"),
            Self::ListingWithoutSkillMd => f.write_str("the listing names no `SKILL.md`"),
            Self::StoreNotADirectory => {
                f.write_str("it is a link or a file, the store must be a directory")
            }
            Self::Leftover { name } => {
                write!(f, "it cannot be fixed while `{}` is next to it", name.escape_debug())
            }
        }
    }
}
