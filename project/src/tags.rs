//! Versions in the names of tags.

use crate::manifest::{LockedSource, VersionPin, requirement};
use helix_skills_format::SourceKey;
use semver::Version;

/// Returns the tag names to try for an exact version, most usual first.
pub(crate) fn names(version: &str, key: &SourceKey) -> Vec<String> {
    let bare = version.strip_prefix('v').unwrap_or(version);
    let mut names = vec![format!("v{bare}"), bare.to_owned()];
    names.extend([format!("{key}@{bare}"), format!("{key}-v{bare}"), format!("{key}/v{bare}")]);
    if !names.iter().any(|name| name == version) {
        names.push(version.to_owned());
    }
    names
}

/// Returns whether a pinned version allows what a source is locked to: the tag, or if that is a
/// branch, the version that the plugin declares.
pub(crate) fn allows(pin: &VersionPin, key: &SourceKey, locked: &LockedSource) -> bool {
    let tag = locked.reference.as_deref().and_then(|name| name.strip_prefix("refs/tags/"));
    let declared = locked.plugin.as_ref().and_then(|plugin| plugin.version.as_deref());
    match (tag, pin) {
        (Some(tag), VersionPin::Exact(version)) => names(version, key).iter().any(|it| it == tag),
        (Some(tag), VersionPin::Range(range)) => {
            version(tag, key).is_some_and(|version| matches(range, &version))
        }
        (None, _) => declared.is_some_and(|declared| allows_declared(pin, declared)),
    }
}

/// Returns whether a pinned version allows the version that a plugin declares.
pub(crate) fn allows_declared(pin: &VersionPin, declared: &str) -> bool {
    match pin {
        VersionPin::Exact(version) => {
            version.strip_prefix('v').unwrap_or(version)
                == declared.strip_prefix('v').unwrap_or(declared)
        }
        VersionPin::Range(range) => {
            Version::parse(declared).is_ok_and(|declared| matches(range, &declared))
        }
    }
}

fn matches(range: &str, version: &Version) -> bool {
    requirement(range).is_ok_and(|range| range.matches(version))
}

/// Returns the version in the name of a tag, without the prefixes of [`names`].
pub(crate) fn text<'t>(tag: &'t str, key: &SourceKey) -> &'t str {
    let own = tag.strip_prefix(key.as_str());
    let forms = ["@", "-v", "/v"].iter().find_map(|form| own?.strip_prefix(form));
    forms.or_else(|| tag.strip_prefix('v')).unwrap_or(tag)
}

/// Parses the version in the name of a tag, to match it with a range.
///
/// More lenient than semver: a missing patch number is 0, and leading zeros are ignored
/// (`2026.07.1`). `v1` is not a version, because such tags are moved.
pub(crate) fn version(tag: &str, key: &SourceKey) -> Option<Version> {
    let text = text(tag, key);
    if let Ok(version) = Version::parse(text) {
        return Some(version);
    }
    let (core, rest) = text.split_at(text.find(['-', '+']).unwrap_or(text.len()));
    let mut numbers = [0_u64; 3];
    let parts: Vec<&str> = core.split('.').collect();
    if !(2..=3).contains(&parts.len()) {
        return None;
    }
    for (number, part) in numbers.iter_mut().zip(parts) {
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    Version::parse(&format!("{}.{}.{}{rest}", numbers[0], numbers[1], numbers[2])).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_laxer_than_semver() {
        let key = SourceKey::new("tool").expect("a key");
        for (tag, expected) in [
            ("v1.2.3", Some("1.2.3")),
            ("1.2.3-rc.1", Some("1.2.3-rc.1")),
            ("v1.2", Some("1.2.0")),
            ("V1.2.3", None),
            ("tool-1.2.3", None),
            ("v1.2-rc.1", Some("1.2.0-rc.1")),
            ("2026.07.1", Some("2026.7.1")),
            ("tool@1.2.3", Some("1.2.3")),
            ("tool-v0.6.70", Some("0.6.70")),
            ("tool/v2.0.0", Some("2.0.0")),
            ("other@1.0.0", None),
            ("v1", None),
            ("1.2.3.4", None),
            ("latest", None),
            ("20260701", None),
            ("99999999999999999999.0.0", None),
        ] {
            assert_eq!(version(tag, &key).map(|v| v.to_string()).as_deref(), expected, "{tag}");
        }
    }

    #[test]
    fn an_exact_version_is_tried_under_every_form() {
        let key = SourceKey::new("tool").expect("a key");
        assert_eq!(names("1.2", &key), ["v1.2", "1.2", "tool@1.2", "tool-v1.2", "tool/v1.2"]);
        assert_eq!(names("v1.2", &key)[0], "v1.2");
    }
}
