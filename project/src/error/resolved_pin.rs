//! Pins that were resolved to a commit.

use std::fmt;

/// The pin of a source that was resolved to a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResolvedPin {
    /// A version or a range of versions, as the manifest has it.
    Version(String),
    /// A branch or tag, as the manifest has it.
    Reference(String),
    /// A tag in the lockfile.
    Tag(String),
    /// The `sha` of the manifest.
    Sha,
    /// The default branch, because the source has no pin.
    DefaultBranch,
    /// The commit in the lockfile.
    Locked,
}

impl fmt::Display for ResolvedPin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "the version `{version}`"),
            Self::Reference(name) => write!(f, "`{name}`"),
            Self::Tag(tag) => write!(f, "the tag `{tag}`"),
            Self::Sha => f.write_str("`sha`"),
            Self::DefaultBranch => f.write_str("the default branch"),
            Self::Locked => f.write_str("the locked pin"),
        }
    }
}
