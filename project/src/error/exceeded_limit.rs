//! Exceeded limits of the manifest.

use helix_skills_format::SourceKey;
use std::fmt;

/// What exceeds the manifest's `limits`. Locations are formatted as in other messages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExceededLimit {
    /// The size of a file.
    FileBytes {
        /// The file.
        file: String,
        /// Its size in bytes, if known.
        bytes: Option<u64>,
    },
    /// The number of files of a skill.
    Files {
        /// The skill's directory.
        skill: String,
        /// Number of files that were counted before the rest was ignored.
        files: u64,
    },
    /// The number of directories, files and rejected entries of a skill.
    Entries {
        /// The skill's directory.
        skill: String,
    },
    /// The number of excluded entries of a skill.
    ExcludedEntries {
        /// The skill's directory.
        skill: String,
        /// Number of entries that were counted before the rest was ignored.
        entries: u64,
    },
    /// The size of a skill.
    SkillBytes {
        /// The skill's directory.
        skill: String,
        /// Number of bytes that were counted before the rest was ignored.
        bytes: u64,
    },
    /// The depth of nested directories.
    Depth {
        /// The innermost directory.
        directory: String,
        /// Its depth.
        depth: usize,
    },
    /// The total size of all skills of a source.
    SourceBytes {
        /// The source.
        key: SourceKey,
    },
    /// The number of skill directories in a source. This limit is fixed.
    SourceDirectories {
        /// The source.
        key: SourceKey,
    },
}

impl ExceededLimit {
    /// Returns the manifest's field that raises the limit; `None` if it is fixed.
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
            Some(field) => format!("raise `{field}` in the manifest if this is intended"),
            None => "set its `skillsDir` to a directory with fewer skills".to_owned(),
        }
    }
}

impl fmt::Display for ExceededLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FileBytes { file, bytes: Some(bytes) } => write!(f, "{file} with {bytes} bytes"),
            Self::FileBytes { file, bytes: None } => f.write_str(file),
            Self::Files { skill, files } => write!(f, "{skill} with {files} files or more"),
            Self::Entries { skill } => {
                write!(f, "{skill} with its directories and rejected entries")
            }
            Self::ExcludedEntries { skill, entries } => {
                write!(f, "{skill} with {entries} excluded entries")
            }
            Self::SkillBytes { skill, bytes } => write!(f, "{skill} with {bytes} bytes or more"),
            Self::Depth { directory, depth } => {
                write!(f, "{directory} at depth {depth}")
            }
            Self::SourceBytes { key } => {
                write!(f, "the total size of the skills of the source `{key}`")
            }
            Self::SourceDirectories { key } => {
                write!(f, "the number of skill directories in the source `{key}`")
            }
        }
    }
}
