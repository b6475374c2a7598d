//! Invalid arguments, environment variables and entries of the manifest.

use super::{Error, ErrorKind};
use helix_skills_format::{
    __internal::{listed, nearest, redacted},
    Lock, SkillName, SourceKey,
};
#[cfg(feature = "git")]
use std::fmt::Display;

/// Maximum number of sources, and of skills, that a hint lists.
const MAX_NAMES: usize = 20;

impl Error {
    /// Returns an error for an invalid argument, environment variable or project.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, "usage", message).with_hint(hint)
    }
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
    Error::usage(format!("the manifest has no source or skill `{}`", name.escape_debug()), hint)
}

/// The lockfile has no skill of this name.
pub(crate) fn unknown_skill(name: &str, lock: &Lock) -> Error {
    let all: Vec<&str> = lock.skills.keys().map(SkillName::as_str).collect();
    let hint = match nearest(name, all.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if all.is_empty() => {
            "the lockfile has no skills; add some with `skills add`".to_owned()
        }
        None => format!("it has {}", listed(&all, MAX_NAMES)),
    };
    Error::usage(format!("the lockfile has no skill `{}`", redacted(name).escape_debug()), hint)
}

/// An environment variable has an invalid value.
#[cfg(feature = "git")]
pub(crate) fn variable(name: &str, expected: &str, default: impl Display) -> Error {
    Error::usage(
        format!("`{name}` must be {expected}"),
        format!("unset it to use the default, {default}"),
    )
}

/// Only one of two environment variables is set.
#[cfg(feature = "git")]
pub(crate) fn lone_variable(set: &str, missing: &str) -> Error {
    Error::usage(
        format!("`{set}` is set and `{missing}` is not"),
        "a token goes only to the host that HELIX_SKILLS_TOKEN_HOST names; set both or neither",
    )
}

/// The host of the token is not one of a URL. Its text may have a password.
#[cfg(feature = "git")]
pub(crate) fn token_host() -> Error {
    Error::usage(
        "`HELIX_SKILLS_TOKEN_HOST` must be `host`, `host:port` or `NAME@host`",
        "write the host of the repository's URL without scheme, path and wildcards, such as `git.example.com`",
    )
}

/// A glob in `files.exclude` or `files.include` is invalid.
pub(crate) fn glob(why: globset::Error) -> Error {
    Error::usage(
        "invalid glob in `files` of the manifest",
        "globs support `*`, `**`, `?`, `[abc]` and `{a,b}`; `*` does not match `/`",
    )
    .with_source(why)
}
