//! Pins: from a version, tag, branch or `sha` of a source to a commit.

#[cfg(feature = "git")]
mod hints;
#[cfg(feature = "git")]
mod references;
#[cfg(feature = "git")]
mod resolve;
mod tags;

#[cfg(feature = "git")]
pub(crate) use hints::incomplete_version;
#[cfg(feature = "git")]
pub(crate) use references::newest_release;
#[cfg(feature = "git")]
pub use references::{References, Release};
#[cfg(feature = "git")]
pub(crate) use resolve::{Answer, Pinned, full_names};
pub(crate) use tags::TagNames;
#[cfg(feature = "git")]
pub(crate) use tags::allows_declared;
