//! What can go wrong.

#[cfg(feature = "git")]
mod git;
mod hint;
mod source_errors;

pub(crate) use source_errors::{ErrorsBySource, SourceErrors};

use crate::{Exit, store::Difference};
use crate::{manifest::Manifest, marketplace::PluginName};
use helix_skills_format::{DirPath, Finding, Integrity, ObjectId, Position, SkillName, SourceKey, nearest, redacted};
use std::{
    borrow::Cow,
    fmt, io,
    path::{Path, PathBuf},
};

/// One thing that went wrong.
///
/// `Display` is this level only, one line; [`Error::hint`] and `source()` are apart.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No manifest in the directory or above it.
    #[error("cannot find `helix.skills.json` in `{}` or any directory above it", .start.display())]
    NoManifest {
        /// Where the search began.
        start: PathBuf,
    },
    /// The manifest that was named is not there.
    #[error("cannot find the manifest `{}`", .file.display())]
    ManifestMissing {
        /// The manifest.
        file: PathBuf,
    },
    /// The manifest cannot be used as it is.
    #[error("{finding}")]
    Manifest {
        /// The manifest.
        file: PathBuf,
        /// What is wrong with it.
        finding: Finding,
    },
    /// The lock cannot be used as it is.
    #[error("{finding}")]
    Lock {
        /// The lock.
        file: PathBuf,
        /// What is wrong with it.
        finding: Finding,
    },
    /// There is no lock.
    #[error("there is no lock, `{}`", .file.display())]
    NoLock {
        /// Where it should be.
        file: PathBuf,
    },
    /// There is no lock, and nothing to lock.
    #[error("the manifest names no source yet")]
    NoSource {
        /// The manifest.
        file: PathBuf,
    },
    /// The lock no longer answers the manifest, or would have to change.
    #[error("{what}")]
    Drift {
        /// What has drifted.
        what: String,
    },
    /// A skill of the lock is not in the store.
    #[error("the skill `{skill}` is not in the store")]
    NotStored {
        /// The skill.
        skill: SkillName,
    },
    /// A skill in the store is not what was locked.
    #[error("`{}` of the skill `{skill}`: {difference}", .path.display())]
    Edited {
        /// The skill.
        skill: SkillName,
        /// The file, from the project's root.
        path: PathBuf,
        /// How it differs.
        difference: Difference,
    },
    /// What a source gives has another digest than the lock says.
    #[error("the skill `{skill}` from {place} has the integrity {found}, the lock says {expected}")]
    Integrity {
        /// The skill.
        skill: SkillName,
        /// Where it came from.
        place: String,
        /// What the lock says.
        expected: Integrity,
        /// What was found.
        found: Integrity,
    },
    /// A pin does not mean the commit it should.
    #[error("{what} means the commit {found}, but {asserted} says {expected}")]
    Moved {
        /// The source and its pin.
        what: String,
        /// Who says so: `sha`, or the lock.
        asserted: &'static str,
        /// What was asserted.
        expected: String,
        /// What the pin means now.
        found: String,
    },
    /// A tag or a commit that was locked is no longer there.
    #[error("{what} is gone; the lock has the commit {commit}")]
    Vanished {
        /// The source, and what it no longer has.
        what: String,
        /// What was locked.
        commit: ObjectId,
    },
    /// A locked skill is not what its commit has in that place.
    #[error(
        "the lock says that the skill `{skill}` is the tree {expected}, and {}",
        .found.as_ref().map_or_else(
            || format!("the commit {commit} has no `{path}`"),
            |found| format!("`{path}` of the commit {commit} is {found}"),
        )
    )]
    Foreign {
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
    /// A locked plugin does not lie where the locked commit of its marketplace says.
    #[error(
        "the source `{key}`: the lock says that the plugin `{plugin}` lies in {expected}, and the commit {commit} of the marketplace says {}",
        .found.as_deref().unwrap_or("nothing of it")
    )]
    ForeignPlugin {
        /// The source.
        key: SourceKey,
        /// The plugin.
        plugin: PluginName,
        /// The commit of the marketplace that was locked.
        commit: Box<ObjectId>,
        /// Where the lock says that it lies.
        expected: String,
        /// Where the marketplace says that it lies.
        found: Option<String>,
    },
    /// A pin, directory or selection of the manifest has no answer in its source.
    #[error("the source `{key}`: {what}")]
    Unanswered {
        /// The source.
        key: SourceKey,
        /// What has no answer.
        what: String,
        /// What can be done.
        hint: Option<String>,
    },
    /// Two skills would have one name.
    #[error("{} skills have the name `{name}`: {}", .places.len(), Places(.places))]
    SameName {
        /// The name.
        name: String,
        /// Where each lies.
        places: Vec<String>,
    },
    /// The SKILL.md of a skill cannot be read.
    #[error("{place}{}: {finding}", At(&.finding.at))]
    Skill {
        /// The file.
        place: String,
        /// What is wrong with it.
        finding: Box<Finding>,
        /// The manifest's line that leaves the skill out.
        exclude: Option<String>,
    },
    /// A file of a skill holds what a model reads and a person does not see, and the manifest does not let it through.
    #[error("{skill}/{}{}: {finding}", .finding.file.as_deref().unwrap_or_default(), At(&.finding.at))]
    Invisible {
        /// The skill, by its name in the lock.
        skill: SkillName,
        /// What it is, with the path of the file in the skill.
        finding: Box<Finding>,
        /// What can be done, with the line that lets it through.
        hint: String,
    },
    /// A file of a skill cannot be baked.
    #[error("{place}: {what}")]
    File {
        /// The file.
        place: String,
        /// Why not.
        what: String,
        /// What can be done.
        hint: Option<String>,
    },
    /// Something is larger than the manifest allows.
    #[error("{what} is over the limit of {limit} (`{field}`)")]
    Limit {
        /// What is too large, with its size.
        what: String,
        /// The limit.
        limit: u64,
        /// The manifest's field.
        field: &'static str,
    },
    /// Text for a model costs more than the manifest allows.
    #[error(
        "{what} costs about {tokens} tokens, which is over the budget of {budget} (`{field}`){}",
        Parts(.parts)
    )]
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
    #[error("cannot {verb} `{}`", .path.display())]
    Disk {
        /// What was tried.
        verb: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The cache cannot be used.
    #[error("cannot use the cache `{}`", .path.display())]
    Cache {
        /// Which part of it.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// What was asked makes no sense: a word of the command line, a variable of the environment, an entry of the manifest.
    #[error("{what}")]
    Usage {
        /// What is wrong.
        what: String,
        /// What can be done.
        hint: Option<String>,
    },
    /// The network is needed and was refused.
    #[error("{what} needs the network, which `--offline` and `--frozen` refuse: {why}")]
    Offline {
        /// What needs it.
        what: String,
        /// Why it does.
        why: String,
    },
    /// Somebody asked to stop ([`Cancellation`](crate::Cancellation)).
    #[error("interrupted")]
    Interrupted,
    /// A skill is missing and only the program can fetch it.
    #[error("{what}")]
    Program {
        /// What failed.
        what: String,
        /// What can be done.
        hint: String,
    },
    /// A repository cannot be read.
    #[error("{what}")]
    Repository {
        /// What failed.
        what: String,
        /// How the program ends.
        exit: Exit,
        /// A stable, kebab-case name.
        code: &'static str,
        /// What can be done.
        hint: Option<String>,
        /// Why it failed.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
}

/// `:line:column` after a file's name, where there is one.
struct At<'a>(&'a Option<Position>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |at| write!(f, ":{at}"))
    }
}

/// The first of the places of skills with one name: a source may have thousands of them.
struct Places<'a>(&'a [String]);

impl fmt::Display for Places<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Places that are shown.
        const SHOWN: usize = 20;
        f.write_str(&self.0.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", "))?;
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// The most costly parts of a text, after what it costs.
struct Parts<'a>(&'a [(String, u64)]);

impl fmt::Display for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, tokens)) in self.0.iter().enumerate() {
            let before = if at == 0 { "; the largest are" } else { "," };
            write!(f, "{before} `{name}` ({tokens})")?;
        }
        Ok(())
    }
}

impl Error {
    #[doc(hidden)]
    pub fn disk(verb: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Disk { verb, path, source }
    }

    pub(crate) fn unanswered(key: &SourceKey, what: impl Into<String>) -> Self {
        Self::Unanswered { key: key.clone(), what: what.into(), hint: None }
    }

    /// The same error once more, for another one whom it concerns.
    #[cfg(feature = "git")]
    pub(crate) fn again(&self) -> Self {
        if let Self::Interrupted = self {
            return Self::Interrupted;
        }
        let mut why = std::error::Error::source(self).map(ToString::to_string);
        let mut cause = std::error::Error::source(self).and_then(std::error::Error::source);
        while let (Some(text), Some(next)) = (&mut why, cause) {
            text.push_str(&format!(": {next}"));
            cause = next.source();
        }
        let (what, exit, code, hint) = (self.to_string(), self.exit(), self.code(), self.hint());
        Self::Repository { what, exit, code, hint, source: why.map(Into::into) }
    }

    /// A source that the manifest does not have.
    #[doc(hidden)]
    pub fn unknown_source(key: &str, manifest: &Manifest) -> Self {
        let known: Vec<&str> = manifest.sources.keys().map(SourceKey::as_str).collect();
        let hint = match nearest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "`skills add` adds a source".to_owned(),
            None => format!("it has {}", known.join(", ")),
        };
        Self::Usage { what: format!("the manifest has no source `{}`", redacted(key).escape_debug()), hint: Some(hint) }
    }

    /// How the program ends when this is all that went wrong.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::NoManifest { .. }
            | Self::ManifestMissing { .. }
            | Self::Manifest { .. }
            | Self::Unanswered { .. }
            | Self::SameName { .. }
            | Self::Usage { .. } => Exit::Usage,
            Self::Lock { .. }
            | Self::NoLock { .. }
            | Self::NoSource { .. }
            | Self::Drift { .. }
            | Self::NotStored { .. }
            | Self::Skill { .. }
            | Self::Program { .. }
            | Self::File { .. } => Exit::Drift,
            Self::Edited { .. }
            | Self::Integrity { .. }
            | Self::Moved { .. }
            | Self::Vanished { .. }
            | Self::Foreign { .. }
            | Self::ForeignPlugin { .. } => Exit::Mismatch,
            Self::Limit { .. } | Self::Budget { .. } | Self::Invisible { .. } => Exit::Policy,
            Self::Disk { .. } | Self::Cache { .. } => Exit::Disk,
            Self::Offline { .. } => Exit::Network,
            Self::Interrupted => Exit::Interrupted,
            Self::Repository { exit, .. } => *exit,
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
            Self::Drift { .. } => "drift",
            Self::NotStored { .. } => "not-stored",
            Self::Edited { difference, .. } => difference.code(),
            Self::Integrity { .. } => "integrity",
            Self::Moved { .. } => "moved",
            Self::Vanished { .. } => "vanished",
            Self::Foreign { .. } => "foreign-tree",
            Self::ForeignPlugin { .. } => "foreign-plugin",
            Self::Unanswered { .. } => "unanswered",
            Self::SameName { .. } => "same-name",
            Self::File { .. } => "file",
            Self::Limit { .. } => "limit",
            Self::Budget { .. } => "budget",
            Self::Disk { .. } => "disk",
            Self::Cache { .. } => "cache",
            Self::Usage { .. } => "usage",
            Self::Offline { .. } => "offline",
            Self::Interrupted => "interrupted",
            Self::Program { .. } => "program",
            Self::Repository { code, .. } => code,
        }
    }

    /// The file that a person would open, and the place in it. A file that is not in the project, because it was refused, is
    /// named as the manifest's `allow` names it.
    #[must_use]
    pub fn place(&self) -> Option<(Cow<'_, Path>, Option<Position>)> {
        match self {
            Self::Manifest { file, finding } | Self::Lock { file, finding } => Some((file.into(), finding.at)),
            Self::NoLock { file } | Self::NoSource { file } => Some((file.into(), None)),
            Self::Skill { place, finding, .. } => Some((Path::new(place).into(), finding.at)),
            Self::Invisible { skill, finding, .. } => {
                let file = Path::new(skill.as_str()).join(finding.file.as_deref().unwrap_or_default());
                Some((file.into(), finding.at))
            }
            Self::Edited { path, .. } | Self::Disk { path, .. } => Some((path.into(), None)),
            _ => None,
        }
    }

    /// The whole message: the file's place where the message does not name it, then each cause.
    #[must_use]
    pub fn message(&self) -> String {
        let mut text = match self {
            Self::Manifest { file, finding } | Self::Lock { file, finding } => {
                format!("{}{}: ", file.display(), At(&finding.at))
            }
            _ => String::new(),
        };
        text.push_str(&self.to_string());
        let mut cause = std::error::Error::source(self);
        while let Some(why) = cause {
            text.push_str(": ");
            text.push_str(&why.to_string());
            cause = why.source();
        }
        text
    }
}
