//! Invalid arguments, environment variables and entries of the manifest.

use super::{Error, ErrorKind, Fact};
use helix_skills_format::{
    __internal::{listed, nearest, redacted},
    SkillName, SourceKey,
};
#[cfg(feature = "git")]
use std::fmt::Display;
use std::path::Path;

/// Maximum number of sources, and of skills, that a hint lists.
const MAX_NAMES: usize = 20;

fn usage(message: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::new(ErrorKind::Usage, "usage", message).with_hint(hint)
}

/// Neither the manifest has a source nor the lockfile a skill of this name.
pub(crate) fn unknown_source(name: &str, known: &[&SourceKey], skills: &[&SkillName]) -> Error {
    let names = known.iter().map(|key| key.as_str()).chain(skills.iter().map(|name| name.as_str()));
    let kinds = [
        ("source", listed(known, MAX_NAMES), known.len()),
        ("skill", listed(skills, MAX_NAMES), skills.len()),
    ];
    let hint = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() && skills.is_empty() => "add one with `skills add`".to_owned(),
        None => {
            let some = kinds.into_iter().filter(|(_, _, count)| *count > 0);
            let parts: Vec<String> = some
                .map(|(kind, names, count)| {
                    format!("the {kind}{} {names}", if count == 1 { "" } else { "s" })
                })
                .collect();
            format!("it has {}", parts.join(" and "))
        }
    };
    let name = redacted(name);
    usage(format!("the manifest has no source or skill `{}`", name.escape_debug()), hint)
}

/// A source and a skill have the same name.
pub(crate) fn ambiguous_name(name: &SkillName, skill_of: &SourceKey) -> Error {
    usage(
        format!("`{name}` is a source, and a skill of the source `{skill_of}`"),
        format!("write `source:{name}` or `skill:{name}`"),
    )
}

/// The lockfile, which has the skills `known`, has no skill of this name.
pub(crate) fn unknown_skill<'n>(
    name: &str,
    known: impl Iterator<Item = &'n SkillName> + Clone,
) -> Error {
    let all: Vec<&str> = known.map(SkillName::as_str).collect();
    let hint = match nearest(name, all.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if all.is_empty() => {
            "the lockfile has no skills; add some with `skills add`".to_owned()
        }
        None => format!("it has {}", all.join(", ")),
    };
    usage(format!("the lockfile has no skill `{}`", redacted(name).escape_debug()), hint)
}

pub(crate) fn manifest_exists(path: &Path) -> Error {
    usage(format!("`{}` already exists", path.display()), "add skills to it with `skills add`")
}

/// The manifest was changed after it was read for editing.
pub(crate) fn manifest_changed(path: &Path) -> Error {
    usage(format!("`{}` was changed by another process", path.display()), "run the command again")
}

pub(crate) fn manifest_is_directory(path: &Path) -> Error {
    usage(
        format!("`{}` is a directory, expected a file", path.display()),
        "remove it, or pass another manifest with `--manifest`",
    )
}

/// An environment variable has an invalid value.
#[cfg(feature = "git")]
pub(crate) fn variable(name: &str, expected: &str, default: impl Display) -> Error {
    usage(format!("`{name}` must be {expected}"), format!("unset it to use the default, {default}"))
}

/// Only one of two environment variables is set.
#[cfg(feature = "git")]
pub(crate) fn lone_variable(set: &str, missing: &str) -> Error {
    usage(
        format!("`{set}` is set and `{missing}` is not"),
        "a token goes only to the host that HELIX_SKILLS_TOKEN_HOST names; set both or neither",
    )
}

/// A glob in `files.exclude` or `files.include` is invalid.
pub(crate) fn glob(why: globset::Error) -> Error {
    usage(
        "invalid glob in `files.exclude` of the manifest",
        "globs support `*`, `**`, `?`, `[abc]` and `{a,b}`; `*` does not match `/`",
    )
    .with_source(why)
}

pub(crate) fn no_home() -> Error {
    usage(
        "cannot determine the cache directory: there is no home directory",
        "set HELIX_SKILLS_CACHE to a directory",
    )
}

/// The directory to clean is not a cache.
pub(crate) fn not_a_cache(path: &Path) -> Error {
    usage(
        format!(
            "`{}` is not a skills cache: it has no `CACHEDIR.TAG` of this program",
            path.display()
        ),
        "set HELIX_SKILLS_CACHE to the cache's directory",
    )
}

/// A build script found neither a manifest nor a directory `skills`.
pub(crate) fn no_project(package: &Path) -> Error {
    usage(
        format!(
            "cannot find `helix.skills.json` in `{}` or its workspace, or a directory `skills`",
            package.display()
        ),
        "for `include_skills!(dir = \"DIR\")`, call `helix_skills_project::build::watch(\"DIR\")` instead; otherwise, run `skills init`",
    )
}

/// A function for build scripts was called by another program.
pub(crate) fn not_a_build_script() -> Error {
    usage(
        "`CARGO_MANIFEST_DIR` is not set",
        "call this function from a build script that cargo runs",
    )
}

/// The path to validate does not exist.
pub(crate) fn no_such_path(path: &Path) -> Error {
    usage(
        format!("cannot find `{}`", path.display()),
        "pass a directory, a SKILL.md or the name of a locked skill",
    )
}

/// The file to validate is not a SKILL.md.
pub(crate) fn not_a_skill(path: &Path) -> Error {
    usage(
        format!("`{}` is neither a directory nor a SKILL.md", path.display()),
        "pass the skill's directory",
    )
}

/// The skill to fix is in the store.
pub(crate) fn in_store(path: &Path) -> Error {
    usage(
        format!("cannot fix `{}`: it is in the store", path.display()),
        "fix it upstream, or validate it without `--fix`",
    )
}

/// A link leads out of the project to the skill to fix, in the directory `target`.
pub(crate) fn linked_skill(path: &Path, target: &Path) -> Error {
    usage(
        format!("cannot fix `{}`: a link leads out of the project", path.display()),
        format!("pass `{}`, or validate it without `--fix`", target.display()),
    )
}

/// Neither the directory nor those below it have a SKILL.md. `near` says what looks like a skill,
/// and how to fix it.
pub(crate) fn no_skill_below(path: &Path, near: Option<String>) -> Error {
    let hint = near.unwrap_or_else(|| {
        "pass a skill, a directory that contains skills, or `skill:NAME` for a locked skill"
            .to_owned()
    });
    usage(format!("neither `{}` nor a directory below it has a SKILL.md", path.display()), hint)
        .about(Fact::NoSkillBelow)
}
