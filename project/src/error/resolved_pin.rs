//! Pins that were resolved to a commit.

/// The pin of a source that was resolved to a commit.
#[derive(Clone, Debug, thiserror::Error)]
#[cfg_attr(not(feature = "git"), expect(dead_code, reason = "only an update compares pins"))]
pub(crate) enum ResolvedPin {
    /// A version or a range of versions, as the manifest has it.
    #[error("the version `{0}`")]
    Version(String),
    /// A branch or tag, as the manifest has it.
    #[error("`{0}`")]
    Reference(String),
    /// A tag in the lockfile.
    #[error("the tag `{0}`")]
    Tag(String),
    #[error("`sha`")]
    Sha,
    #[error("the default branch")]
    DefaultBranch,
    /// The commit in the lockfile.
    #[error("the locked pin")]
    Locked,
}
