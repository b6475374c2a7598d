//! Versions in the names of tags.

use crate::manifest::{LockedSource, Source, VersionPin, requirement};
use helix_skills_format::SourceKey;
use semver::Version;

/// The names that tags of a source begin with, if its repository has releases of several
/// components: its key, its plugin, and its repository. Tags with the name of the repository are
/// like tags without a name: both are releases of all of it.
#[derive(Clone)]
pub(crate) struct TagNames<'n> {
    names: Vec<&'n str>,
    repository: Option<&'n str>,
}

impl<'n> TagNames<'n> {
    pub(crate) fn new(key: &'n SourceKey, source: &'n Source) -> Self {
        let plugin = source.plugin().map(|plugin| plugin.as_str());
        let repository = source.repository().map(|repository| repository.url.repository_name());
        let mut names: Vec<&str> =
            [Some(key.as_str()), plugin, repository].into_iter().flatten().collect();
        names.dedup();
        Self { names, repository }
    }

    /// Returns the tags to try for an exact version: those with a name of the source first.
    pub(crate) fn exact(&self, version: &str) -> Vec<String> {
        let bare = version.strip_prefix('v').unwrap_or(version);
        let own = self
            .names
            .iter()
            .flat_map(|name| ["@", "-v", "/v"].map(|form| format!("{name}{form}")));
        let mut tags: Vec<String> = own.chain(["v".to_owned(), String::new()]).collect();
        tags.iter_mut().for_each(|tag| tag.push_str(bare));
        if !tags.iter().any(|tag| tag == version) {
            tags.push(version.to_owned());
        }
        tags
    }

    /// Returns the text of the version in a tag, by its short or full name, and whether the tag has
    /// a name of the source that its repository does not have.
    pub(super) fn text<'t>(&self, tag: &'t str) -> (bool, &'t str) {
        let tag = tag.strip_prefix("refs/tags/").unwrap_or(tag);
        let own = self.names.iter().find_map(|name| {
            let rest = tag.strip_prefix(name)?;
            let version = ["@", "-v", "/v"].iter().find_map(|form| rest.strip_prefix(form))?;
            Some((Some(*name) != self.repository, version))
        });
        own.unwrap_or((false, tag.strip_prefix('v').unwrap_or(tag)))
    }

    /// Returns whether a tag has a name of the source.
    #[cfg(feature = "git")]
    pub(crate) fn is_own(&self, tag: &str) -> bool {
        self.text(tag).0
    }

    /// Keeps the tags with a name of the source if there are some: the others are those of other
    /// components.
    #[cfg(feature = "git")]
    pub(super) fn retain_own<T>(&self, tags: &mut Vec<T>, name: impl Fn(&T) -> &str) {
        let is_own = |tag: &T| self.is_own(name(tag));
        let has_own = tags.iter().any(is_own);
        tags.retain(|tag| is_own(tag) == has_own);
    }

    /// Parses the version in a tag, to match it with a range.
    ///
    /// More lenient than semver: a missing patch number is 0, and leading zeros are ignored
    /// (`2026.07.1`). `v1` is not a version, because such tags are moved.
    pub(crate) fn version(&self, tag: &str) -> Option<Version> {
        version(self.text(tag).1)
    }

    /// Returns whether a pinned version allows what a source is locked to: the tag, or if that is
    /// a branch, the version that the plugin declares.
    pub(crate) fn allows(&self, pin: &VersionPin, locked: &LockedSource) -> bool {
        let tag = locked.reference.as_deref().and_then(|name| name.strip_prefix("refs/tags/"));
        let declared = locked.plugin.as_ref().and_then(|plugin| plugin.version.as_deref());
        match (tag, pin) {
            (Some(tag), VersionPin::Exact(version)) => {
                self.exact(version).iter().any(|name| name == tag)
            }
            (Some(tag), VersionPin::Range(range)) => {
                self.version(tag).is_some_and(|version| matches(range, &version))
            }
            (None, _) => declared.is_some_and(|declared| allows_declared(pin, declared)),
        }
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

fn version(text: &str) -> Option<Version> {
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
        let names = TagNames { names: vec!["tool"], repository: None };
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
            assert_eq!(names.version(tag).map(|v| v.to_string()).as_deref(), expected, "{tag}");
        }
    }

    #[test]
    fn exact_version_is_tried_with_own_names_first() {
        let names = TagNames { names: vec!["tool", "repo"], repository: Some("repo") };
        let tried = ["tool@1.2", "tool-v1.2", "tool/v1.2", "repo@1.2", "repo-v1.2", "repo/v1.2"];
        assert_eq!(names.exact("1.2"), [&tried[..], &["v1.2", "1.2"]].concat());
        assert_eq!(names.exact("v1.2"), names.exact("1.2"));
        for (tag, is_own) in [("tool@1.2", true), ("repo@1.2", false), ("v1.2", false)] {
            assert_eq!(names.text(tag).0, is_own, "{tag}");
        }
    }
}
