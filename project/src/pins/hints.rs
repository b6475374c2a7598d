//! Hints for pins that do not exist.

use helix_skills_format::__internal::{listed, nearest};

/// Maximum number of branches and tags that a hint lists.
const MAX_NAMES: usize = 10;

/// Maximum number of versions that a hint lists.
const MAX_VERSIONS: usize = 5;

/// Returns the hint for an exact version with fewer than three numbers, if one of the known
/// versions, newest first, begins with these: the range of all versions that do.
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
pub(super) fn other_tags(exact: &str, tags: &[String]) -> Option<String> {
    let numbers = exact.strip_prefix('v').unwrap_or(exact);
    let is_form = |form: &str| form.ends_with(|c: char| !c.is_ascii_digit() && c != '.');
    let has = |tag: &&String| tag.strip_suffix(numbers).is_some_and(is_form);
    let tags = listed(tags.iter().filter(has), MAX_VERSIONS);
    (!tags.is_empty()).then(|| format!("pin one of the tags that have it with `--ref`: {tags}"))
}

/// Returns the hint for a version that a repository with these versions, newest first, does not
/// have.
pub(super) fn known_versions(versions: &[String]) -> String {
    let newest = versions.iter().take(MAX_VERSIONS).cloned().collect::<Vec<_>>().join(", ");
    match versions.len() {
        0 => "the repository has no tags that are versions; pin a branch with `ref` or a commit with `sha`".to_owned(),
        1 => format!("its only version is {newest}"),
        count => format!("the newest of its {count} versions are {newest}"),
    }
}

/// Returns the hint for a tag or branch that a repository with these names does not have.
pub(super) fn known_references(name: &str, default: Option<&str>, known: &[String]) -> String {
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
