//! The message of each error.

use super::{Error, ExceededLimit};
#[cfg(feature = "git")]
use helix_skills_format::__internal::listed;
use helix_skills_format::__internal::{and_more, error_debug, listed_all};
use helix_skills_format::Position;
use std::fmt;

/// Sources that need one repository and are shown.
#[cfg(feature = "git")]
const SOURCES_SHOWN: usize = 20;

/// Places of skills with one name that are shown: a source may have thousands of them.
const PLACES_SHOWN: usize = 20;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoManifest { start } => {
                write!(
                    f,
                    "cannot find `helix.skills.json` in `{}` or any directory above it",
                    start.display()
                )
            }
            Self::ManifestMissing { file } => {
                write!(f, "cannot find the manifest `{}`", file.display())
            }
            Self::Manifest { file, finding } | Self::Lock { file, finding } => {
                write!(f, "{}{}: {finding}", file.display(), At(finding.at))
            }
            Self::NoLock { file } => write!(f, "there is no lockfile, `{}`", file.display()),
            Self::NoSource { .. } => f.write_str("the manifest names no source yet"),
            Self::Drift(drift) => drift.fmt(f),
            Self::NotStored { skill } => write!(f, "the skill `{skill}` is not in the store"),
            Self::Edited { skill, path, difference } => {
                write!(f, "`{}` of the skill `{skill}`: {difference}", path.display())
            }
            Self::Integrity { skill, place, expected, found } => {
                write!(
                    f,
                    "the skill `{skill}` from {place} has the integrity {found}, the lockfile says {expected}"
                )
            }
            Self::Moved { key, pin, is_sha, expected, found } => {
                let asserted = if *is_sha { "`sha`" } else { "the lockfile" };
                write!(
                    f,
                    "the source `{key}`: {pin} means the commit {found}, but {asserted} says {expected}"
                )
            }
            Self::Vanished { key, tag: Some(tag), commit } => {
                write!(
                    f,
                    "the source `{key}`: the tag `{tag}` is gone; the lockfile has the commit {commit}"
                )
            }
            Self::Vanished { key, tag: None, commit } => {
                write!(
                    f,
                    "the source `{key}`: the locked commit is gone; the lockfile has the commit {commit}"
                )
            }
            Self::TreeMismatch { skill, commit, path, expected, found } => {
                write!(
                    f,
                    "the lockfile says that the skill `{skill}` is the tree {expected}, and "
                )?;
                match found {
                    None => write!(f, "the commit {commit} has no `{path}`"),
                    Some(found) => write!(f, "`{path}` of the commit {commit} is {found}"),
                }
            }
            Self::PluginMismatch { key, plugin, commit, expected, found } => {
                write!(
                    f,
                    "the source `{key}`: the lockfile says that the plugin `{plugin}` is in {expected}, "
                )?;
                let found = found.as_deref().unwrap_or("nothing of it");
                write!(f, "and the commit {commit} of the marketplace says {found}")
            }
            Self::Unresolved { key, why } => write!(f, "the source `{key}`: {why}"),
            Self::SameName { name, places } => {
                let shown: Vec<&str> =
                    places.iter().take(PLACES_SHOWN).map(String::as_str).collect();
                let more = and_more(places.len() - shown.len());
                write!(
                    f,
                    "{} skills have the name `{name}`: {}{more}",
                    places.len(),
                    shown.join(", ")
                )
            }
            Self::Skill { place, finding, .. } => write!(f, "{place}{}: {finding}", At(finding.at)),
            Self::Invisible { skill, finding, .. } => {
                write!(
                    f,
                    "{skill}/{}{}: {finding}",
                    finding.file.as_deref().unwrap_or_default(),
                    At(finding.at)
                )
            }
            Self::File { place, why, .. } => write!(f, "{place}: {why}"),
            Self::Limit { what, limit } => over(f, what, *limit),
            Self::Budget { what, tokens, budget, field, parts } => {
                write!(
                    f,
                    "{what} costs about {tokens} tokens, which is over the budget of {budget} (`{field}`)"
                )?;
                for (at, (name, tokens)) in parts.iter().enumerate() {
                    let before = if at == 0 { "; the largest are" } else { "," };
                    write!(f, "{before} `{name}` ({tokens})")?;
                }
                Ok(())
            }
            Self::Disk { verb, path, .. } => write!(f, "cannot {verb} `{}`", path.display()),
            Self::Cache { path, .. } => write!(f, "cannot use the cache `{}`", path.display()),
            Self::Usage(usage) => usage.fmt(f),
            Self::Offline { key, skills, why } => {
                match skills.as_slice() {
                    [] => write!(f, "resolving the source `{key}`")?,
                    skills => write!(f, "fetching {} of the source `{key}`", listed_all(skills))?,
                }
                write!(f, " needs the network, which `--offline` and `--frozen` refuse: {why}")
            }
            Self::Interrupted => f.write_str("interrupted"),
            Self::Program { skills, .. } => {
                write!(f, "cannot fetch the missing {}", listed_all(skills))
            }
            #[cfg(feature = "git")]
            Self::Git { keys, is_plugin, error } => {
                let of_plugin = if *is_plugin { "the plugin of " } else { "" };
                match &**keys {
                    [] => {}
                    [key] => write!(f, "{of_plugin}the source `{key}`: ")?,
                    keys => write!(f, "{of_plugin}the sources {}: ", listed(keys, SOURCES_SHOWN))?,
                }
                error.fmt(f)
            }
            Self::More { key, count, code, .. } => {
                let errors = if *count == 1 { "error" } else { "errors" };
                write!(f, "and {count} more {errors} of the kind `{code}` in the source `{key}`")
            }
            Self::Custom(error) => error.fmt(f),
        }
    }
}

fn over(f: &mut fmt::Formatter<'_>, what: &ExceededLimit, limit: u64) -> fmt::Result {
    write!(f, "{what} is over the limit of {limit}")?;
    match what.field() {
        Some(field) => write!(f, " (`{field}`)"),
        None => Ok(()),
    }
}

/// `:line:column` after a file's name, if there is a position.
struct At(Option<Position>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |at| write!(f, ":{at}"))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Disk { source, .. } | Self::Cache { source, .. } => Some(source),
            Self::Program { source, .. } => Some(&**source),
            // The message has these already: the next level is what is behind them.
            Self::Unresolved { why, .. } => why.source(),
            Self::File { why, .. } => why.source(),
            Self::Usage(usage) => usage.source(),
            #[cfg(feature = "git")]
            Self::Git { error, .. } => error.source(),
            Self::Custom(error) => error.source(),
            _ => None,
        }
    }
}

error_debug!(Error {
    NoManifest { start },
    ManifestMissing { file },
    Manifest { file, finding },
    Lock { file, finding },
    NoLock { file },
    NoSource { file },
    Drift(drift),
    NotStored { skill },
    Edited { skill, path, difference },
    Integrity { skill, place, expected, found },
    Moved { key, pin, is_sha, expected, found },
    Vanished { key, tag, commit },
    TreeMismatch { skill, commit, path, expected, found },
    PluginMismatch { key, plugin, commit, expected, found },
    Unresolved { key, why },
    SameName { name, places },
    Skill { place, finding, exclude },
    Invisible { skill, finding, hint },
    File { place, why, exclude },
    Limit { what, limit },
    Budget { what, tokens, budget, field, parts },
    Disk { verb, path, source },
    Cache { path, source },
    Usage(usage),
    Offline { key, skills, why },
    Interrupted,
    Program { skills, project, source },
    #[cfg(feature = "git")]
    Git { keys, is_plugin, error },
    More { key, count, code, exit },
    Custom(error),
});
