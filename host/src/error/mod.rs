//! The error type [`Error`].

mod details;
mod display;
mod kind;

pub use kind::ErrorKind;

pub(crate) use details::{EnabledFileProblem, ExceededLimit, MountProblem, PathProblem};
pub(crate) use display::{and_more, display_path};

use crate::{process::ProcessProblem, scripts::ScriptProblem};
use helix_skills_format::Finding;
use helix_skills_runtime::{__internal::error_debug, OneLine};
use std::{
    error, fmt, io,
    path::{Path, PathBuf},
};

/// An error of this crate: a skill, a directory of skills, a script or a program cannot be used.
///
/// `Display` is one line with the path and the position in it; `{:?}` also prints all causes.
/// [`Error::hint`] says how to fix it.
///
/// ```
/// use helix_skills_host::{ErrorKind, load_skill};
/// let error = load_skill("no/such/skill").unwrap_err();
/// assert_eq!(error.to_string(), "`no/such/skill` does not exist");
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// ```
pub struct Error(Box<Problem>);

error_debug!(Error = Error(problem));

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// `~` cannot be expanded.
    #[error("cannot expand `{}`: the home directory is not known", display_path(.path))]
    NoHome { path: PathBuf },
    /// The file or directory does not exist.
    #[error("`{}` does not exist", display_path(.path))]
    Missing { path: PathBuf },
    /// The operating system failed to read.
    #[error("failed to read `{}`", display_path(.path))]
    Read { path: PathBuf, source: io::Error },
    /// A file of a skill cannot be written or removed.
    #[error("failed to write `{}`", display_path(.path))]
    Write { path: PathBuf, source: io::Error },
    /// A symbolic link leads out of the root, or is absolute.
    #[error("`{}` leads out of `{}` by a symbolic link", display_path(.path), display_path(.root))]
    Outside { path: PathBuf, root: PathBuf },
    /// A link, or a path behind a link, where a regular file is required.
    #[error("`{}` is a link, or is behind one", display_path(.path))]
    Link { path: PathBuf },
    /// A directory, a device or a pipe where a regular file is required.
    #[error("`{}` is not a regular file", display_path(.path))]
    NotAFile { path: PathBuf },
    /// The path is neither a directory nor a markdown file.
    #[error("`{}` is neither a directory of a skill nor a markdown file", display_path(.path))]
    NotASkill { path: PathBuf },
    /// A name or path that a skill cannot have.
    #[error("a skill cannot use the path `{}`", display_path(.path))]
    InvalidPath { path: PathBuf, source: PathProblem },
    /// A limit was exceeded.
    #[error("`{}` has {exceeded}; the limit is {limit}", display_path(.path))]
    Limit { path: PathBuf, exceeded: ExceededLimit, limit: u64 },
    /// The text of a skill or an agent is not valid.
    #[error("{}", invalid(.path, .findings))]
    Invalid { path: PathBuf, findings: Vec<Finding> },
    /// Another skill with the same name takes precedence.
    #[error("`{}` is hidden by `{}`: both have the name `{}`", display_path(.path), display_path(.by), OneLine(.name))]
    Hidden { path: PathBuf, by: PathBuf, name: String },
    /// Another skill with the same path in a sandbox takes precedence.
    #[error("`{}` is hidden by `{}`: both would be at `{}` in the sandbox", display_path(.path), display_path(.by), OneLine(.sandbox))]
    Covered { path: PathBuf, by: PathBuf, sandbox: String },
    /// A directory cannot be mounted at this path.
    #[error("cannot mount `{}` at `{}`", display_path(.path), OneLine(.sandbox))]
    Mount { path: PathBuf, sandbox: String, source: MountProblem },
    /// An `EnabledFile` is not valid.
    #[error("failed to read the enabled skills from `{}`", display_path(.path))]
    Enabled { path: PathBuf, source: EnabledFileProblem },
    #[error(transparent)]
    Process(#[from] ProcessProblem),
    #[error(transparent)]
    Script(#[from] ScriptProblem),
}

impl Error {
    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind()
    }

    /// Returns how to fix it, if there is a likely way.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        self.0.hint()
    }

    /// Returns the file, the directory or the program that the error is about; `None` if it is
    /// about a call.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self.problem() {
            Problem::NoHome { path }
            | Problem::Missing { path }
            | Problem::Read { path, .. }
            | Problem::Write { path, .. }
            | Problem::Outside { path, .. }
            | Problem::Link { path }
            | Problem::NotAFile { path }
            | Problem::NotASkill { path }
            | Problem::InvalidPath { path, .. }
            | Problem::Limit { path, .. }
            | Problem::Invalid { path, .. }
            | Problem::Hidden { path, .. }
            | Problem::Covered { path, .. }
            | Problem::Mount { path, .. }
            | Problem::Enabled { path, .. } => Some(path),
            Problem::Process(problem) => Some(problem.program()),
            Problem::Script(_) => None,
        }
    }

    /// Returns all findings about the text of a skill; empty for other errors.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self.problem() {
            Problem::Invalid { findings, .. } => findings,
            _ => &[],
        }
    }

    pub(crate) const fn problem(&self) -> &Problem {
        &self.0
    }

    /// Returns the same error with paths relative to the first of `bases` that they are in: for a
    /// model, which has no use for the directories of the host.
    pub(crate) fn relative_to(mut self, bases: &[&Path]) -> Self {
        let shorten = |path: &mut PathBuf| {
            if let Some(rest) = bases.iter().find_map(|base| path.strip_prefix(base).ok()) {
                *path = rest.to_owned();
            }
        };
        match &mut *self.0 {
            Problem::Outside { path, root } => {
                shorten(path);
                shorten(root);
            }
            Problem::Hidden { path, by, .. } | Problem::Covered { path, by, .. } => {
                shorten(path);
                shorten(by);
            }
            Problem::NoHome { path }
            | Problem::Missing { path }
            | Problem::Read { path, .. }
            | Problem::Write { path, .. }
            | Problem::Link { path }
            | Problem::NotAFile { path }
            | Problem::NotASkill { path }
            | Problem::InvalidPath { path, .. }
            | Problem::Limit { path, .. }
            | Problem::Invalid { path, .. }
            | Problem::Mount { path, .. }
            | Problem::Enabled { path, .. } => shorten(path),
            Problem::Process(_) | Problem::Script(_) => {}
        }
        self
    }

    /// Returns whether the file or directory does not exist, or no longer exists.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self.problem(), Problem::Missing { .. })
    }
}

impl Problem {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Missing { .. } => ErrorKind::NotFound,
            Self::Outside { .. }
            | Self::Link { .. }
            | Self::NotAFile { .. }
            | Self::NotASkill { .. }
            | Self::InvalidPath { .. }
            | Self::Invalid { .. }
            | Self::Mount { .. }
            | Self::Enabled { .. } => ErrorKind::Invalid,
            Self::Limit { .. } => ErrorKind::Limit,
            Self::Hidden { .. } | Self::Covered { .. } => ErrorKind::Hidden,
            Self::NoHome { .. } | Self::Read { .. } | Self::Write { .. } => ErrorKind::Failed,
            Self::Process(problem) => problem.kind(),
            Self::Script(problem) => problem.kind(),
        }
    }

    /// Returns how to fix it, if there is a likely way.
    fn hint(&self) -> Option<String> {
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
            Self::Process(problem) => problem.hint()?.to_owned(),
            Self::Script(problem) => return problem.hint(),
            Self::Read { .. } | Self::NotAFile { .. } | Self::InvalidPath { .. } => return None,
        })
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self(Box::new(problem))
    }
}

impl From<ProcessProblem> for Error {
    fn from(problem: ProcessProblem) -> Self {
        Problem::from(problem).into()
    }
}

impl From<ScriptProblem> for Error {
    fn from(problem: ScriptProblem) -> Self {
        Problem::from(problem).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        error::Error::source(&*self.0)
    }
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
