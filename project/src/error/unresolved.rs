//! Errors of sources that cannot be resolved, and the hints for pins that do not exist.

use super::{Error, ErrorKind, Fact};
#[cfg(feature = "git")]
use helix_skills_format::__internal::{listed, nearest};
use helix_skills_format::{__internal::redacted, SourceKey};

/// Maximum number of branches and tags that a hint lists.
#[cfg(feature = "git")]
const MAX_NAMES: usize = 10;

/// Maximum number of versions that a hint lists.
#[cfg(feature = "git")]
const MAX_VERSIONS: usize = 5;

impl Error {
    /// Returns an error for a source that cannot be resolved.
    #[doc(hidden)]
    #[must_use]
    pub fn unresolved(key: &SourceKey, why: impl Into<String>) -> Self {
        let why = why.into();
        let message = format!("the source `{key}`: {why}");
        let fact = Fact::Unresolved { key: key.clone(), why, newest: None, gone: None };
        Self::new(ErrorKind::Usage, "unresolved", message).about(fact)
    }

    /// Returns an error for a key of `include` that is no skill, or `count` ones.
    pub(crate) fn not_selected(key: &SourceKey, name: &str, count: usize) -> Self {
        let name = redacted(name);
        let what = match count {
            0 if name.contains('/') => "but no skill is there".to_owned(),
            0 => "but no skill is in a directory of that name".to_owned(),
            _ => format!("which is in {count} directories"),
        };
        Self::unresolved(key, format!("`include` names `{}`, {what}", name.escape_debug()))
    }

    /// Returns an error for a key of `include` whose skill `exclude` leaves out by another key.
    pub(crate) fn left_out(key: &SourceKey, name: &str) -> Self {
        let name = redacted(name);
        let why = format!("`include` names `{}`, which `exclude` leaves out", name.escape_debug());
        let hint = "remove it from `include`, or its name or path from `exclude`";
        Self::unresolved(key, why).with_hint(hint)
    }

    /// Changes why a source cannot be resolved. Other errors stay as they are.
    #[cfg(feature = "git")]
    pub(crate) fn map_unresolved(self, change: impl Fn(&str) -> String) -> Self {
        let errors = self.into_iter().map(|error| {
            error.with(|report| {
                if let Fact::Unresolved { key, why, .. } = &mut report.fact {
                    *why = change(why);
                    report.message = format!("the source `{key}`: {why}");
                }
            })
        });
        errors.collect::<Vec<_>>().into()
    }

    /// Adds that upstream moved or removed the skill of a key of `include`.
    #[cfg(feature = "git")]
    pub(crate) fn about_gone(self, name: &str, now: Option<String>) -> Self {
        self.with(|report| {
            if let Fact::Unresolved { gone, .. } = &mut report.fact {
                *gone = Some((name.to_owned(), now));
            }
        })
    }

    /// Adds the newest versions of a repository that does not have the pin of a source.
    #[cfg(feature = "git")]
    pub(crate) fn without_pin(self, versions: Vec<String>) -> Self {
        self.with(|report| {
            if let Fact::Unresolved { newest, .. } = &mut report.fact {
                *newest = Some(versions);
            }
        })
    }
}

/// Returns the hint for an exact version with fewer than three numbers, if one of the known
/// versions, newest first, begins with these: the range of all versions that do.
#[cfg(feature = "git")]
pub(crate) fn incomplete_version(
    exact: &str,
    mut known: impl Iterator<Item = String>,
) -> Option<String> {
    let numbers = exact.strip_prefix('v').unwrap_or(exact);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if numbers.split('.').count() > 2 || !numbers.split('.').all(is_number) {
        return None;
    }
    let begins =
        |version: &String| version.strip_prefix(numbers).is_some_and(|rest| rest.starts_with('.'));
    let newest = known.find(begins)?;
    Some(format!(
        "an exact version has all of its numbers: use the range `~{numbers}`; the newest is `{newest}`"
    ))
}

/// Returns the hint for an exact version that only tags of other forms have, such as
/// `skill-v1.2.0`.
#[cfg(feature = "git")]
pub(crate) fn other_tags(exact: &str, tags: &[String]) -> Option<String> {
    let numbers = exact.strip_prefix('v').unwrap_or(exact);
    let is_form = |form: &str| form.ends_with(|c: char| !c.is_ascii_digit() && c != '.');
    let has = |tag: &&String| tag.strip_suffix(numbers).is_some_and(is_form);
    let tags = listed(tags.iter().filter(has), MAX_VERSIONS);
    (!tags.is_empty()).then(|| format!("pin one of the tags that have it with `--ref`: {tags}"))
}

/// Returns the hint for a version that a repository with these versions, newest first, does not
/// have.
#[cfg(feature = "git")]
pub(crate) fn known_versions(versions: &[String]) -> String {
    let newest = versions.iter().take(MAX_VERSIONS).cloned().collect::<Vec<_>>().join(", ");
    match versions.len() {
        0 => "the repository has no tags that are versions; pin a branch with `ref` or a commit with `sha`".to_owned(),
        1 => format!("its only version is {newest}"),
        count => format!("the newest of its {count} versions are {newest}"),
    }
}

/// Returns the hint for a tag or branch that a repository with these names does not have.
#[cfg(feature = "git")]
pub(crate) fn known_references(name: &str, default: Option<&str>, known: &[String]) -> String {
    let known = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) if Some(near) == default => {
            return format!("did you mean the default branch, `{near}`?");
        }
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => return "the repository has no branches and no tags".to_owned(),
        None => format!("it has {}", listed(known, MAX_NAMES)),
    };
    match default {
        Some(default) => format!("the default branch is `{default}`; {known}"),
        None => known,
    }
}
