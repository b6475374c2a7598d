//! What can go wrong: [`Error`], and for each kind of error the facts behind it.

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

/// One thing that went wrong.
///
/// `Display` is one line without the causes, which `source()` has; what a user can do is apart, in
/// [`Error::hint`]. `{:?}` prints the message with its causes, because that is what a `main` or a
/// build script prints that returns the error; `{:#?}` prints the structure.
#[non_exhaustive]
pub enum Error {
    /// No manifest in the directory or above it.
    NoManifest {
        /// Where the search began.
        start: PathBuf,
    },
    /// The manifest that was named is not there.
    ManifestMissing {
        /// The manifest.
        file: PathBuf,
    },
    /// The manifest cannot be used as it is.
    Manifest {
        /// The manifest.
        file: PathBuf,
        /// What is wrong with it.
        finding: Finding,
    },
    /// The lockfile cannot be used as it is.
    Lock {
        /// The lockfile.
        file: PathBuf,
        /// What is wrong with it.
        finding: Finding,
    },
    /// There is no lockfile.
    NoLock {
        /// Where it should be.
        file: PathBuf,
    },
    /// There is no lockfile, and nothing to lock.
    NoSource {
        /// The manifest.
        file: PathBuf,
    },
    /// The lockfile no longer answers the manifest, or would have to change.
    Drift(Box<Drift>),
    /// A skill of the lockfile is not in the store.
    NotStored {
        /// The skill.
        skill: SkillName,
    },
    /// A skill in the store is not what was locked.
    Edited {
        /// The skill.
        skill: SkillName,
        /// The file, from the project's root.
        path: PathBuf,
        /// How it differs.
        difference: Difference,
    },
    /// What a source gives has another digest than the lockfile says.
    Integrity {
        /// The skill.
        skill: SkillName,
        /// Where it came from.
        place: String,
        /// What the lockfile says.
        expected: Integrity,
        /// What was found.
        found: Integrity,
    },
    /// A pin does not mean the commit that the manifest's `sha` or the lockfile names.
    Moved {
        /// The source.
        key: SourceKey,
        /// Its pin.
        pin: ResolvedPin,
        /// Whether `sha` names the expected commit, and not the lockfile.
        is_sha: bool,
        /// The commit that was expected.
        expected: Box<ObjectId>,
        /// The commit that the pin means now.
        found: Box<ObjectId>,
    },
    /// A tag or a commit that was locked is no longer there.
    Vanished {
        /// The source.
        key: SourceKey,
        /// The tag; none if the commit itself is gone.
        tag: Option<String>,
        /// The commit that was locked.
        commit: ObjectId,
    },
    /// A locked skill is not what its commit has in that place.
    TreeMismatch {
        /// The skill.
        skill: SkillName,
        /// The commit that was locked.
        commit: ObjectId,
        /// The skill's directory.
        path: DirPath,
        /// The tree that was locked.
        expected: Box<ObjectId>,
        /// What the commit has there.
        found: Option<Box<ObjectId>>,
    },
    /// A locked plugin is not where the locked commit of its marketplace says.
    PluginMismatch {
        /// The source.
        key: SourceKey,
        /// The plugin.
        plugin: PluginName,
        /// The commit of the marketplace that was locked.
        commit: Box<ObjectId>,
        /// Where the lockfile says that it is.
        expected: String,
        /// Where the marketplace says that it is.
        found: Option<String>,
    },
    /// A pin, directory or selection of the manifest has no answer in its source.
    Unresolved {
        /// The source.
        key: SourceKey,
        /// What has no answer.
        why: Box<UnresolvedSource>,
    },
    /// Two skills would have one name.
    SameName {
        /// The name.
        name: String,
        /// Where each is.
        places: Vec<String>,
    },
    /// The SKILL.md of a skill cannot be read.
    Skill {
        /// The file.
        place: String,
        /// What is wrong with it.
        finding: Box<Finding>,
        /// The manifest's line that leaves the skill out.
        exclude: Option<String>,
    },
    /// A file of a skill has text that a model reads and a person does not see, and the manifest
    /// does not allow it.
    Invisible {
        /// The skill, by its name in the lockfile.
        skill: SkillName,
        /// What it is, with the path of the file in the skill.
        finding: Box<Finding>,
        /// What can be done, with the line that allows it.
        hint: String,
    },
    /// A file or a directory of a skill cannot be used.
    File {
        /// The file.
        place: String,
        /// Why not.
        why: Box<FileProblem>,
        /// The manifest's line that leaves it out; none if it is too long for a message.
        exclude: Option<String>,
    },
    /// Something is larger than the manifest allows.
    Limit {
        /// What is too large.
        what: Box<ExceededLimit>,
        /// The limit.
        limit: u64,
    },
    /// Text for a model costs more than the manifest allows.
    Budget {
        /// Which text.
        what: String,
        /// What it costs, in estimated tokens.
        tokens: u64,
        /// What it may cost.
        budget: u64,
        /// The manifest's field.
        field: &'static str,
        /// The skills that the most of it is for, with what each costs.
        parts: Vec<(String, u64)>,
    },
    /// The file system.
    Disk {
        /// What was tried.
        verb: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The cache cannot be used.
    Cache {
        /// Which part of it.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// What was asked makes no sense: a path of a command, a variable of the environment, an entry
    /// of the manifest.
    Usage(Box<Usage>),
    /// The network is needed and was forbidden.
    Offline {
        /// The source.
        key: SourceKey,
        /// The locked skills to fetch; none if the source has to be resolved.
        skills: Vec<SkillName>,
        /// Why the source has to be asked.
        why: Offline,
    },
    /// The caller asked to stop ([`Cancellation`](crate::Cancellation)).
    Interrupted,
    /// Skills are missing, and the installed program did not fetch them for a build script.
    Program {
        /// The skills.
        skills: Vec<SkillName>,
        /// The project's directory.
        project: PathBuf,
        /// Why not.
        source: Box<ProgramError>,
    },
    /// A repository cannot be read.
    #[cfg(feature = "git")]
    Git {
        /// The sources that need the repository; none if that is not known.
        keys: std::sync::Arc<[SourceKey]>,
        /// Whether a marketplace names the repository, and not the manifest.
        is_plugin: bool,
        /// What git says.
        error: helix_skills_git::Error,
    },
    /// Further errors of a source, which were only counted.
    More {
        /// The source.
        key: SourceKey,
        /// How many there are.
        count: u64,
        /// Their code.
        code: &'static str,
        /// Their exit code.
        exit: ExitCode,
    },
    /// An error of the program that embeds this crate, or of a source type of its own.
    Custom(Box<Custom>),
}

impl Error {
    /// Returns a function that makes an error of the file system: what was tried, and with which file.
    pub fn disk(verb: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Disk { verb, path, source }
    }

    pub(crate) fn unresolved(key: &SourceKey, why: UnresolvedSource) -> Self {
        Self::Unresolved { key: key.clone(), why: Box::new(why) }
    }

    /// A file that the manifest cannot leave out.
    pub(crate) fn file(place: impl Into<String>, why: FileProblem) -> Self {
        Self::File { place: place.into(), why: Box::new(why), exclude: None }
    }

    /// A source that the manifest does not have.
    pub(crate) fn unknown_source(key: &str, manifest: &Manifest) -> Self {
        Usage::UnknownSource {
            key: key.to_owned(),
            known: manifest.sources.keys().cloned().collect(),
        }
        .into()
    }

    /// How the program ends when this is all that went wrong.
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
            Self::Git { error, .. } => git::exit(error.kind()),
            Self::More { exit, .. } => *exit,
            Self::Custom(error) => error.exit,
        }
    }

    /// A stable, kebab-case name.
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

    /// The file that a person would open, and the place in it. A file that is not in the project, because it was refused, is
    /// named as the manifest's `allow` names it.
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
