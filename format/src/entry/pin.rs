//! Pins: which version of a repository a source asks for.

use crate::{Error, RefName};

/// The release, tag or branch that a source asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
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
pub enum VersionPin {
    /// An exact version, tried as the tags `NAME@X`, `NAME-vX` and `NAME/vX` with the names of the
    /// source, plugin and repository, then `vX` and `X`.
    Exact(String),
    /// The newest release in a range, as written.
    Range(String),
}

impl VersionPin {
    /// Parses a version. A text with whitespace or one of `^ ~ < > = * , |` is a range, any other
    /// an exact version.
    ///
    /// # Errors
    /// The text is empty or cannot be the name of a tag. The syntax of a range is not checked.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let trimmed = text.trim();
        if !trimmed.contains(|c: char| "^~<>=*,|".contains(c) || c.is_whitespace()) {
            RefName::new(trimmed)?;
            return Ok(Self::Exact(trimmed.to_owned()));
        }
        Ok(Self::Range(trimmed.to_owned()))
    }

    /// Returns the version as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Exact(text) | Self::Range(text) => text,
        }
    }
}
