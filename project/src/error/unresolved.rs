//! Pins, directories and selections that do not exist in their source.

use crate::manifest::DEFAULT_SKILLS_DIR;
use crate::marketplace::{Marketplace, PluginError, PluginName};
use helix_skills_format::{
    __internal::{and_more, listed, listed_all, nearest, redacted},
    DirPath, GitUrl,
};
use std::{error, path::PathBuf, sync::Arc};

/// Maximum number of directories that a hint lists; a source may have thousands.
const MAX_DIRECTORIES: usize = 50;

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
    /// The directory has no skills.
    #[error("{}", no_skills(directory, *is_default))]
    NoSkills {
        directory: DirPath,
        /// Whether this is the default, because the manifest sets none.
        is_default: bool,
        /// The URL and the plugins of the repository, if it is a marketplace.
        marketplace: Option<(GitUrl, Vec<PluginName>)>,
        /// Whether the root of the repository is a skill.
        root_is_skill: bool,
        /// Other directories with a SKILL.md.
        elsewhere: Vec<String>,
        /// Number of them below the default directory.
        in_default: usize,
        /// What looks like a skill, and how to fix it.
        near: Option<String>,
    },
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
    /// `include` names a directory that is not a skill.
    #[error(
        "`include` names `{}`, but no skill is in a directory of that name",
        redacted(name).escape_debug()
    )]
    NotIncluded {
        name: String,
        /// The new path of that directory upstream.
        moved_to: Option<DirPath>,
        /// What in that directory looks like a skill, and how to fix it.
        near: Option<String>,
        /// The names of all directories that are skills.
        known: Arc<[String]>,
        /// The skills that are new upstream, if that directory was locked and upstream removed it.
        gone: Option<Vec<String>>,
    },
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

fn no_skills(directory: &DirPath, is_default: bool) -> String {
    if directory.is_root() {
        return "there are no skills at the root of the repository".to_owned();
    }
    let at_root = if is_default { ", and none at the root of the repository" } else { "" };
    format!("there are no skills in `{}`{at_root}", redacted(directory.as_str()))
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
            Self::NoSkills {
                is_default,
                marketplace,
                root_is_skill,
                elsewhere,
                in_default,
                near,
                ..
            } => {
                return Some(match marketplace {
                    Some((url, plugins)) => is_marketplace(url, plugins),
                    None if *root_is_skill => {
                        "set `skillsDir` to `.` for the skill at the root of the repository"
                            .to_owned()
                    }
                    None => match near {
                        Some(near) if elsewhere.is_empty() => near.clone(),
                        _ => other_directory(*is_default, elsewhere, *in_default),
                    },
                });
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
            Self::NotIncluded { near: Some(near), .. } => return Some(near.clone()),
            Self::NotIncluded { name, moved_to, known, gone, .. } => {
                return Some(match (moved_to, gone) {
                    (Some(to), _) => {
                        let name = to.file_name().unwrap_or(".");
                        format!("upstream moved it to `{to}`: include `{name}`")
                    }
                    (None, Some(added)) => {
                        format!(
                            "upstream removed it: remove it from `include`{}",
                            new_there(added, MAX_DIRECTORIES)
                        )
                    }
                    (None, None) => known_directories(name, known),
                });
            }
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

fn is_marketplace(url: &GitUrl, plugins: &[PluginName]) -> String {
    /// Maximum number of listed plugins.
    const MAX_PLUGINS: usize = 20;
    format!(
        "the repository is a plugin marketplace: use `\"type\": \"claude-marketplace\"` and set `plugin`, or run `skills add {url} --plugin NAME`; its plugins are {}",
        listed(plugins, MAX_PLUGINS)
    )
}

fn other_directory(is_default: bool, found: &[String], in_default: usize) -> String {
    /// Maximum number of listed directories.
    const MAX_LISTED: usize = 20;
    if found.is_empty() {
        return "the repository has no SKILL.md".to_owned();
    }
    let files = found.iter().map(|path| format!("{path}/SKILL.md"));
    let set =
        format!("set `skillsDir` to the parent of the directory of {}", listed(files, MAX_LISTED));
    let use_default = format!("remove `skillsDir`: the skills are in `{DEFAULT_SKILLS_DIR}`");
    match in_default {
        _ if is_default => set,
        0 => set,
        all if all == found.len() => use_default,
        _ => format!("{use_default}; or {set}"),
    }
}

/// Returns the end of a hint that names up to `most` skills that are new upstream.
pub fn new_there(added: &[String], most: usize) -> String {
    match added {
        [] => String::new(),
        _ => format!("; new there: {}", listed(added, most)),
    }
}

fn known_directories(name: &str, known: &[String]) -> String {
    if known.is_empty() {
        return "it has no skills".to_owned();
    }
    let all = listed(known, MAX_DIRECTORIES);
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? it has {all}"),
        None => format!("it has {all}"),
    }
}
