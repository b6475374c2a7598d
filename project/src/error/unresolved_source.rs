//! Pins, directories and selections that do not exist in their source.

use super::PathProblem;
use crate::manifest::{SourceType, VersionPin};
use crate::marketplace::{Marketplace, PluginError, PluginName, StrictConflict};
use helix_skills_format::__internal::{and_more, listed, listed_all};
use helix_skills_format::{
    __internal::{nearest, redacted},
    DirPath, GitUrl, ObjectId, SkillName,
};
use helix_skills_runtime::PathError;
use std::{fmt, path::PathBuf, sync::Arc};

/// Maximum number of directories that a hint lists; a source may have thousands.
const MAX_DIRECTORIES: usize = 50;

/// Why a source of the manifest cannot be resolved.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum UnresolvedSource {
    /// A pin is the object id of a SHA-256 repository.
    Sha256Id,
    /// `sha` is an annotated tag.
    AnnotatedTag {
        /// The tag.
        tag: ObjectId,
        /// The commit that it points to.
        commit: ObjectId,
    },
    /// No tag has the version.
    NoVersion {
        /// The version.
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
    /// No tag has a version in the range.
    NoVersionInRange {
        /// The range.
        range: String,
        /// The newest versions of the repository.
        newest: Vec<String>,
        /// Number of all versions.
        versions: usize,
    },
    /// Tags of the same version point to different commits.
    AmbiguousVersion {
        /// The version.
        version: String,
        /// Two of the tags, with their commits.
        tags: Box<[(String, ObjectId); 2]>,
    },
    /// There is no such branch or tag.
    NoReference {
        /// The name.
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
    /// The repository has no default branch.
    NoDefaultBranch,
    /// The repository does not have the commit.
    NoCommit {
        /// Whether the commit is from a marketplace, and not from the manifest.
        of_marketplace: bool,
        /// The cause.
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
    /// The directory has no skills.
    NoSkills {
        /// The directory.
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
    /// The repository has no index of plugins.
    NotAMarketplace,
    /// The marketplace has no such plugin, or it is not usable.
    Plugin(PluginError),
    /// The entries of marketplace and plugin conflict.
    Strict(StrictConflict),
    /// The plugin is not where the marketplace says.
    NoPluginDirectory {
        /// The plugin.
        plugin: PluginName,
        /// Its directory.
        path: DirPath,
        /// The problem with the directory.
        problem: PathProblem,
    },
    /// The plugin has no skills.
    PluginWithoutSkills {
        /// The plugin.
        plugin: PluginName,
        /// Its directory.
        path: DirPath,
        /// What it has besides skills.
        other: Vec<String>,
    },
    /// Neither a tag of the marketplace nor the plugin has the version.
    PluginVersion {
        /// The plugin.
        plugin: PluginName,
        /// The requested version.
        requested: String,
        /// The version that the plugin declares.
        declared: Option<String>,
        /// The newest version of the marketplace that begins with the numbers of `requested`, if
        /// these are fewer than three.
        continued: Option<String>,
    },
    /// A plugin in another repository than its marketplace cannot be resolved.
    InPlugin {
        /// The plugin.
        plugin: PluginName,
        /// Its repository.
        url: GitUrl,
        /// The reason.
        why: Box<UnresolvedSource>,
    },
    /// The source cannot be resolved at the commit of a branch or tag.
    At {
        /// The branch or tag.
        reference: String,
        /// The reason.
        why: Box<UnresolvedSource>,
    },
    /// `include` names a directory that is not a skill.
    NotIncluded {
        /// The name.
        name: String,
        /// The new path of that directory upstream.
        moved_to: Option<DirPath>,
        /// What in that directory looks like a skill, and how to fix it.
        near: Option<String>,
        /// The names of all directories that are skills.
        known: Arc<[String]>,
    },
    /// `files.exclude` excludes the SKILL.md of a skill.
    SkillMdExcluded {
        /// The skill's directory.
        directory: String,
    },
    /// A `path` source is not a directory.
    NoDirectory {
        /// The path in the manifest.
        path: String,
    },
    /// The name of a skill's directory breaks a rule.
    DirectoryName {
        /// The name.
        name: String,
        /// The rule.
        problem: PathError,
    },
    /// Neither the directory of a `path` source nor those in it have a SKILL.md.
    NoSkillInPath {
        /// The directory.
        directory: PathBuf,
        /// What looks like a skill, and how to fix it.
        near: Option<String>,
    },
    /// A skill would contain the project's own manifest, lockfile and store.
    ContainsProject {
        /// The skill's directory, from the project's root.
        directory: String,
    },
    /// The source type is not registered.
    UnknownType {
        /// The type.
        kind: SourceType,
    },
    /// A custom source no longer has a locked skill.
    SkillGone {
        /// The skill.
        skill: SkillName,
    },
    /// The source is not in a repository.
    NoRepository,
    /// This build cannot read repositories.
    NoGit,
}

impl UnresolvedSource {
    /// Returns the cause that follows this one in the error's chain.
    pub(super) fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoCommit { source, .. } => Some(&**source),
            Self::InPlugin { why, .. } | Self::At { why, .. } => why.source(),
            Self::Plugin(error) => std::error::Error::source(error),
            _ => None,
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        let fixed = match self {
            Self::Sha256Id => "pin the commit by an id of 40 digits",
            Self::AnnotatedTag { commit, .. } => {
                return Some(format!("set `\"sha\": \"{commit}\"`"));
            }
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
            Self::AmbiguousVersion { .. } => "pin one of them with `ref`",
            Self::NoReference { default, near, known, more, .. } => {
                return Some(known_names(default.as_deref(), near.as_deref(), known, *more));
            }
            Self::NoDefaultBranch => "pin a branch with `ref`",
            Self::NoCommit { of_marketplace: true, .. } => {
                "report it to the owner of the marketplace, which pins a commit that the plugin's repository no longer has"
            }
            Self::NoCommit { .. } => "set `sha` to a commit of the repository",
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
            Self::NotAMarketplace => "use `\"type\": \"git\"` for a repository of skills",
            Self::Plugin(error) => return error.hint(),
            Self::Strict(conflict) => conflict.hint(),
            Self::NoPluginDirectory { .. } => {
                "report it to the owner of the marketplace, or pin an earlier version of it"
            }
            Self::PluginWithoutSkills { path, other, .. } => {
                return Some(match other.as_slice() {
                    [] => format!(
                        "there is no SKILL.md in `{path}` or in a directory of its `skills`"
                    ),
                    parts => format!("it has {}, but only skills are used", parts.join(", ")),
                });
            }
            Self::PluginVersion { requested, continued: Some(continued), .. } => {
                return incomplete(requested, Some(&format!("the newest is `{continued}`")));
            }
            Self::PluginVersion { requested, declared: Some(declared), .. }
                if VersionPin::continues(requested, declared) =>
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
            Self::NotIncluded { name, moved_to, known, .. } => {
                return Some(known_directories(name, moved_to.as_ref(), known));
            }
            Self::SkillMdExcluded { .. } => "narrow the glob: every skill needs its SKILL.md",
            Self::NoDirectory { .. } => "`path` is relative to the manifest's directory",
            Self::DirectoryName { .. } => "rename the directory",
            Self::NoSkillInPath { near: Some(near), .. } => return Some(near.clone()),
            Self::NoSkillInPath { .. } => {
                "set `path` to a skill, or to a directory whose subdirectories are skills"
            }
            Self::ContainsProject { .. } => "move the skill into a directory of its own",
            Self::UnknownType { .. } => {
                "types with the prefix `x-` are custom: sync with the program that registers this one"
            }
            Self::SkillGone { .. } | Self::NoRepository => return None,
            Self::NoGit => "enable the feature `git` of helix-skills-project, or run `skills sync`",
        };
        Some(fixed.to_owned())
    }
}

/// Returns the hint for an exact version with fewer than three numbers.
fn incomplete(version: &str, known: Option<&str>) -> Option<String> {
    let range = VersionPin::range_of_incomplete(version)?;
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
    let use_default = format!(
        "remove `skillsDir`: the skills are in `{}`",
        crate::manifest::GitSource::DEFAULT_SKILLS_DIR
    );
    match in_default {
        _ if is_default => set,
        0 => set,
        all if all == found.len() => use_default,
        _ => format!("{use_default}; or {set}"),
    }
}

fn known_directories(name: &str, moved_to: Option<&DirPath>, known: &[String]) -> String {
    if let Some(to) = moved_to {
        return format!("upstream moved it to `{to}`: include `{}`", to.file_name().unwrap_or("."));
    }
    if known.is_empty() {
        return "it has no skills".to_owned();
    }
    let all = listed(known, MAX_DIRECTORIES);
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? it has {all}"),
        None => format!("it has {all}"),
    }
}

impl fmt::Display for UnresolvedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sha256Id => {
                f.write_str("repositories with SHA-256 object ids are not supported yet")
            }
            Self::AnnotatedTag { tag, commit } => {
                write!(
                    f,
                    "`sha` {tag} is an annotated tag of the commit {commit}, expected a commit"
                )
            }
            Self::NoVersion { version, tried, .. } => {
                write!(f, "no tag has the version `{version}` (tried {})", listed_all(tried))
            }
            Self::NoVersionInRange { range, .. } => {
                write!(f, "no tag has a version in the range `{range}`")
            }
            Self::AmbiguousVersion { version, tags } => {
                let [(first, commit), (other, other_commit)] = &**tags;
                write!(
                    f,
                    "two tags have the version `{version}`: {first} is the commit {commit}, "
                )?;
                write!(f, "{other} is {other_commit}")
            }
            Self::NoReference { name, .. } => write!(f, "there is no tag or branch `{name}`"),
            Self::NoDefaultBranch => f.write_str("the repository has no default branch"),
            Self::NoCommit { .. } => f.write_str("the repository does not have the pinned commit"),
            Self::NoSkills { directory, .. } if directory.is_root() => {
                f.write_str("there are no skills at the root of the repository")
            }
            Self::NoSkills { directory, is_default, .. } => {
                let at_root =
                    if *is_default { ", and none at the root of the repository" } else { "" };
                write!(f, "there are no skills in `{}`{at_root}", redacted(directory.as_str()))
            }
            Self::NotAMarketplace => {
                write!(f, "the repository is not a marketplace: it has no `{}`", Marketplace::FILE)
            }
            Self::Plugin(error) => error.fmt(f),
            Self::Strict(conflict) => conflict.fmt(f),
            Self::NoPluginDirectory { plugin, path, problem } => {
                write!(f, "the plugin `{plugin}` should be in `{path}`, but {problem}")
            }
            Self::PluginWithoutSkills { plugin, .. } => {
                write!(f, "the plugin `{plugin}` has no skills")
            }
            Self::PluginVersion { plugin, requested, declared, .. } => {
                write!(
                    f,
                    "no tag of the marketplace has the version `{requested}`, and the plugin `{plugin}` declares "
                )?;
                f.write_str(declared.as_deref().unwrap_or("none"))
            }
            Self::InPlugin { plugin, url, why } => {
                write!(f, "its plugin `{plugin}` is in `{url}`, and {why}")
            }
            Self::At { reference, why } => write!(f, "{why} (at {reference})"),
            Self::NotIncluded { name, .. } => write!(
                f,
                "`include` names `{}`, but no skill is in a directory of that name",
                redacted(name).escape_debug()
            ),
            Self::SkillMdExcluded { directory } => {
                write!(f, "`files.exclude` excludes the SKILL.md of `{directory}`")
            }
            Self::NoDirectory { path } => {
                write!(f, "cannot find the directory `{}`", redacted(path).escape_debug())
            }
            Self::DirectoryName { name, problem } => {
                write!(f, "invalid directory name `{}`: {problem}", name.escape_debug())
            }
            Self::NoSkillInPath { directory, .. } => {
                write!(f, "neither `{}` nor a directory in it has a SKILL.md", directory.display())
            }
            Self::ContainsProject { directory } => {
                write!(
                    f,
                    "the skill in `{directory}` would contain the project's own manifest, lockfile and store"
                )
            }
            Self::UnknownType { kind } => write!(f, "unknown source type `{kind}`"),
            Self::SkillGone { skill } => write!(f, "it no longer has the locked skill `{skill}`"),
            Self::NoRepository => f.write_str("it is not in a repository"),
            Self::NoGit => f.write_str("this program has no support for git repositories"),
        }
    }
}
