//! Exceeded limits of the manifest.

use super::{Error, ErrorKind};
#[cfg(feature = "git")]
use helix_skills_format::SourceKey;

/// What exceeds the manifest's `limits`. Locations are formatted as in other messages.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum ExceededLimit {
    #[error("{file}{}", .bytes.map(|bytes| format!(" with {bytes} bytes")).unwrap_or_default())]
    FileBytes { file: String, bytes: Option<u64> },
    /// With the number of files that were counted before the rest was ignored.
    #[error("{skill} with {files} files or more")]
    Files { skill: String, files: u64 },
    #[error("{skill} with its directories and rejected entries")]
    Entries { skill: String },
    #[error("{skill} with {entries} excluded entries")]
    ExcludedEntries { skill: String, entries: u64 },
    #[error("{skill} with {bytes} bytes or more")]
    SkillBytes { skill: String, bytes: u64 },
    #[error("{directory} at depth {depth}")]
    Depth { directory: String, depth: usize },
    #[cfg(feature = "git")]
    #[error("the total size of the skills of the source `{key}`")]
    SourceBytes { key: SourceKey },
    /// The number of directories with a skill. This limit is fixed.
    #[cfg(feature = "git")]
    #[error("the number of skill directories in the source `{key}`")]
    SourceDirectories { key: SourceKey },
}

impl ExceededLimit {
    /// Returns the manifest's field that raises the limit; `None` if it is fixed.
    fn field(&self) -> Option<&'static str> {
        Some(match self {
            Self::FileBytes { .. } => "limits.bytesPerFile",
            Self::Files { .. } | Self::Entries { .. } | Self::ExcludedEntries { .. } => {
                "limits.filesPerSkill"
            }
            Self::SkillBytes { .. } => "limits.bytesPerSkill",
            Self::Depth { .. } => "limits.treeDepth",
            #[cfg(feature = "git")]
            Self::SourceBytes { .. } => "limits.bytesPerFetch",
            #[cfg(feature = "git")]
            Self::SourceDirectories { .. } => return None,
        })
    }

    pub(crate) fn error(&self, limit: u64) -> Error {
        let (field, hint) = match self.field() {
            Some(field) => (
                format!(" (`{field}`)"),
                format!("raise `{field}` in the manifest if this is intended"),
            ),
            None => {
                (String::new(), "set its `skillsDir` to a directory with fewer skills".to_owned())
            }
        };
        let message = format!("{self} is over the limit of {limit}{field}");
        Error::new(ErrorKind::Policy, "limit", message).with_hint(hint)
    }
}
