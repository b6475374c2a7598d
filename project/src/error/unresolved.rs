//! Pins, directories and selections that do not exist in their source.

use crate::marketplace::{Marketplace, PluginError, PluginName};
use helix_skills_format::{
    __internal::{and_more, listed_all, redacted},
    DirPath, GitUrl,
};
use std::{error, path::PathBuf, sync::Arc};

/// Why a source of the manifest cannot be resolved.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it, and only the program sees the type")]
pub enum Unresolved {
    /// No tag has the version.
    #[error("no tag has the version `{version}` (tried {})", listed_all(tried))]
    NoVersion {
        version: String,
        /// The names of tags that were tried.
        tried: Vec<String>,
        /// The newest versions of the repository.
        newest: Vec<String>,
        /// Number of all versions.
        versions: usize,
        /// The newest version that begins with the numbers of `version`, if these are fewer than
        /// three.
        continued: Option<String>,
    },
    #[error("no tag has a version in the range `{range}`")]
    NoVersionInRange {
        range: String,
        /// The newest versions of the repository.
        newest: Vec<String>,
        /// Number of all versions.
        versions: usize,
    },
    #[error("there is no tag or branch `{name}`")]
    NoReference {
        name: String,
        /// The default branch.
        default: Option<String>,
        /// The most similar name.
        near: Option<String>,
        /// Some of the branches and tags.
        known: Vec<String>,
        /// Number of the other branches and tags.
        more: usize,
    },
    /// There are no skills in the directories of `skillsDir`, or in the repository if there are
    /// none.
    #[error("{}", no_skills(directories))]
    NoSkills { directories: Vec<DirPath>, hint: String },
    /// The marketplace has no such plugin, or its entry is not usable.
    #[error(transparent)]
    Plugin(PluginError),
    /// Neither a tag of the marketplace nor the plugin has the version.
    #[error(
        "no tag of the marketplace has the version `{requested}`, and the plugin `{plugin}` declares {}",
        declared.as_deref().unwrap_or("none")
    )]
    PluginVersion {
        plugin: PluginName,
        requested: String,
        /// The version that the plugin declares.
        declared: Option<String>,
        /// The newest version of the marketplace that begins with the numbers of `requested`, if
        /// these are fewer than three.
        continued: Option<String>,
    },
    /// A plugin in another repository than its marketplace cannot be resolved.
    #[error("its plugin `{plugin}` is in `{url}`, and {why}")]
    InPlugin { plugin: PluginName, url: GitUrl, why: Box<Self> },
    /// The source cannot be resolved at the commit of a branch or tag.
    #[error("{why} (at {reference})")]
    At { reference: String, why: Box<Self> },
    /// `include` names no directory that is a skill, or several ones.
    #[error("{}", not_selected(name, paths))]
    NotSelected { name: String, paths: Vec<DirPath>, hint: String },
    #[error("the repository does not have the pinned commit")]
    NoCommit {
        /// Whether the marketplace pins it, and not the manifest.
        by_marketplace: bool,
        source: Arc<dyn error::Error + Send + Sync>,
    },
    #[error("the repository is not a marketplace: it has no `{}`", Marketplace::FILE)]
    NotMarketplace,
    #[error("neither `{}` nor a directory in it has a SKILL.md", directory.display())]
    NoSkillInPath {
        directory: PathBuf,
        /// What looks like a skill, and how to fix it.
        near: Option<String>,
    },
    /// A reason that no code depends on.
    #[error("{message}")]
    Other { message: String, hint: Option<String> },
}

fn no_skills(directories: &[DirPath]) -> String {
    match directories {
        [] => "there are no skills in the repository".to_owned(),
        _ => format!("there are no skills in {}", listed_all(directories)),
    }
}

fn not_selected(name: &str, paths: &[DirPath]) -> String {
    let name = redacted(name);
    let name = name.escape_debug();
    match paths {
        [] => format!("`include` names `{name}`, but no skill is in a directory of that name"),
        _ => format!("`include` names `{name}`, which is in {} directories", paths.len()),
    }
}

impl Unresolved {
    /// Creates a reason that no code depends on, with its hint.
    pub(crate) fn other(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Other { message: message.into(), hint: Some(hint.into()) }
    }

    /// Returns the reason without the plugin and the reference that are added to its message.
    #[must_use]
    pub fn innermost(&self) -> &Self {
        match self {
            Self::InPlugin { why, .. } | Self::At { why, .. } => why.innermost(),
            other => other,
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        let fixed = match self {
            Self::NoVersion { version, continued: Some(continued), .. } => {
                return incomplete(version, Some(&format!("the newest is `{continued}`")));
            }
            Self::NoVersion { newest, versions, .. }
            | Self::NoVersionInRange { newest, versions, .. } => {
                if newest.is_empty() {
                    "the repository has no tags that are versions; pin a branch with `ref` or a commit with `sha`"
                } else {
                    return Some(match versions {
                        1 => format!("its only version is {}", newest.join(", ")),
                        _ => {
                            let newest = newest.join(", ");
                            format!("the newest of its {versions} versions are {newest}")
                        }
                    });
                }
            }
            Self::NoReference { default, near, known, more, .. } => {
                return Some(known_names(default.as_deref(), near.as_deref(), known, *more));
            }
            Self::NoSkills { hint, .. } | Self::NotSelected { hint, .. } => {
                return Some(hint.clone());
            }
            Self::Plugin(error) => return Some(error.hint.clone()),
            Self::PluginVersion { requested, continued: Some(continued), .. } => {
                return incomplete(requested, Some(&format!("the newest is `{continued}`")));
            }
            Self::PluginVersion { requested, declared: Some(declared), .. }
                if continues(requested, declared) =>
            {
                return incomplete(requested, Some(&format!("the plugin declares `{declared}`")));
            }
            Self::PluginVersion { declared: Some(declared), .. } => {
                return Some(format!(
                    "pin `{declared}`, or a branch of the marketplace with `ref` or a commit with `sha`"
                ));
            }
            Self::PluginVersion { .. } => {
                "pin a branch of the marketplace with `ref` or a commit with `sha`"
            }
            Self::InPlugin { .. } => {
                "report it to the owner of the marketplace, or pin an earlier version of it"
            }
            Self::At { why, .. } => return why.hint(),
            Self::NoCommit { by_marketplace: false, .. } => {
                "set `sha` to a commit of the repository"
            }
            Self::NoCommit { .. } => {
                "report it to the owner of the marketplace, which pins a commit that the plugin's repository no longer has"
            }
            Self::NotMarketplace => "use `\"type\": \"git\"` for a repository of skills",
            Self::NoSkillInPath { near: Some(near), .. } => return Some(near.clone()),
            Self::NoSkillInPath { .. } => {
                "set `path` to a skill, or to a directory whose subdirectories are skills"
            }
            Self::Other { hint, .. } => return hint.clone(),
        };
        Some(fixed.to_owned())
    }
}

/// Returns the range of all releases whose versions begin with the numbers of an exact version
/// that has fewer than three: `^0.6` for `0.6`.
fn range_of_incomplete(exact: &str) -> Option<String> {
    let numbers = exact.strip_prefix('v').unwrap_or(exact);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_incomplete = numbers.split('.').count() < 3 && numbers.split('.').all(is_number);
    is_incomplete.then(|| format!("^{numbers}"))
}

/// Returns whether a version begins with the numbers of an exact version that has fewer than
/// three.
pub(crate) fn continues(exact: &str, version: &str) -> bool {
    range_of_incomplete(exact)
        .and_then(|range| version.strip_prefix(&range[1..])?.strip_prefix('.'))
        .is_some()
}

/// Returns the hint for an exact version with fewer than three numbers.
fn incomplete(version: &str, known: Option<&str>) -> Option<String> {
    let range = range_of_incomplete(version)?;
    let known = known.map(|known| format!("; {known}")).unwrap_or_default();
    Some(format!("an exact version has three numbers: use the range `{range}`{known}"))
}

fn known_names(default: Option<&str>, near: Option<&str>, known: &[String], more: usize) -> String {
    let known = match near {
        Some(near) if Some(near) == default => {
            return format!("did you mean the default branch, `{near}`?");
        }
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => return "the repository has no branches and no tags".to_owned(),
        None => format!("it has {}{}", known.join(", "), and_more(more)),
    };
    match default {
        Some(default) => format!("the default branch is `{default}`; {known}"),
        None => known,
    }
}
