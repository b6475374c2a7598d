//! Pins: from a version, tag, branch or `sha` of a source to a commit.

#[cfg(feature = "git")]
mod hints;
#[cfg(feature = "git")]
mod references;
#[cfg(feature = "git")]
mod resolve;
mod tags;

#[cfg(feature = "git")]
pub use references::{References, Release};
pub(crate) use tags::TagNames;
#[cfg(feature = "git")]
pub(crate) use {
    hints::incomplete_version,
    references::newest_release,
    resolve::{Answer, Pinned, full_names},
    tags::allows_declared,
};
