//! Usage errors.

use helix_skills_format::__internal::listed;
use helix_skills_format::{
    __internal::{nearest, redacted},
    SkillName, SourceKey,
};
use std::{fmt, path::PathBuf};

/// An invalid argument, environment variable or entry of the manifest.
#[derive(Debug)]
#[non_exhaustive]
pub enum Usage {
    /// The manifest has no such source, and the lockfile no such skill.
    UnknownSource {
        /// The requested name.
        key: String,
        /// The sources of the manifest.
        known: Vec<SourceKey>,
        /// The skills of the lockfile.
        skills: Vec<SkillName>,
    },
    /// A source and a skill have the same name.
    AmbiguousName {
        /// The requested name.
        name: SkillName,
        /// The source of the skill.
        skill_of: SourceKey,
    },
    /// The lockfile has no such skill.
    UnknownSkill {
        /// The requested name.
        name: String,
        /// The skills of the lockfile.
        known: Vec<SkillName>,
    },
    /// The manifest already exists.
    ManifestExists {
        /// The manifest.
        path: PathBuf,
    },
    /// The manifest was changed after it was read for editing.
    ManifestChanged {
        /// The manifest, from the project's root.
        path: PathBuf,
    },
    /// The manifest is a directory.
    ManifestIsDirectory {
        /// The directory, from the project's root.
        path: PathBuf,
    },
    /// An environment variable has an invalid value.
    Variable {
        /// The variable.
        name: &'static str,
        /// The expected value.
        expected: &'static str,
        /// The default.
        default: String,
    },
    /// Only one of two environment variables is set.
    LoneVariable {
        /// The variable that is set.
        set: &'static str,
        /// The variable that is missing.
        missing: &'static str,
    },
    /// A glob in `files.exclude` is invalid.
    Glob {
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// There is no home directory for the cache.
    NoHome,
    /// The directory to clean is not a cache.
    NotACache {
        /// The directory.
        path: PathBuf,
    },
    /// A build script found neither a manifest nor a directory `skills`.
    NoProject {
        /// The package.
        package: PathBuf,
    },
    /// A function for build scripts was called by another program.
    NotABuildScript,
    /// The path to validate does not exist.
    NoSuchPath {
        /// The path, as given by the caller.
        path: PathBuf,
    },
    /// The file to validate is not a SKILL.md.
    NotASkill {
        /// The path, as given by the caller.
        path: PathBuf,
    },
    /// The skill is in the store, where skills are not fixed.
    InStore {
        /// The path, as given by the caller.
        path: PathBuf,
    },
    /// A link leads out of the project to the skill, which is not fixed there.
    LinkedSkill {
        /// The path, as given by the caller.
        path: PathBuf,
        /// The resolved directory.
        target: PathBuf,
    },
    /// Neither the directory nor those below it have a SKILL.md.
    NoSkillBelow {
        /// The path, as given by the caller.
        path: PathBuf,
        /// What looks like a skill, and how to fix it.
        near: Option<String>,
    },
}

impl Usage {
    /// Returns the cause that follows this one in the error's chain.
    pub(super) fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Glob { source } => Some(&**source),
            _ => None,
        }
    }

    pub(super) fn hint(&self) -> String {
        let fixed = match self {
            Self::UnknownSource { key, known, skills } => {
                let sources = known.iter().map(SourceKey::as_str);
                if let Some(near) = nearest(key, sources.chain(skills.iter().map(|name| &**name))) {
                    return format!("did you mean `{near}`?");
                }
                let parts: Vec<String> = [
                    ("source", listed(known, MAX_NAMES), known.len()),
                    ("skill", listed(skills, MAX_NAMES), skills.len()),
                ]
                .into_iter()
                .filter(|(_, _, count)| *count > 0)
                .map(|(kind, names, count)| {
                    format!("the {kind}{} {names}", if count == 1 { "" } else { "s" })
                })
                .collect();
                return match parts.as_slice() {
                    [] => "add one with `skills add`".to_owned(),
                    parts => format!("it has {}", parts.join(" and ")),
                };
            }
            Self::AmbiguousName { name, .. } => {
                return format!("write `source:{name}` or `skill:{name}`");
            }
            Self::UnknownSkill { name, known } => {
                let none = "the lockfile has no skills; add some with `skills add`";
                return closest(name, known.iter().map(SkillName::as_str), none);
            }
            Self::ManifestExists { .. } => "add skills to it with `skills add`",
            Self::ManifestChanged { .. } => "run the command again",
            Self::Variable { default, .. } => {
                return format!("unset it to use the default, {default}");
            }
            Self::ManifestIsDirectory { .. } => {
                "remove it, or pass another manifest with `--manifest`"
            }
            Self::LoneVariable { .. } => {
                "a token goes only to the host that HELIX_SKILLS_TOKEN_HOST names; set both or neither"
            }
            Self::Glob { .. } => {
                "globs support `*`, `**`, `?`, `[abc]` and `{a,b}`; `*` does not match `/`"
            }
            Self::NoHome => "set HELIX_SKILLS_CACHE to a directory",
            Self::NotACache { .. } => "set HELIX_SKILLS_CACHE to the cache's directory",
            Self::NoProject { .. } => {
                "for `include_skills!(dir = \"DIR\")`, call `helix_skills_project::build::watch(\"DIR\")` instead; otherwise, run `skills init`"
            }
            Self::NotABuildScript => "call this function from a build script that cargo runs",
            Self::NoSuchPath { .. } => "pass a directory, a SKILL.md or the name of a locked skill",
            Self::NotASkill { .. } => "pass the skill's directory",
            Self::InStore { .. } => "fix it upstream, or validate it without `--fix`",
            Self::LinkedSkill { target, .. } => {
                return format!("pass `{}`, or validate it without `--fix`", target.display());
            }
            Self::NoSkillBelow { near: Some(near), .. } => return near.clone(),
            Self::NoSkillBelow { .. } => {
                "pass a skill, a directory that contains skills, or `skill:NAME` for a locked skill"
            }
        };
        fixed.to_owned()
    }
}

/// Maximum number of sources, and of skills, that a hint lists.
const MAX_NAMES: usize = 20;

/// Returns the hint for an unknown name: the closest known name, all names, or `none`.
fn closest<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone, none: &str) -> String {
    let all: Vec<&str> = known.clone().collect();
    match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if all.is_empty() => none.to_owned(),
        None => format!("it has {}", all.join(", ")),
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSource { key, .. } => {
                write!(f, "the manifest has no source or skill `{}`", redacted(key).escape_debug())
            }
            Self::AmbiguousName { name, skill_of } => {
                write!(f, "`{name}` is a source, and a skill of the source `{skill_of}`")
            }
            Self::UnknownSkill { name, .. } => {
                write!(f, "the lockfile has no skill `{}`", redacted(name).escape_debug())
            }
            Self::ManifestExists { path } => write!(f, "`{}` already exists", path.display()),
            Self::ManifestChanged { path } => {
                write!(f, "`{}` was changed by another process", path.display())
            }
            Self::ManifestIsDirectory { path } => {
                write!(f, "`{}` is a directory, expected a file", path.display())
            }
            Self::Variable { name, expected, .. } => write!(f, "`{name}` must be {expected}"),
            Self::LoneVariable { set, missing } => {
                write!(f, "`{set}` is set and `{missing}` is not")
            }
            Self::Glob { .. } => f.write_str("invalid glob in `files.exclude` of the manifest"),
            Self::NoHome => {
                f.write_str("cannot determine the cache directory: there is no home directory")
            }
            Self::NotACache { path } => {
                write!(
                    f,
                    "`{}` is not a skills cache: it has no `CACHEDIR.TAG` of this program",
                    path.display()
                )
            }
            Self::NoProject { package } => write!(
                f,
                "cannot find `helix.skills.json` in `{}` or its workspace, or a directory `skills`",
                package.display()
            ),
            Self::NotABuildScript => f.write_str("`CARGO_MANIFEST_DIR` is not set"),
            Self::NoSuchPath { path } => write!(f, "cannot find `{}`", path.display()),
            Self::NotASkill { path } => {
                write!(f, "`{}` is neither a directory nor a SKILL.md", path.display())
            }
            Self::InStore { path } => {
                write!(f, "cannot fix `{}`: it is in the store", path.display())
            }
            Self::LinkedSkill { path, .. } => {
                write!(f, "cannot fix `{}`: a link leads out of the project", path.display())
            }
            Self::NoSkillBelow { path, .. } => {
                write!(f, "neither `{}` nor a directory below it has a SKILL.md", path.display())
            }
        }
    }
}
