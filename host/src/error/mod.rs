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
pub struct Error(Box<Report>);

error_debug!(Error = Error(report));

#[derive(Debug)]
enum Report {
    /// Of a file or a directory.
    Path(PathBuf, Problem),
    Process(ProcessProblem),
    Script(ScriptProblem),
}

/// What is wrong with a file or a directory.
#[derive(Debug)]
pub(crate) enum Problem {
    /// `~` cannot be expanded.
    NoHome,
    /// The file or directory does not exist.
    Missing,
    /// The operating system failed to read.
    Read { source: io::Error },
    /// A file of a skill cannot be written or removed.
    Write { source: io::Error },
    /// A symbolic link leads out of the root, or is absolute.
    Outside { root: PathBuf },
    /// A link, or a path behind a link, where a regular file is required.
    Link,
    /// A directory, a device or a pipe where a regular file is required.
    NotAFile,
    /// The path is neither a directory nor a markdown file.
    NotASkill,
    /// A name or path that a skill cannot have.
    InvalidPath { source: PathProblem },
    /// A limit was exceeded.
    Limit { exceeded: ExceededLimit, limit: u64 },
    /// The text of a skill or an agent is not valid.
    Invalid { findings: Vec<Finding> },
    /// Another skill with the same name takes precedence.
    Hidden { by: PathBuf, name: String },
    /// Another skill with the same path in a sandbox takes precedence.
    Covered { by: PathBuf, sandbox: String },
    /// A directory cannot be mounted at this path.
    Mount { sandbox: String, source: MountProblem },
    /// An `EnabledFile` is not valid.
    Enabled { source: EnabledFileProblem },
}

impl Error {
    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match &*self.0 {
            Report::Path(_, problem) => problem.kind(),
            Report::Process(problem) => problem.kind(),
            Report::Script(problem) => problem.kind(),
        }
    }

    /// Returns how to fix it, if there is a likely way.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match &*self.0 {
            Report::Path(_, problem) => problem.hint(),
            Report::Process(problem) => problem.hint().map(str::to_owned),
            Report::Script(problem) => problem.hint(),
        }
    }

    /// Returns the file, the directory or the program that the error is about; `None` if it is
    /// about a call.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &*self.0 {
            Report::Path(path, _) => Some(path),
            Report::Process(problem) => Some(problem.program()),
            Report::Script(_) => None,
        }
    }

    /// Returns all findings about the text of a skill; empty for other errors.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self.problem() {
            Some(Problem::Invalid { findings }) => findings,
            _ => &[],
        }
    }

    /// Returns the problem of a file or a directory.
    pub(crate) fn problem(&self) -> Option<&Problem> {
        match &*self.0 {
            Report::Path(_, problem) => Some(problem),
            Report::Process(_) | Report::Script(_) => None,
        }
    }

    /// Returns the same error with paths relative to the first of `bases` that they are in: for a
    /// model, which has no use for the directories of the host.
    pub(crate) fn relative_to(mut self, bases: &[&Path]) -> Self {
        let shorten = |path: &mut PathBuf| {
            if let Some(rest) = bases.iter().find_map(|base| path.strip_prefix(base).ok()) {
                *path = rest.to_owned();
            }
        };
        if let Report::Path(path, problem) = &mut *self.0 {
            shorten(path);
            if let Problem::Outside { root: other }
            | Problem::Hidden { by: other, .. }
            | Problem::Covered { by: other, .. } = problem
            {
                shorten(other);
            }
        }
        self
    }

    /// Returns whether the file or directory does not exist, or no longer exists.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self.problem(), Some(Problem::Missing))
    }
}

impl Problem {
    /// Returns the error that `path` has this problem.
    pub(crate) fn at(self, path: impl Into<PathBuf>) -> Error {
        Error(Box::new(Report::Path(path.into(), self)))
    }

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Missing => ErrorKind::NotFound,
            Self::Outside { .. }
            | Self::Link
            | Self::NotAFile
            | Self::NotASkill
            | Self::InvalidPath { .. }
            | Self::Invalid { .. }
            | Self::Mount { .. }
            | Self::Enabled { .. } => ErrorKind::Invalid,
            Self::Limit { .. } => ErrorKind::Limit,
            Self::Hidden { .. } | Self::Covered { .. } => ErrorKind::Hidden,
            Self::NoHome | Self::Read { .. } | Self::Write { .. } => ErrorKind::Failed,
        }
    }

    fn fmt(&self, path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = display_path(path);
        match self {
            Self::NoHome => {
                write!(f, "cannot expand `{shown}`: the home directory is not known")
            }
            Self::Missing => write!(f, "`{shown}` does not exist"),
            Self::Read { .. } => write!(f, "failed to read `{shown}`"),
            Self::Write { .. } => write!(f, "failed to write `{shown}`"),
            Self::Outside { root } => {
                let root = display_path(root);
                write!(f, "`{shown}` leads out of `{root}` by a symbolic link")
            }
            Self::Link => write!(f, "`{shown}` is a link, or is behind one"),
            Self::NotAFile => write!(f, "`{shown}` is not a regular file"),
            Self::NotASkill => {
                write!(f, "`{shown}` is neither a directory of a skill nor a markdown file")
            }
            Self::InvalidPath { .. } => write!(f, "a skill cannot use the path `{shown}`"),
            Self::Limit { exceeded, limit } => {
                write!(f, "`{shown}` has {exceeded}; the limit is {limit}")
            }
            Self::Invalid { findings } => f.write_str(&invalid(path, findings)),
            Self::Hidden { by, name } => {
                let (by, name) = (display_path(by), OneLine(name));
                write!(f, "`{shown}` is hidden by `{by}`: both have the name `{name}`")
            }
            Self::Covered { by, sandbox } => {
                let (by, sandbox) = (display_path(by), OneLine(sandbox));
                write!(
                    f,
                    "`{shown}` is hidden by `{by}`: both would be at `{sandbox}` in the sandbox"
                )
            }
            Self::Mount { sandbox, .. } => {
                write!(f, "cannot mount `{shown}` at `{}`", OneLine(sandbox))
            }
            Self::Enabled { .. } => write!(f, "failed to read the enabled skills from `{shown}`"),
        }
    }

    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Read { source } | Self::Write { source } => Some(source),
            Self::InvalidPath { source } => Some(source),
            Self::Mount { source, .. } => Some(source),
            Self::Enabled { source } => Some(source),
            _ => None,
        }
    }

    /// Returns how to fix it, if there is a likely way.
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoHome => "set `HOME`, or use a path without `~`".to_owned(),
            Self::Missing => {
                "create it, or use another path; mark a root that may be missing as `optional()`".to_owned()
            }
            Self::Outside { root } => format!(
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
            Self::Link => "replace it with a copy of its target".to_owned(),
            Self::Limit { exceeded, .. } => exceeded.hint(),
            Self::Invalid { findings } => {
                return findings.first().and_then(|finding| finding.hint.clone());
            }
            Self::Hidden { .. } => "rename or remove one of the two".to_owned(),
            Self::Enabled { .. } => {
                r#"the expected format is `{"skills": {"NAME": {"enabled": false}}}`"#.to_owned()
            }
            Self::NotASkill => {
                "use a directory with a `SKILL.md`, or a file with the extension `.md`".to_owned()
            }
            Self::Write { source } => match source.kind() {
                io::ErrorKind::AlreadyExists
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::IsADirectory => {
                    "rename one of the two files of the skill whose names are equal on this file system"
                        .to_owned()
                }
                _ => "free some space, or set `TMPDIR` to a writable directory"
                    .to_owned(),
            },
            Self::Read { .. } | Self::NotAFile | Self::InvalidPath { .. } => return None,
        })
    }
}

impl From<ProcessProblem> for Error {
    fn from(problem: ProcessProblem) -> Self {
        Self(Box::new(Report::Process(problem)))
    }
}

impl From<ScriptProblem> for Error {
    fn from(problem: ScriptProblem) -> Self {
        Self(Box::new(Report::Script(problem)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Report::Path(path, problem) => problem.fmt(path, f),
            Report::Process(problem) => problem.fmt(f),
            Report::Script(problem) => problem.fmt(f),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &*self.0 {
            Report::Path(_, problem) => problem.source(),
            Report::Process(problem) => problem.source(),
            Report::Script(problem) => problem.source(),
        }
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
