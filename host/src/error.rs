//! The error type of directories and files.

use crate::{EnabledFileError, ExceededLimit, MountError, SkillPathError};
use helix_skills_format::Finding;
use helix_skills_runtime::{__internal::error_debug, OneLine};
use std::{
    io,
    path::{Path, PathBuf},
};

/// An error when reading or writing a skill or a directory of skills.
///
/// `Display` is one line with the path and the position in it; `{:?}` also prints all causes.
/// [`Error::hint`] says how to fix it.
///
/// ```
/// use helix_skills_host::{Error, load_skill};
/// let error = load_skill("no/such/skill").unwrap_err();
/// assert_eq!(error.to_string(), "`no/such/skill` does not exist");
/// assert!(matches!(error, Error::Missing { .. }));
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `~` cannot be expanded.
    #[error("cannot expand `{}`: the home directory is not known", display_path(.path))]
    NoHome {
        /// The path with `~`.
        path: PathBuf,
    },
    /// The file or directory does not exist.
    #[error("`{}` does not exist", display_path(.path))]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// The operating system failed to read.
    #[error("failed to read `{}`", display_path(.path))]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file of a skill cannot be written or removed.
    #[error("failed to write `{}`", display_path(.path))]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A symbolic link leads out of the root, or is absolute.
    #[error("`{}` leads out of `{}` by a symbolic link", display_path(.path), display_path(.root))]
    Outside {
        /// The path.
        path: PathBuf,
        /// The root that it must not leave.
        root: PathBuf,
    },
    /// A link, or a path behind a link, where a regular file is required.
    #[error("`{}` is a link, or is behind one", display_path(.path))]
    Link {
        /// The path.
        path: PathBuf,
    },
    /// A directory, a device or a pipe where a regular file is required.
    #[error("`{}` is not a regular file", display_path(.path))]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The path is neither a directory nor a markdown file.
    #[error("`{}` is neither a directory of a skill nor a markdown file", display_path(.path))]
    NotASkill {
        /// The path.
        path: PathBuf,
    },
    /// A name or path that a skill cannot have.
    #[error("a skill cannot use the path `{}`", display_path(.path))]
    InvalidPath {
        /// The path.
        path: PathBuf,
        /// The rule that it breaks.
        source: SkillPathError,
    },
    /// A limit was exceeded.
    #[error("`{}` has {exceeded}; the limit is {limit}", display_path(.path))]
    Limit {
        /// The file or directory.
        path: PathBuf,
        /// The limit that was exceeded.
        exceeded: ExceededLimit,
        /// The maximum.
        limit: u64,
    },
    /// The text of a skill or an agent is not valid.
    #[error("{}", invalid(.path, .findings))]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Everything that is wrong with it; never empty.
        findings: Vec<Finding>,
    },
    /// Another skill with the same name takes precedence.
    #[error("`{}` is hidden by `{}`: both have the name `{}`", display_path(.path), display_path(.by), OneLine(.name))]
    Hidden {
        /// The file of the hidden skill.
        path: PathBuf,
        /// The file of the skill that takes precedence.
        by: PathBuf,
        /// Their name.
        name: String,
    },
    /// Another skill with the same path in a sandbox takes precedence.
    #[error("`{}` is hidden by `{}`: both would be at `{}` in the sandbox", display_path(.path), display_path(.by), OneLine(.sandbox))]
    Covered {
        /// The file of the hidden skill.
        path: PathBuf,
        /// The file of the skill that takes precedence.
        by: PathBuf,
        /// Their directory in the sandbox.
        sandbox: String,
    },
    /// A directory cannot be mounted at this path.
    #[error("cannot mount `{}` at `{}`", display_path(.path), OneLine(.sandbox))]
    Mount {
        /// The directory on this machine.
        path: PathBuf,
        /// Its path in the sandbox.
        sandbox: String,
        /// The reason.
        source: MountError,
    },
    /// An [`EnabledFile`](crate::EnabledFile) is not valid.
    #[error("failed to read the enabled skills from `{}`", display_path(.path))]
    Enabled {
        /// The file.
        path: PathBuf,
        /// What is wrong with the file.
        source: EnabledFileError,
    },
}

error_debug!(Error {
    NoHome { path },
    Missing { path },
    Read { path, source },
    Write { path, source },
    Outside { path, root },
    Link { path },
    NotAFile { path },
    NotASkill { path },
    InvalidPath { path, source },
    Limit { path, exceeded, limit },
    Invalid { path, findings },
    Hidden { path, by, name },
    Covered { path, by, sandbox },
    Mount { path, sandbox, source },
    Enabled { path, source },
});

impl Error {
    /// Returns how to fix it, if there is a likely way.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoHome { .. } => "set `HOME`, or use a path without `~`".to_owned(),
            Self::Missing { .. } => {
                "create it, or use another path; mark a root that may be missing as `optional()`".to_owned()
            }
            Self::Outside { root, .. } => format!(
                "copy the files into `{}`, or for the whole directory of a skill, name the directory that has the target with `follow_links_into`; links between files must be relative",
                root.display(),
            ),
            Self::Covered { .. } => {
                "rename the directory of one of the two, or mount them at different paths"
                    .to_owned()
            }
            Self::Mount { .. } => {
                "use an absolute path of the sandbox, such as `/skills`, that contains no other mount"
                    .to_owned()
            }
            Self::Link { .. } => "replace it with a copy of its target".to_owned(),
            Self::Limit { exceeded, .. } => exceeded.hint(),
            Self::Invalid { findings, .. } => {
                return findings.first().and_then(|finding| finding.hint.clone());
            }
            Self::Hidden { .. } => "rename or remove one of the two".to_owned(),
            Self::Enabled { .. } => {
                r#"the expected format is `{"skills": {"NAME": {"enabled": false}}}`"#.to_owned()
            }
            Self::NotASkill { .. } => {
                "use a directory with a `SKILL.md`, or a file with the extension `.md`".to_owned()
            }
            Self::Write { source, .. } => match source.kind() {
                io::ErrorKind::AlreadyExists
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::IsADirectory => {
                    "rename one of the two files of the skill whose names are equal on this file system"
                        .to_owned()
                }
                _ => "free some space, or set `TMPDIR` to a writable directory"
                    .to_owned(),
            },
            Self::Read { .. } | Self::NotAFile { .. } | Self::InvalidPath { .. } => return None,
        })
    }

    /// Returns the same error with paths relative to the first of `bases` that they are in: for a
    /// model, which has no use for the directories of the host.
    pub(crate) fn relative_to(mut self, bases: &[&Path]) -> Self {
        let shorten = |path: &mut PathBuf| {
            if let Some(rest) = bases.iter().find_map(|base| path.strip_prefix(base).ok()) {
                *path = rest.to_owned();
            }
        };
        match &mut self {
            Self::Outside { path, root } => {
                shorten(path);
                shorten(root);
            }
            Self::Hidden { path, by, .. } | Self::Covered { path, by, .. } => {
                shorten(path);
                shorten(by);
            }
            Self::NoHome { path }
            | Self::Missing { path }
            | Self::Read { path, .. }
            | Self::Write { path, .. }
            | Self::Link { path }
            | Self::NotAFile { path }
            | Self::NotASkill { path }
            | Self::InvalidPath { path, .. }
            | Self::Limit { path, .. }
            | Self::Invalid { path, .. }
            | Self::Mount { path, .. }
            | Self::Enabled { path, .. } => shorten(path),
        }
        self
    }

    /// Returns the file or directory that the error is about.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::NoHome { path }
            | Self::Missing { path }
            | Self::Read { path, .. }
            | Self::Write { path, .. }
            | Self::Outside { path, .. }
            | Self::Link { path }
            | Self::NotAFile { path }
            | Self::NotASkill { path }
            | Self::InvalidPath { path, .. }
            | Self::Limit { path, .. }
            | Self::Invalid { path, .. }
            | Self::Hidden { path, .. }
            | Self::Covered { path, .. }
            | Self::Mount { path, .. }
            | Self::Enabled { path, .. } => path,
        }
    }

    /// Returns all findings about the text of a skill; empty for errors of other types.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Invalid { findings, .. } => findings,
            _ => &[],
        }
    }

    /// Returns whether the file or directory does not exist, or no longer exists.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing { .. })
    }
}

/// Returns a path on one line, because file names are untrusted text.
pub(crate) fn display_path(path: &Path) -> String {
    OneLine(&path.to_string_lossy()).to_string()
}

/// Formats the first finding with its position, and how many more there are.
fn invalid(path: &Path, findings: &[Finding]) -> String {
    let Some(first) = findings.first() else {
        return format!("`{}` is not a skill", display_path(path));
    };
    let position = first.at.map(|at| format!(":{at}")).unwrap_or_default();
    let file = first.file.as_ref().map(|file| path.with_file_name(file));
    format!(
        "`{}{position}`: {}{}",
        display_path(file.as_deref().unwrap_or(path)),
        OneLine(&first.message),
        and_more(findings.len() - 1)
    )
}

/// Formats how many more findings there are.
pub(crate) fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {more} more)") }
}
