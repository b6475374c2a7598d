//! Reasons why a path, a size, a mount or a file of enabled skills is refused, as data.

use helix_skills_runtime::{NameError, OneLine, PathError, ResourceError};
use std::{error::Error, fmt};

/// Why a skill cannot have a name or path.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(crate) enum PathProblem {
    /// Not a valid name of a skill.
    #[error("{0}")]
    Name(NameError),
    /// Not a valid path of a file.
    #[error("{0}")]
    File(ResourceError),
    /// Not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
}

impl From<PathError> for PathProblem {
    fn from(error: PathError) -> Self {
        Self::File(ResourceError::Path(error))
    }
}

/// What a file or directory has too much of. `Display` completes a sentence that starts with "it
/// has".
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExceededLimit {
    /// Bytes in one file: this many.
    FileBytes(u64),
    /// Bytes in all files of a skill: at least this many.
    SkillBytes(u64),
    /// Files of a skill.
    Files,
    /// Entries in the directories of a skill, including ignored ones.
    Entries,
    /// Nested directories: this many levels.
    Depth(u64),
    /// Agents in a directory.
    Agents,
    /// Bytes in all agents of a directory.
    AgentBytes,
    /// Bytes of frontmatter in a root.
    FrontmatterBytes,
    /// Bytes that one load into a registry may still read.
    LoadBytes,
}

impl ExceededLimit {
    /// Returns how to fix it.
    pub(crate) fn hint(self) -> String {
        let name = match self {
            Self::Agents | Self::AgentBytes => {
                return "keep agents in a separate directory".to_owned();
            }
            Self::LoadBytes => {
                return "load fewer skills into one registry, or remove large files".to_owned();
            }
            Self::FrontmatterBytes => return "split the directory into several roots".to_owned(),
            Self::FileBytes(_) => "bytes_per_file",
            Self::SkillBytes(_) => "bytes_per_skill",
            Self::Files | Self::Entries => "files_per_skill",
            Self::Depth(_) => "tree_depth",
        };
        format!("remove files that no model needs, or raise the limit `{name}`")
    }
}

impl fmt::Display for ExceededLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FileBytes(bytes) => return write!(f, "{bytes} bytes"),
            Self::SkillBytes(bytes) => return write!(f, "more than {bytes} bytes in its files"),
            Self::Depth(depth) => {
                return write!(f, "{depth} levels of directories");
            }
            Self::Files => "too many files",
            Self::Entries => "too many entries",
            Self::Agents => "too many agents",
            Self::AgentBytes => "too many bytes in its agents",
            Self::FrontmatterBytes => "too many bytes of frontmatter",
            Self::LoadBytes => "more bytes than are left for one load",
        })
    }
}

/// Why a directory cannot be mounted at a path of a sandbox.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MountProblem {
    /// The sandbox path is not absolute.
    #[error("a sandbox path must begin with `/`")]
    NotAbsolute,
    /// The sandbox path is the root.
    #[error("a sandbox path cannot be the root of the sandbox")]
    Root,
    /// The sandbox path breaks a rule for paths.
    #[error("{0}")]
    Path(PathError),
    /// One of two mounts would be inside the other.
    #[error("it overlaps the mount at `{}`", OneLine(.0))]
    Overlap(String),
}

/// What is wrong with an `EnabledFile`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EnabledFileProblem {
    /// The file is not JSON.
    #[error("it is not JSON")]
    NotJson(#[source] Box<dyn Error + Send + Sync>),
    /// The file is not a JSON object.
    #[error("it is not a JSON object")]
    NotAnObject,
    /// Its key `skills` is not an object.
    #[error("`skills` is not an object")]
    Skills,
    /// The state of this skill is not an object whose `enabled` is true or false.
    #[error("`skills.{}` is not an object whose `enabled` is true or false", OneLine(.0))]
    State(String),
}
