//! Pins: what a source asks for.

use helix_skills_format::__internal::error_debug;
use helix_skills_format::{RefName, RefNameError};
use semver::VersionReq;
use std::fmt;

/// Which release, tag or branch a source asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pin {
    /// `"version"`: a release, by its tag.
    Version(VersionPin),
    /// `"ref"`: a tag or a branch.
    Ref(RefName),
    /// Neither: the default branch, or the commit that `"sha"` names.
    None,
}

/// A `"version"`: exact, or a range as cargo writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionPin {
    /// An exact version, tried as the tags `vX`, `X`, `KEY@X`, `KEY-vX` and `KEY/vX`.
    Exact(String),
    /// The newest release in a range.
    Range {
        /// The range as it was written.
        text: String,
        /// The range.
        requirement: VersionReq,
    },
}

/// Why a text cannot be a `"version"`.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionPinError {
    /// Empty, or would not make a tag's name.
    Name(RefNameError),
    /// Has the characters of a range, and is none.
    Range(String),
}

impl fmt::Display for VersionPinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(why) => why.fmt(f),
            Self::Range(why) => {
                write!(f, "{why}; ranges are cargo's, separated by commas: `>=1.2, <2`")
            }
        }
    }
}

error_debug!(VersionPinError { Name(why), Range(why) });

impl std::error::Error for VersionPinError {}

impl VersionPin {
    /// Reads a version: a text with one of `^ ~ < > = * , |` or a blank is a range, any other is exact.
    ///
    /// # Errors
    /// When it is empty, no name for a tag, or no range that cargo would take.
    pub fn parse(text: &str) -> Result<Self, VersionPinError> {
        let trimmed = text.trim();
        if !trimmed.contains(|c: char| "^~<>=*,|".contains(c) || c.is_whitespace()) {
            RefName::new(trimmed).map_err(VersionPinError::Name)?;
            return Ok(Self::Exact(trimmed.to_owned()));
        }
        let requirement = VersionReq::parse(&normalise(trimmed))
            .map_err(|why| VersionPinError::Range(why.to_string()))?;
        Ok(Self::Range { text: trimmed.to_owned(), requirement })
    }

    /// The version as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Exact(text) | Self::Range { text, .. } => text,
        }
    }
}

/// A range whose numbers may have leading zeros or a leading `v`, as tags have: `^v2026.07` is `^2026.7`.
fn normalise(range: &str) -> String {
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
    fn ranges_are_cargos_and_bare_versions_exact() {
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
