//! The error type [`Error`], and types with the details of its variants.

mod custom;
mod display;
mod drift;
mod exceeded_limit;
mod file_problem;
#[cfg(feature = "git")]
mod git;
mod hint;
mod offline;
mod path_problem;
mod program;
mod resolved_pin;
mod source_errors;
#[cfg(test)]
mod tests;
mod unresolved_source;
mod usage;

pub use custom::Custom;
pub use drift::Drift;
pub use exceeded_limit::ExceededLimit;
pub use file_problem::FileProblem;
pub use offline::Offline;
pub use path_problem::PathProblem;
pub use program::ProgramError;
pub use resolved_pin::ResolvedPin;
pub use unresolved_source::UnresolvedSource;
pub use usage::Usage;

pub(crate) use source_errors::{ErrorsBySource, SourceErrors};

use crate::{ExitCode, difference::Difference, manifest::Manifest, marketplace::PluginName};
use helix_skills_format::{DirPath, Finding, Integrity, ObjectId, Position, SkillName, SourceKey};
use std::{
    borrow::Cow,
    io,
    path::{Path, PathBuf},
};

/// An error of an operation on a project.
///
/// `Display` is one line without the causes, which `source()` returns; [`Error::hint`] returns what
/// a user can do about it. `{:?}` prints the message with its causes, because a `main` or a build
/// script that returns the error prints it that way; `{:#?}` prints the structure.
#[non_exhaustive]
pub enum Error {
    /// No manifest in the directory or above it.
    NoManifest {
        /// The directory in which the search started.
        start: PathBuf,
    },
    /// The given manifest does not exist.
    ManifestMissing {
        /// The manifest.
        file: PathBuf,
    },
    /// The manifest is invalid.
    Manifest {
        /// The manifest.
        file: PathBuf,
        /// The problem and its position.
        finding: Finding,
    },
    /// The lockfile is invalid.
    Lock {
        /// The lockfile.
        file: PathBuf,
        /// The problem and its position.
        finding: Finding,
    },
    /// There is no lockfile.
    NoLock {
        /// Its expected path.
        file: PathBuf,
    },
    /// There is no lockfile, and the manifest has no sources.
    NoSource {
        /// The manifest.
        file: PathBuf,
    },
    /// The lockfile does not match the manifest, or would have to change.
    Drift(Box<Drift>),
    /// Skills of the lockfile are not in the store.
    NotStored {
        /// The skills; never empty.
        skills: Vec<SkillName>,
    },
    /// A skill in the store differs from the locked skill.
    Edited {
        /// The skill.
        skill: SkillName,
        /// The file, from the project's root.
        path: PathBuf,
        /// How it differs.
        difference: Difference,
    },
    /// The files of a source do not match the digest in the lockfile.
    Integrity {
        /// The skill.
        skill: SkillName,
        /// The source and its directory.
        place: String,
        /// The integrity in the lockfile.
        expected: Integrity,
        /// The integrity of the files.
        found: Integrity,
    },
    /// A pin does not resolve to the commit that the manifest's `sha` or the lockfile names.
    Moved {
        /// The source.
        key: SourceKey,
        /// Its pin.
        pin: ResolvedPin,
        /// Whether the expected commit is from `sha`, rather than from the lockfile.
        is_sha: bool,
        /// The expected commit.
        expected: Box<ObjectId>,
        /// The commit to which the pin resolves.
        found: Box<ObjectId>,
    },
    /// Upstream no longer has a locked tag or commit.
    Vanished {
        /// The source.
        key: SourceKey,
        /// The tag; `None` if the commit itself is missing.
        tag: Option<String>,
        /// The locked commit.
        commit: ObjectId,
    },
    /// The tree of a locked skill is not the one in its commit.
    TreeMismatch {
        /// The skill.
        skill: SkillName,
        /// The locked commit.
        commit: ObjectId,
        /// The skill's directory.
        path: DirPath,
        /// The locked tree.
        expected: Box<ObjectId>,
        /// The object in the commit; `None` if it has none.
        found: Option<Box<ObjectId>>,
    },
    /// The location of a locked plugin is not the one in the locked commit of its marketplace.
    PluginMismatch {
        /// The source.
        key: SourceKey,
        /// The plugin.
        plugin: PluginName,
        /// The locked commit of the marketplace.
        commit: Box<ObjectId>,
        /// The location in the lockfile.
        expected: String,
        /// The location in the marketplace; `None` if it has no such plugin.
        found: Option<String>,
    },
    /// A pin, directory or selection of the manifest does not exist in its source.
    Unresolved {
        /// The source.
        key: SourceKey,
        /// What does not exist, and why.
        why: Box<UnresolvedSource>,
    },
    /// Several skills would have the same name.
    SameName {
        /// The name.
        name: String,
        /// The source and the directory of each skill.
        places: Vec<(SourceKey, DirPath)>,
    },
    /// The SKILL.md of a skill cannot be read.
    Skill {
        /// The file.
        place: String,
        /// The problem and its position.
        finding: Box<Finding>,
        /// The line for the manifest that excludes the skill.
        exclude: Option<String>,
    },
    /// A file of a skill contains invisible text that the manifest does not allow.
    Invisible {
        /// The skill, by its name in the lockfile.
        skill: SkillName,
        /// The problem, with the path of the file in the skill.
        finding: Box<Finding>,
        /// The hint, with the line for the manifest that allows the text.
        hint: String,
    },
    /// A file or a directory of a skill cannot be used.
    File {
        /// The file.
        place: String,
        /// The reason.
        why: Box<FileProblem>,
        /// The line for the manifest that excludes it; `None` if it is too long for a message.
        exclude: Option<String>,
    },
    /// A limit of the manifest is exceeded.
    Limit {
        /// The limit, and what exceeds it.
        what: Box<ExceededLimit>,
        /// The value of the limit.
        limit: u64,
    },
    /// A text for models exceeds its token budget.
    Budget {
        /// The text.
        what: String,
        /// Its cost in estimated tokens.
        tokens: u64,
        /// The budget.
        budget: u64,
        /// The manifest's field with the budget.
        field: &'static str,
        /// The most expensive skills, with the cost of each.
        parts: Vec<(String, u64)>,
    },
    /// A file system operation failed.
    Disk {
        /// The operation, as in "failed to *verb* `path`".
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The cache cannot be used.
    Cache {
        /// The file or directory of the cache.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// An invalid argument, environment variable or entry of the manifest.
    Usage(Box<Usage>),
    /// The network is needed, but offline mode is set.
    Offline {
        /// The source.
        key: SourceKey,
        /// The locked skills to fetch; empty if the source has to be resolved.
        skills: Vec<SkillName>,
        /// Why the network is needed.
        why: Offline,
    },
    /// The operation was canceled ([`Cancellation`](crate::Cancellation)).
    Interrupted,
    /// Skills are missing, and the installed program failed to fetch them for a build script.
    Program {
        /// The skills.
        skills: Vec<SkillName>,
        /// The project's directory.
        project: PathBuf,
        /// The cause.
        source: Box<ProgramError>,
    },
    /// A repository cannot be read.
    #[cfg(feature = "git")]
    Git {
        /// The sources that need the repository; empty if not known.
        keys: std::sync::Arc<[SourceKey]>,
        /// Whether the repository's URL comes from a marketplace, and not from the manifest.
        is_plugin: bool,
        /// The cause.
        error: helix_skills_git::Error,
    },
    /// Further errors of a source that were only counted.
    More {
        /// The source.
        key: SourceKey,
        /// Number of errors.
        count: u64,
        /// Their code.
        code: &'static str,
        /// Their exit code.
        exit: ExitCode,
    },
    /// An error of a program that uses this crate, or of a custom source type.
    Custom(Box<Custom>),
}

impl Error {
    /// Returns a function that converts an IO error into [`Error::Disk`].
    ///
    /// ```
    /// use helix_skills_project::Error;
    /// let error = std::fs::read("/gone").map_err(Error::disk("read", "/gone")).unwrap_err();
    /// assert_eq!(error.to_string(), "failed to read `/gone`");
    /// ```
    pub fn disk(verb: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Disk { verb, path, source }
    }

    pub(crate) fn unresolved(key: &SourceKey, why: UnresolvedSource) -> Self {
        Self::Unresolved { key: key.clone(), why: Box::new(why) }
    }

    /// Returns an error for a file that the manifest cannot exclude.
    pub(crate) fn file(place: impl Into<String>, why: FileProblem) -> Self {
        Self::File { place: place.into(), why: Box::new(why), exclude: None }
    }

    /// Returns an error for a name that is neither a source of the manifest nor one of `skills`.
    pub(crate) fn unknown_source(key: &str, manifest: &Manifest, skills: Vec<SkillName>) -> Self {
        let known = manifest.sources.keys().cloned().collect();
        Usage::UnknownSource { key: key.to_owned(), known, skills }.into()
    }

    /// Returns the exit code of a command that fails with only this error.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::NoManifest { .. }
            | Self::ManifestMissing { .. }
            | Self::Manifest { .. }
            | Self::Unresolved { .. }
            | Self::SameName { .. }
            | Self::Usage(_) => ExitCode::Usage,
            Self::Lock { .. }
            | Self::NoLock { .. }
            | Self::NoSource { .. }
            | Self::Drift(_)
            | Self::NotStored { .. }
            | Self::Skill { .. }
            | Self::Program { .. }
            | Self::File { .. } => ExitCode::Drift,
            Self::Edited { .. }
            | Self::Integrity { .. }
            | Self::Moved { .. }
            | Self::Vanished { .. }
            | Self::TreeMismatch { .. }
            | Self::PluginMismatch { .. } => ExitCode::Mismatch,
            Self::Limit { .. } | Self::Budget { .. } | Self::Invisible { .. } => ExitCode::Policy,
            Self::Disk { .. } | Self::Cache { .. } => ExitCode::Disk,
            Self::Offline { .. } => ExitCode::Network,
            Self::Interrupted => ExitCode::Interrupted,
            #[cfg(feature = "git")]
            Self::Git { error, .. } => git::exit_code(error.kind()),
            Self::More { exit, .. } => *exit,
            Self::Custom(error) => error.exit,
        }
    }

    /// Returns a stable kebab-case code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoManifest { .. } | Self::ManifestMissing { .. } => "no-manifest",
            Self::Manifest { finding, .. } | Self::Lock { finding, .. } => finding.code.as_str(),
            Self::Skill { finding, .. } | Self::Invisible { finding, .. } => finding.code.as_str(),
            Self::NoLock { .. } => "no-lock",
            Self::NoSource { .. } => "no-source",
            Self::Drift(_) => "drift",
            Self::NotStored { .. } => "not-stored",
            Self::Edited { difference, .. } => difference.code(),
            Self::Integrity { .. } => "integrity",
            Self::Moved { .. } => "moved",
            Self::Vanished { .. } => "vanished",
            Self::TreeMismatch { .. } => "tree-mismatch",
            Self::PluginMismatch { .. } => "plugin-mismatch",
            Self::Unresolved { .. } => "unresolved",
            Self::SameName { .. } => "same-name",
            Self::File { .. } => "file",
            Self::Limit { .. } => "limit",
            Self::Budget { .. } => "budget",
            Self::Disk { .. } => "disk",
            Self::Cache { .. } => "cache",
            Self::Usage(_) => "usage",
            Self::Offline { .. } => "offline",
            Self::Interrupted => "interrupted",
            Self::Program { .. } => "program",
            #[cfg(feature = "git")]
            Self::Git { error, .. } => git::code(error.kind()),
            Self::More { code, .. } => code,
            Self::Custom(error) => error.code,
        }
    }

    /// Returns the file to look at, and the position in it.
    ///
    /// A file that is not in the project, because it was rejected, has its path in the manifest's
    /// `allow`.
    #[must_use]
    pub fn place(&self) -> Option<(Cow<'_, Path>, Option<Position>)> {
        match self {
            Self::Manifest { file, finding } | Self::Lock { file, finding } => {
                Some((file.into(), finding.at))
            }
            Self::NoLock { file } | Self::NoSource { file } => Some((file.into(), None)),
            Self::Skill { place, finding, .. } => Some((Path::new(place).into(), finding.at)),
            Self::Invisible { skill, finding, .. } => {
                let file =
                    Path::new(skill.as_str()).join(finding.file.as_deref().unwrap_or_default());
                Some((file.into(), finding.at))
            }
            Self::Edited { path, .. } | Self::Disk { path, .. } => Some((path.into(), None)),
            _ => None,
        }
    }
}

impl From<Drift> for Error {
    fn from(drift: Drift) -> Self {
        Self::Drift(Box::new(drift))
    }
}

impl From<Usage> for Error {
    fn from(usage: Usage) -> Self {
        Self::Usage(Box::new(usage))
    }
}

impl From<Custom> for Error {
    fn from(error: Custom) -> Self {
        Self::Custom(Box::new(error))
    }
}
