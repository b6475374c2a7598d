//! Unusable files and directories of skills.

use super::{Error, ErrorKind, PathProblem};
#[cfg(feature = "git")]
use crate::marketplace::PluginName;
use helix_skills_runtime::__internal::{NameError, PathError};
use std::io;

/// Why a file or a directory of a skill cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileProblem {
    /// It is of the wrong type, or a link that cannot be followed.
    #[error("{0}")]
    Path(PathProblem),
    /// It is a link of a locked skill.
    #[cfg(feature = "git")]
    #[error("{0}; its target is not in the lockfile")]
    UnlockedLink(PathProblem),
    #[error("broken link or unreadable file")]
    Metadata { source: io::Error },
    #[error("its name is reserved for git on some file systems")]
    GitName,
    /// Its path in the skill breaks a rule.
    #[error("{0}")]
    BadPath(PathError),
    #[error("its name is not UTF-8")]
    NameNotUtf8,
    #[cfg(feature = "git")]
    #[error("it is a submodule, which is not fetched")]
    Submodule,
    #[error("it is neither a file nor a directory")]
    Special,
    #[error("it is a pointer to a file of {bytes} bytes in git LFS, which is not fetched")]
    LfsPointer { bytes: u64 },
    #[error(
        "its name is that of `{other}` on some file systems, or looks the same (letter case, Unicode form or invisible characters)"
    )]
    Collision { other: String },
    #[error("it makes its directory a bare git repository, and git would use its `config`")]
    BareRepository,
    #[error("the directory has no usable SKILL.md")]
    NoSkillMd,
    /// A file of a marketplace or plugin cannot be read.
    #[cfg(feature = "git")]
    #[error("{0}")]
    OfPlugin(PathProblem),
    /// A plugin lists a directory that has no skills.
    #[cfg(feature = "git")]
    #[error("{by} of the plugin `{plugin}` lists it as skills, but {problem}")]
    ListedWithoutSkill { by: &'static str, plugin: PluginName, problem: PathProblem },
    /// The skill's name with the `prefix` of its source breaks a rule.
    #[error("invalid name `{name}`")]
    PrefixedName { name: String, source: NameError },
}

impl From<PathError> for FileProblem {
    fn from(why: PathError) -> Self {
        if why == PathError::Git { Self::GitName } else { Self::BadPath(why) }
    }
}

impl FileProblem {
    /// Returns the hint. `exclude` is the line for the manifest that excludes the file or the
    /// skill, if it has a reasonable length.
    fn hint(&self, exclude: Option<&str>) -> String {
        let fixed = match self {
            #[cfg(feature = "git")]
            Self::OfPlugin(_) | Self::ListedWithoutSkill { .. } => {
                "report it to the plugin's author, or pin an earlier version"
            }
            Self::PrefixedName { .. } => "choose another `prefix`",
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

impl Error {
    /// Returns an error for a file that the manifest cannot exclude.
    pub(crate) fn file(place: impl AsRef<str>, why: FileProblem) -> Self {
        Self::excludable(place, why, None)
    }

    /// Returns an error for a file. `exclude` is the line for the manifest that excludes it, unless
    /// it is too long for a message.
    pub(crate) fn excludable(
        place: impl AsRef<str>,
        why: FileProblem,
        exclude: Option<&str>,
    ) -> Self {
        let hint = why.hint(exclude);
        let error = Self::new(ErrorKind::Drift, "file", format!("{}: {why}", place.as_ref()));
        match why {
            FileProblem::Metadata { source } => error.with_source(source),
            FileProblem::PrefixedName { source, .. } => error.with_source(source),
            _ => error,
        }
        .with_hint(hint)
    }
}
