//! Pins: which version of a repository a source asks for.

use helix_skills_format::{Error, RefName};
use semver::VersionReq;

/// The release, tag or branch that a source asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pin {
    /// `"version"`: a release, found by its tag.
    Version(VersionPin),
    /// `"ref"`: a tag or a branch.
    Ref(RefName),
    /// Neither: the default branch, or the commit that `"sha"` names.
    None,
}

/// A `"version"`: exact, or a range in cargo's syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionPin {
    /// An exact version, tried as the tags `vX`, `X`, `KEY@X`, `KEY-vX` and `KEY/vX`.
    Exact(String),
    /// The newest release in a range.
    Range {
        /// The range as written.
        text: String,
        /// The parsed range.
        requirement: VersionReq,
    },
}

impl VersionPin {
    /// Parses a version. A text with whitespace or one of `^ ~ < > = * , |` is a range, any other
    /// an exact version.
    ///
    /// # Errors
    /// The text is empty, cannot be the name of a tag, or is not a range in cargo's syntax.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let trimmed = text.trim();
        if !trimmed.contains(|c: char| "^~<>=*,|".contains(c) || c.is_whitespace()) {
            RefName::new(trimmed)?;
            return Ok(Self::Exact(trimmed.to_owned()));
        }
        let requirement = VersionReq::parse(&normalize(trimmed))
            .map_err(|why| format!("{why}; ranges have cargo's syntax, for example `>=1.2, <2`"))?;
        Ok(Self::Range { text: trimmed.to_owned(), requirement })
    }

    /// Returns the range of all releases whose versions begin with the numbers of an exact version
    /// that has fewer than three: `^0.6` for `0.6`.
    pub(crate) fn range_of_incomplete(exact: &str) -> Option<String> {
        let numbers = exact.strip_prefix('v').unwrap_or(exact);
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let is_incomplete = numbers.split('.').count() < 3 && numbers.split('.').all(is_number);
        is_incomplete.then(|| format!("^{numbers}"))
    }

    /// Returns whether a version begins with the numbers of an exact version that has fewer than
    /// three.
    pub(crate) fn continues(exact: &str, version: &str) -> bool {
        Self::range_of_incomplete(exact)
            .and_then(|range| version.strip_prefix(&range[1..])?.strip_prefix('.'))
            .is_some()
    }

    /// Returns the version as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Exact(text) | Self::Range { text, .. } => text,
        }
    }
}

/// Removes a leading `v` and leading zeros, which tags may have: `^v2026.07` is `^2026.7`.
fn normalize(range: &str) -> String {
    let comparators = range.split(',').map(|part| {
        let part = part.trim();
        let end =
            part.find(|c: char| !"^~<>=".contains(c) && !c.is_whitespace()).unwrap_or(part.len());
        let (operator, version) = part.split_at(end);
        let version = version.strip_prefix(['v', 'V']).unwrap_or(version);
        let core_end = version.find(['-', '+']).unwrap_or(version.len());
        let (core, rest) = version.split_at(core_end);
        let core = core.split('.').map(|number| match number.trim_start_matches('0') {
            "" if !number.is_empty() => "0",
            stripped if number.bytes().all(|b| b.is_ascii_digit()) => stripped,
            _ => number,
        });
        format!(
            "{}{}{rest}",
            operator.split_whitespace().collect::<String>(),
            core.collect::<Vec<_>>().join(".")
        )
    });
    comparators.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(range: &str, version: &str) -> bool {
        match VersionPin::parse(range).unwrap_or_else(|why| panic!("{range}: {why}")) {
            VersionPin::Exact(text) => text == version,
            VersionPin::Range { requirement, .. } => {
                requirement.matches(&version.parse().expect("a version"))
            }
        }
    }

    #[test]
    fn ranges_follow_cargo_and_bare_versions_are_exact() {
        assert!(matches("^0.6", "0.6.70"));
        assert!(matches(">=1.2, <2", "1.9.0"));
        assert!(matches("^v2026.07", "2026.8.0"));
        assert!(matches("*", "3.0.0") && !matches("*", "3.0.0-rc.1"));
        assert!(matches("0.6.70", "0.6.70") && !matches("0.6.70", "0.6.71"));
        assert!(matches!(VersionPin::parse("1.2"), Ok(VersionPin::Exact(_))));
        for bad in ["", ">=1 <2", "1.2 - 1.4", "^1 || ^2", "-x", "a~b"] {
            assert!(VersionPin::parse(bad).is_err(), "{bad}");
        }
    }
}
