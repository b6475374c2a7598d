//! What is larger than a limit allows.

use helix_skills_format::SourceKey;
use std::fmt;

/// What is larger than the manifest's `limits` allow. Places are shown as in other messages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExceededLimit {
    /// The bytes of a file.
    FileBytes {
        /// The file.
        file: String,
        /// Its bytes, if they are known.
        bytes: Option<u64>,
    },
    /// The files of a skill.
    Files {
        /// The skill's directory.
        skill: String,
        /// The files that were counted before the rest was ignored.
        files: u64,
    },
    /// The directories, files and refused entries of a skill.
    Entries {
        /// The skill's directory.
        skill: String,
    },
    /// The entries that are left out of a skill.
    ExcludedEntries {
        /// The skill's directory.
        skill: String,
        /// The entries that were counted before the rest was ignored.
        entries: u64,
    },
    /// The bytes of a skill.
    SkillBytes {
        /// The skill's directory.
        skill: String,
        /// The bytes that were counted before the rest was ignored.
        bytes: u64,
    },
    /// The directories inside each other.
    Depth {
        /// The innermost directory.
        directory: String,
        /// How deep it is.
        depth: usize,
    },
    /// The bytes that all skills of a source have together.
    SourceBytes {
        /// The source.
        key: SourceKey,
    },
    /// The directories of skills in a source, whose limit is fixed.
    SourceDirectories {
        /// The source.
        key: SourceKey,
    },
}

impl ExceededLimit {
    /// The manifest's field that raises the limit; none if it is fixed.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        Some(match self {
            Self::FileBytes { .. } => "limits.bytesPerFile",
            Self::Files { .. } | Self::Entries { .. } | Self::ExcludedEntries { .. } => {
                "limits.filesPerSkill"
            }
            Self::SkillBytes { .. } => "limits.bytesPerSkill",
            Self::Depth { .. } => "limits.treeDepth",
            Self::SourceBytes { .. } => "limits.bytesPerFetch",
            Self::SourceDirectories { .. } => return None,
        })
    }

    pub(super) fn hint(&self) -> String {
        match self.field() {
            Some(field) => format!("raise `{field}` in the manifest if that is meant"),
            None => "name a directory with fewer of them as its `skillsDir`".to_owned(),
        }
    }
}

impl fmt::Display for ExceededLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FileBytes { file, bytes: Some(bytes) } => write!(f, "{file} with {bytes} bytes"),
            Self::FileBytes { file, bytes: None } => f.write_str(file),
            Self::Files { skill, files } => write!(f, "{skill} with {files} files or more"),
            Self::Entries { skill } => write!(f, "{skill} with its directories and refused files"),
            Self::ExcludedEntries { skill, entries } => {
                write!(f, "{skill} with {entries} entries that are left out")
            }
            Self::SkillBytes { skill, bytes } => write!(f, "{skill} with {bytes} bytes or more"),
            Self::Depth { directory, depth } => {
                write!(f, "{directory} is a directory at depth {depth}, which")
            }
            Self::SourceBytes { key } => {
                write!(f, "what the skills of the source `{key}` have together")
            }
            Self::SourceDirectories { key } => {
                write!(f, "the number of skill directories in the source `{key}`")
            }
        }
    }
}
