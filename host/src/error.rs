//! Errors of directories and files.

use crate::{EnabledFileError, ExceededLimit, MountError, SkillPathError};
use helix_skills_format::Finding;
use helix_skills_runtime::{__internal::error_debug, OneLine};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a skill, or a directory of skills, cannot be read or written.
///
/// `Display` is one line with the path and the place in it, and `{:?}` the same with all causes.
/// [`Error::hint`] says how to fix it.
///
/// ```
/// use helix_skills_host::{Error, load_skill};
/// let error = load_skill("no/such/skill").unwrap_err();
/// assert_eq!(error.to_string(), "there is no `no/such/skill`");
/// assert!(matches!(error, Error::Missing { .. }));
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `~` stands for nothing here.
    #[error("cannot expand `{}`: the home directory is not known", display_path(.path))]
    NoHome {
        /// The path with `~`.
        path: PathBuf,
    },
    /// Nothing lies there.
    #[error("there is no `{}`", display_path(.path))]
    Missing {
        /// What was looked for.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("cannot read `{}`", display_path(.path))]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of a skill cannot be written, or removed.
    #[error("cannot write `{}`", display_path(.path))]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A link leads out of the root, or is absolute.
    #[error("`{}` leads out of `{}`", display_path(.path), display_path(.root))]
    Outside {
        /// What was to be opened.
        path: PathBuf,
        /// What it has to lie in.
        root: PathBuf,
    },
    /// A link where a file belongs that lies there itself.
    #[error("`{}` is a link, or is behind one", display_path(.path))]
    Link {
        /// What was to be opened.
        path: PathBuf,
    },
    /// A directory, a device or a pipe where a file belongs.
    #[error("`{}` is no file", display_path(.path))]
    NotAFile {
        /// What lies there.
        path: PathBuf,
    },
    /// Neither a directory nor markdown.
    #[error("`{}` is neither the directory of a skill nor a markdown file", display_path(.path))]
    NotASkill {
        /// What lies there.
        path: PathBuf,
    },
    /// A skill cannot have this name or path.
    #[error("a skill cannot use the path `{}`", display_path(.path))]
    InvalidPath {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        source: SkillPathError,
    },
    /// More than a limit allows.
    #[error("`{}` has {exceeded}; the limit is {limit}", display_path(.path))]
    Limit {
        /// The file or directory.
        path: PathBuf,
        /// What it has more of.
        exceeded: ExceededLimit,
        /// The maximum.
        limit: u64,
    },
    /// A text that is no skill.
    #[error("{}", invalid(.path, .findings))]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Everything that is wrong with it; at least one.
        findings: Vec<Finding>,
    },
    /// Another skill has the same name, and counts.
    #[error("`{}` is hidden by `{}`: both have the name `{}`", display_path(.path), display_path(.by), OneLine(.name))]
    Hidden {
        /// The file of the skill that does not count.
        path: PathBuf,
        /// The file of the one that does.
        by: PathBuf,
        /// Their name.
        name: String,
    },
    /// Another skill would lie at the same place in a sandbox, and counts.
    #[error("`{}` is hidden by `{}`: both would lie at `{}` in the sandbox", display_path(.path), display_path(.by), OneLine(.sandbox))]
    Covered {
        /// The file of the skill that does not count.
        path: PathBuf,
        /// The file of the one that does.
        by: PathBuf,
        /// Their directory in the sandbox.
        sandbox: String,
    },
    /// A directory cannot be mounted there.
    #[error("cannot mount `{}` at `{}`", display_path(.path), OneLine(.sandbox))]
    Mount {
        /// The directory on this machine.
        path: PathBuf,
        /// Its path in the sandbox.
        sandbox: String,
        /// Why not.
        source: MountError,
    },
    /// The file that says which skills are enabled is not valid.
    #[error("cannot read which skills are enabled in `{}`", display_path(.path))]
    Enabled {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
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
    /// How to fix it, if there is a likely way.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoHome { .. } => "set `HOME`, or name the directory without `~`".to_owned(),
            Self::Missing { .. } => {
                "create it, or name another; a root that may be missing is `optional()`".to_owned()
            }
            Self::Outside { root, .. } => format!(
                "make the directory that it leads to a root of its own, or copy the files into `{}`; a link inside a root is relative",
                root.display(),
            ),
            Self::Covered { .. } => {
                "rename the directory of one of the two, or mount them at different paths"
                    .to_owned()
            }
            Self::Mount { .. } => {
                "name an absolute path of the sandbox, as `/skills`, in which no other mount lies"
                    .to_owned()
            }
            Self::Link { .. } => "put a copy of what it leads to in its place".to_owned(),
            Self::Limit { exceeded, .. } => exceeded.hint(),
            Self::Invalid { findings, .. } => {
                return findings.first().and_then(|finding| finding.hint.clone());
            }
            Self::Hidden { .. } => "rename one of the two, or take it away".to_owned(),
            Self::Enabled { .. } => {
                r#"it is `{"skills": {"NAME": {"enabled": false}}}`"#.to_owned()
            }
            Self::NotASkill { .. } => {
                "name a directory that has a `SKILL.md`, or a file that ends in `.md`".to_owned()
            }
            Self::Write { source, .. } => match source.kind() {
                io::ErrorKind::AlreadyExists
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::IsADirectory => {
                    "rename one of the two files of the skill that this file system takes for one"
                        .to_owned()
                }
                _ => "make room for it, or let `TMPDIR` name a directory that can be written"
                    .to_owned(),
            },
            Self::Read { .. } | Self::NotAFile { .. } | Self::InvalidPath { .. } => return None,
        })
    }

    /// What it is about.
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

    /// Everything that is wrong with the text of a skill, with places and hints; none where it is something else.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Invalid { findings, .. } => findings,
            _ => &[],
        }
    }

    /// Whether nothing lies there, or no longer.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing { .. })
    }
}

/// A path on one line: names of files are untrusted text.
pub(crate) fn display_path(path: &Path) -> String {
    OneLine(&path.to_string_lossy()).to_string()
}

/// The first thing that is wrong, where, and how many more there are.
fn invalid(path: &Path, findings: &[Finding]) -> String {
    let Some(first) = findings.first() else {
        return format!("`{}` is not a skill", display_path(path));
    };
    let place = first.at.map(|at| format!(":{at}")).unwrap_or_default();
    format!(
        "`{}{place}`: {}{}",
        display_path(path),
        OneLine(&first.message),
        and_more(findings.len() - 1)
    )
}

/// How many more there are, after the first of them.
pub(crate) fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {more} more)") }
}
