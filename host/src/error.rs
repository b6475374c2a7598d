//! The error type [`Error`].

use helix_skills_agent::ProviderError;
use helix_skills_format::Finding;
use helix_skills_runtime::{__internal::ErrorChain, OneLine};
use std::{
    error, fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An error of this crate: a skill, a directory of skills, a script or a program cannot be used.
///
/// `Display` is one line with the path and the position in it; `{:?}` also prints all causes.
/// [`Error::hint`] says how to fix it. A clone is cheap.
///
/// ```
/// use helix_skills_host::{ErrorKind, load_skill};
/// let error = load_skill("no/such/skill").unwrap_err();
/// assert_eq!(error.to_string(), "`no/such/skill` does not exist");
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// ```
#[derive(Clone)]
pub struct Error(Arc<Report>);

#[derive(Debug)]
struct Report {
    /// The file, directory or program; empty for a call.
    path: PathBuf,
    problem: Problem,
}

/// The kind of an [`Error`], for programs that handle some errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file, a directory, a script or a program does not exist.
    NotFound,
    /// A skill, a file, a path or a call breaks a rule.
    Invalid,
    /// A limit was exceeded.
    Limit,
    /// Another skill with the same name or path takes precedence.
    Hidden,
    /// A script was not approved.
    Denied,
    /// The operating system, or a callback of the host, failed.
    Failed,
}

/// What is wrong with a file, a directory, a program or a script.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The file or directory does not exist.
    Missing,
    /// The operating system failed to read.
    Read { source: io::Error },
    /// A file of a skill cannot be written or removed.
    Write { source: io::Error },
    /// A directory of skills of a coding agent cannot be changed.
    #[cfg_attr(not(feature = "install"), expect(dead_code, reason = "of the module `install`"))]
    Install { source: io::Error },
    /// A symbolic link leads out of the root, or is absolute.
    Outside { root: PathBuf },
    /// A link, or a path behind a link, where a regular file is required.
    Link,
    /// A directory, a device or a pipe where a regular file is required.
    NotAFile,
    /// A name or path that a skill cannot have.
    InvalidPath { source: ProviderError },
    /// A limit was exceeded. `excess` completes a sentence that starts with "it has".
    Limit { excess: String, limit: u64, hint: String },
    /// The text of a skill or an agent is not valid.
    Invalid { findings: Vec<Finding> },
    /// Another skill with the same name takes precedence.
    Hidden { by: PathBuf, name: String },
    /// The program does not exist or cannot be executed.
    Start { source: io::Error },
    /// A problem that one function reports, in its words.
    Other { kind: ErrorKind, message: String, hint: Option<String>, source: Option<ProviderError> },
}

impl Error {
    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self.problem() {
            Problem::Missing => ErrorKind::NotFound,
            Problem::Start { source } if source.kind() == io::ErrorKind::NotFound => {
                ErrorKind::NotFound
            }
            Problem::Outside { .. }
            | Problem::Link
            | Problem::NotAFile
            | Problem::InvalidPath { .. }
            | Problem::Invalid { .. } => ErrorKind::Invalid,
            Problem::Limit { .. } => ErrorKind::Limit,
            Problem::Hidden { .. } => ErrorKind::Hidden,
            Problem::Other { kind, .. } => *kind,
            _ => ErrorKind::Failed,
        }
    }

    /// Returns how to fix it, if there is a likely way.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        self.problem().hint()
    }

    /// Returns the file, the directory or the program that the error is about; `None` if it is
    /// about a call.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        Some(&*self.0.path).filter(|path| !path.as_os_str().is_empty())
    }

    /// Returns all findings about the text of a skill; empty for other errors.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self.problem() {
            Problem::Invalid { findings } => findings,
            _ => &[],
        }
    }

    pub(crate) fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// Returns an error about a call, such as that a script was not run.
    pub(crate) fn of_call(kind: ErrorKind, message: String) -> Self {
        Problem::Other { kind, message, hint: None, source: None }.at("")
    }

    /// Returns the same error with paths relative to the first of `bases` that they are in: for a
    /// model, which has no use for the directories of the host. A shared error is not changed.
    pub(crate) fn relative_to(mut self, bases: &[&Path]) -> Self {
        let shorten = |path: &mut PathBuf| {
            if let Some(rest) = bases.iter().find_map(|base| path.strip_prefix(base).ok()) {
                *path = rest.to_owned();
            }
        };
        if let Some(Report { path, problem }) = Arc::get_mut(&mut self.0) {
            shorten(path);
            if let Problem::Outside { root: other } | Problem::Hidden { by: other, .. } = problem {
                shorten(other);
            }
        }
        self
    }

    /// Returns whether the file or directory does not exist, or no longer exists.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self.problem(), Problem::Missing)
    }
}

impl Problem {
    /// A skill exceeds the limit `name` of the manifest.
    pub(crate) fn over_limit(excess: impl Into<String>, limit: u64, name: &str) -> Self {
        let hint = format!("remove files that no model needs, or raise the limit `{name}`");
        Self::Limit { excess: excess.into(), limit, hint }
    }

    /// A file has this many bytes.
    pub(crate) fn too_large(bytes: u64, limit: u64) -> Self {
        Self::over_limit(format!("{bytes} bytes"), limit, "bytes_per_file")
    }

    /// A directory is nested this deeply.
    pub(crate) fn too_deep(depth: u64, limit: u64) -> Self {
        Self::over_limit(format!("{depth} levels of directories"), limit, "tree_depth")
    }

    /// A problem that one function reports, in its words.
    pub(crate) fn other(kind: ErrorKind, message: String, hint: impl Into<String>) -> Self {
        Self::Other { kind, message, hint: Some(hint.into()), source: None }
    }

    /// Returns the error that `path` has this problem.
    pub(crate) fn at(self, path: impl Into<PathBuf>) -> Error {
        Error(Arc::new(Report { path: path.into(), problem: self }))
    }

    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Read { source }
            | Self::Write { source }
            | Self::Install { source }
            | Self::Start { source } => Some(source),
            Self::InvalidPath { source } | Self::Other { source: Some(source), .. } => {
                Some(&**source)
            }
            _ => None,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Missing => {
                "create it, or use another path; mark a root that may be missing as `optional()`"
            }
            Self::Outside { root } => {
                return Some(format!(
                    "copy the files into `{}`, or for the whole directory of a skill, name the directory that has the target with `follow_links_into`; links between files must be relative",
                    path_text(root),
                ));
            }
            Self::Link => "replace it with a copy of its target",
            Self::Limit { hint, .. } => return Some(hint.clone()),
            Self::Invalid { findings } => {
                return findings.first().and_then(|finding| finding.hint.clone());
            }
            Self::Hidden { .. } => "rename or remove one of the two",
            Self::Write { source } => match source.kind() {
                io::ErrorKind::AlreadyExists
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::IsADirectory => {
                    "rename one of the two files of the skill whose names are equal on this file system"
                }
                _ => "free some space, or set `TMPDIR` to a writable directory",
            },
            Self::Install { source } => match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "make the directory writable for the current user, or choose other agents"
                }
                io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                    "move away the file or link that is in the way, or choose other agents"
                }
                _ => "fix the cause and run the command again: it completes what is half done",
            },
            Self::Start { source } => match source.kind() {
                io::ErrorKind::NotFound => {
                    "install it, or use another program; names are searched in `PATH`"
                }
                io::ErrorKind::PermissionDenied => {
                    "make it executable for the user that the agent runs as"
                }
                io::ErrorKind::ArgumentListTooLong => {
                    "pass less: the system limits the size of arguments and environment"
                }
                io::ErrorKind::InvalidInput => "remove NUL characters from arguments and variables",
                _ => return None,
            },
            Self::Other { hint, .. } => return hint.clone(),
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { self.0.fmt(f) } else { write!(f, "{}", ErrorChain(self)) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = display_path(&self.0.path);
        match self.problem() {
            Problem::Missing => write!(f, "`{shown}` does not exist"),
            Problem::Read { .. } => write!(f, "failed to read `{shown}`"),
            Problem::Write { .. } => write!(f, "failed to write `{shown}`"),
            Problem::Install { .. } => write!(f, "failed to change `{shown}`"),
            Problem::Outside { root } => {
                let root = display_path(root);
                write!(f, "`{shown}` leads out of `{root}` by a symbolic link")
            }
            Problem::Link => write!(f, "`{shown}` is a link, or is behind one"),
            Problem::NotAFile => write!(f, "`{shown}` is not a regular file"),
            Problem::InvalidPath { .. } => write!(f, "a skill cannot use the path `{shown}`"),
            Problem::Limit { excess, limit, .. } => {
                write!(f, "`{shown}` has {excess}; the limit is {limit}")
            }
            Problem::Invalid { findings } => f.write_str(&invalid(&self.0.path, findings)),
            Problem::Hidden { by, name } => {
                let (by, name) = (display_path(by), OneLine(name));
                write!(f, "`{shown}` is hidden by `{by}`: both have the name `{name}`")
            }
            Problem::Start { .. } => write!(f, "failed to run `{shown}`"),
            Problem::Other { message, .. } => f.write_str(message),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.problem().source()
    }
}

/// Returns a path on one line, because file names are untrusted text.
pub(crate) fn display_path(path: &Path) -> String {
    OneLine(&path_text(path)).to_string()
}

/// Returns a path as text, with `/` between names also on Windows: as in the names of a skill's
/// files, and because shells remove `\`.
pub(crate) fn path_text(path: &Path) -> String {
    let text = path.to_string_lossy();
    // In a path with this prefix, `/` would be part of a name.
    let is_verbatim = text.starts_with(r"\\?\");
    if cfg!(windows) && !is_verbatim { text.replace('\\', "/") } else { text.into_owned() }
}

/// Formats the first finding with its position, and how many more there are.
fn invalid(path: &Path, findings: &[Finding]) -> String {
    let Some(first) = findings.first() else {
        return format!("`{}` is not a skill", display_path(path));
    };
    let file = first.file.as_ref().map(|file| path.with_file_name(file));
    let what = with_position(file.as_deref().unwrap_or(path), first);
    let (what, message) = (OneLine(&what), OneLine(&first.message));
    format!("`{what}`: {message}{}", and_more(findings.len() - 1))
}

/// Returns a path and the position of a finding in it.
pub(crate) fn with_position(path: &Path, finding: &Finding) -> String {
    let position = finding.at.map(|at| format!(":{at}")).unwrap_or_default();
    format!("{}{position}", path_text(path))
}

/// Formats how many more findings there are.
pub(crate) fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {more} more)") }
}
