//! The message of each error.

use super::{Error, ExceededLimit};
use helix_skills_format::__internal::{and_more, error_debug, listed, listed_all};
use helix_skills_format::Position;
use std::fmt;

/// Maximum number of sources of one repository that a message lists.
#[cfg(feature = "git")]
const MAX_SOURCES: usize = 20;

/// Maximum number of skills that a message on missing skills names.
const MAX_MISSING: usize = 5;

/// Maximum number of skills with the same name that a message lists; a source may have thousands.
const MAX_PLACES: usize = 20;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoManifest { start } => {
                write!(
                    f,
                    "cannot find `helix.skills.json` in `{}` or any parent directory",
                    start.display()
                )
            }
            Self::ManifestMissing { file } => {
                write!(f, "cannot find the manifest `{}`", file.display())
            }
            Self::Manifest { file, finding } | Self::Lock { file, finding } => {
                write!(f, "{}{}: {finding}", file.display(), At(finding.at))
            }
            Self::NoLock { file } => write!(f, "cannot find the lockfile `{}`", file.display()),
            Self::NoSource { .. } => f.write_str("the manifest has no sources"),
            Self::Drift(drift) => drift.fmt(f),
            Self::NotStored { skills } => {
                let named = listed(skills, MAX_MISSING);
                match skills.as_slice() {
                    [_] => write!(f, "the skill {named} is not in the store"),
                    _ => write!(f, "the skills {named} are not in the store"),
                }
            }
            Self::Edited { skill, path, difference } => {
                write!(f, "`{}` of the skill `{skill}`: {difference}", path.display())
            }
            Self::Integrity { skill, place, expected, found } => {
                write!(
                    f,
                    "the skill `{skill}` from {place} has the integrity {found}, but the lockfile has {expected}"
                )
            }
            Self::Moved { key, pin, is_sha, expected, found } => {
                let asserted = if *is_sha { "`sha`" } else { "the lockfile" };
                write!(
                    f,
                    "the source `{key}`: {pin} resolves to the commit {found}, expected {expected} from {asserted}"
                )
            }
            Self::Vanished { key, tag: Some(tag), commit } => {
                write!(
                    f,
                    "the source `{key}`: the tag `{tag}` no longer exists; it was locked at the commit {commit}"
                )
            }
            Self::Vanished { key, tag: None, commit } => {
                write!(f, "the source `{key}`: the locked commit {commit} no longer exists")
            }
            Self::TreeMismatch { skill, commit, path, expected, found } => {
                write!(f, "the lockfile has the tree {expected} for the skill `{skill}`, but ")?;
                match found {
                    None => write!(f, "the commit {commit} has no `{path}`"),
                    Some(found) => write!(f, "`{path}` of the commit {commit} is {found}"),
                }
            }
            Self::PluginMismatch { key, plugin, commit, expected, found } => {
                write!(
                    f,
                    "the source `{key}`: the lockfile has the plugin `{plugin}` in {expected}, but the commit {commit} of the marketplace "
                )?;
                match found {
                    None => f.write_str("has no such plugin"),
                    Some(found) => write!(f, "has it in {found}"),
                }
            }
            Self::Unresolved { key, why } => write!(f, "the source `{key}`: {why}"),
            Self::SameName { name, places } => {
                let shown = places.iter().take(MAX_PLACES);
                let shown: Vec<_> = shown.map(|(key, path)| format!("{key}: {path}")).collect();
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
            Self::Limit { what, limit } => write_exceeded(f, what, *limit),
            Self::Budget { what, tokens, budget, field, parts } => {
                write!(
                    f,
                    "{what} costs about {tokens} tokens, over the budget of {budget} (`{field}`)"
                )?;
                for (at, (name, tokens)) in parts.iter().enumerate() {
                    let before = if at == 0 { "; the largest are" } else { "," };
                    write!(f, "{before} `{name}` ({tokens})")?;
                }
                Ok(())
            }
            Self::Disk { verb, path, .. } => write!(f, "failed to {verb} `{}`", path.display()),
            Self::Cache { path, .. } => write!(f, "cannot use the cache `{}`", path.display()),
            Self::Usage(usage) => usage.fmt(f),
            Self::Offline { key, skills, why } => {
                match skills.as_slice() {
                    [] => write!(f, "cannot resolve the source `{key}`")?,
                    skills => {
                        write!(f, "cannot fetch {} of the source `{key}`", listed_all(skills))?;
                    }
                }
                write!(f, " without the network (`--offline` or `--frozen`): {why}")
            }
            Self::Interrupted => f.write_str("interrupted"),
            Self::Program { skills, .. } => {
                write!(f, "failed to fetch the missing {}", listed_all(skills))
            }
            #[cfg(feature = "git")]
            Self::Git { keys, is_plugin, error } => {
                let of_plugin = if *is_plugin { "the plugin of " } else { "" };
                match &**keys {
                    [] => {}
                    [key] => write!(f, "{of_plugin}the source `{key}`: ")?,
                    keys => write!(f, "{of_plugin}the sources {}: ", listed(keys, MAX_SOURCES))?,
                }
                error.fmt(f)
            }
            Self::More { key, count, code, .. } => {
                let errors = if *count == 1 { "error" } else { "errors" };
                write!(f, "and {count} more `{code}` {errors} in the source `{key}`")
            }
            Self::Custom(error) => error.fmt(f),
        }
    }
}

fn write_exceeded(f: &mut fmt::Formatter<'_>, what: &ExceededLimit, limit: u64) -> fmt::Result {
    write!(f, "{what} is over the limit of {limit}")?;
    match what.field() {
        Some(field) => write!(f, " (`{field}`)"),
        None => Ok(()),
    }
}

/// Formats a position as `:line:column`, after a file's name.
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
            // The message includes these values; their sources are the next level.
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
    NotStored { skills },
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
