//! What is wrong with a command, its environment, or an entry of the manifest.

use helix_skills_format::{SkillName, SourceKey, nearest, redacted};
use std::{fmt, path::PathBuf};

/// What was asked for in a way that makes no sense: a path of a command, a variable of the
/// environment, an entry of the manifest.
#[derive(Debug)]
#[non_exhaustive]
pub enum Usage {
    /// The manifest has no such source.
    UnknownSource {
        /// The name that was asked for.
        key: String,
        /// The sources that there are.
        known: Vec<SourceKey>,
    },
    /// The lockfile has no such skill.
    UnknownSkill {
        /// The requested name.
        name: String,
        /// The skills of the lockfile.
        known: Vec<SkillName>,
    },
    /// There is a manifest already.
    ManifestExists {
        /// The manifest.
        path: PathBuf,
    },
    /// The manifest was changed after it was read to be edited.
    ManifestChanged {
        /// The manifest, from the project's root.
        path: PathBuf,
    },
    /// The manifest is a directory.
    ManifestIsDirectory {
        /// The directory, from the project's root.
        path: PathBuf,
    },
    /// A variable of the environment has a value that cannot be used.
    Variable {
        /// The variable.
        name: &'static str,
        /// What it can be set to.
        expected: &'static str,
        /// What counts if it is not set.
        default: String,
    },
    /// Of two variables of the environment, only one is set.
    LoneVariable {
        /// The variable that is set.
        set: &'static str,
        /// The variable that is missing.
        missing: &'static str,
    },
    /// A glob of `files.exclude` cannot be parsed.
    Glob {
        /// Why not.
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
    /// What works in build scripts only was called by another program.
    NotABuildScript,
    /// There is nothing to validate at a path.
    NoSuchPath {
        /// The path, as it was named.
        path: PathBuf,
    },
    /// The file to validate is not a SKILL.md.
    NotASkill {
        /// The path, as it was named.
        path: PathBuf,
    },
    /// A skill of the store cannot be fixed.
    InStore {
        /// The path, as it was named.
        path: PathBuf,
    },
    /// Neither a directory nor those below it have a SKILL.md.
    NoSkillBelow {
        /// The path, as it was named.
        path: PathBuf,
    },
}

impl Usage {
    /// What is behind it, for the causes of the error.
    pub(super) fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Glob { source } => Some(&**source),
            _ => None,
        }
    }

    pub(super) fn hint(&self) -> String {
        let fixed = match self {
            Self::UnknownSource { key, known } => {
                return closest(
                    key,
                    known.iter().map(SourceKey::as_str),
                    "add one with `skills add`",
                );
            }
            Self::UnknownSkill { name, known } => {
                let none = "the lockfile has no skills; add some with `skills add`";
                return closest(name, known.iter().map(SkillName::as_str), none);
            }
            Self::ManifestExists { .. } => "`skills add` puts sources into it",
            Self::ManifestChanged { .. } => "run the command again",
            Self::Variable { default, .. } => {
                return format!("unset it for the default, {default}");
            }
            Self::ManifestIsDirectory { .. } => {
                "remove it, or name another manifest with `--manifest`"
            }
            Self::LoneVariable { .. } => {
                "a token goes only to the host that HELIX_SKILLS_TOKEN_HOST names; set both or neither"
            }
            Self::Glob { .. } => "globs are `*`, `**`, `?`, `[abc]` and `{a,b}`; `*` stops at `/`",
            Self::NoHome => "set HELIX_SKILLS_CACHE to a directory",
            Self::NotACache { .. } => "set HELIX_SKILLS_CACHE to the cache's directory",
            Self::NoProject { .. } => {
                "for `include_skills!(dir = \"DIR\")` call `helix_skills_project::build::watch(\"DIR\")` instead; else run `skills init`"
            }
            Self::NotABuildScript => "call this from a build script that cargo runs",
            Self::NoSuchPath { .. } => "PATH is a directory, or a SKILL.md",
            Self::NotASkill { .. } => "name the skill's directory",
            Self::InStore { .. } => "fix it upstream, or validate it without `--fix`",
            Self::NoSkillBelow { .. } => "name a skill, or a directory with skills below it",
        };
        fixed.to_owned()
    }
}

/// The hint for an unknown name: the closest known one, else all of them, else `none`.
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
                write!(f, "the manifest has no source `{}`", redacted(key).escape_debug())
            }
            Self::UnknownSkill { name, .. } => {
                write!(f, "the lockfile has no skill `{}`", redacted(name).escape_debug())
            }
            Self::ManifestExists { path } => write!(f, "`{}` is there already", path.display()),
            Self::ManifestChanged { path } => {
                write!(f, "`{}` was changed by another program in the meantime", path.display())
            }
            Self::ManifestIsDirectory { path } => {
                write!(f, "`{}` is a directory, expected a file", path.display())
            }
            Self::Variable { name, expected, .. } => write!(f, "`{name}` must be {expected}"),
            Self::LoneVariable { set, missing } => {
                write!(f, "`{set}` is set and `{missing}` is not")
            }
            Self::Glob { .. } => f.write_str("cannot use `files.exclude` of the manifest"),
            Self::NoHome => {
                f.write_str("cannot find a directory for the cache: there is no home directory")
            }
            Self::NotACache { path } => {
                write!(
                    f,
                    "`{}` is not a cache of this program: it lacks our `CACHEDIR.TAG`",
                    path.display()
                )
            }
            Self::NoProject { package } => write!(
                f,
                "cannot find `helix.skills.json` in `{}` or its workspace, nor a directory `skills`",
                package.display()
            ),
            Self::NotABuildScript => f.write_str("`CARGO_MANIFEST_DIR` is not set"),
            Self::NoSuchPath { path } => write!(f, "there is no `{}`", path.display()),
            Self::NotASkill { path } => {
                write!(f, "`{}` is neither a directory nor a SKILL.md", path.display())
            }
            Self::InStore { path } => {
                write!(f, "`{}` is in the store, which holds upstream's text", path.display())
            }
            Self::NoSkillBelow { path } => {
                write!(f, "neither `{}` nor a directory below it has a SKILL.md", path.display())
            }
        }
    }
}
