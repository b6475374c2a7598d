//! The origin of locked skills: whether they are what their entries select in the locked commits.
//!
//! A repository proves it, or the origin files of the store, `COMMIT.origin`: the git objects that
//! the resolution of the commit's sources reads, without the contents of files. They are hashed,
//! and take the place of the repository; the contents are those of the store.

#[cfg(feature = "git")]
mod compare;
#[cfg(feature = "git")]
mod saved;

#[cfg(feature = "git")]
pub(crate) use compare::{check, compare, notes, stored_files};
#[cfg(feature = "git")]
pub(crate) use saved::of_sync;

/// What a sync does with the origin files of the store.
#[derive(Default)]
pub(crate) struct OriginFiles {
    /// The names and texts of files to write.
    pub(crate) new: Vec<(String, String)>,
    /// The names of files to remove.
    pub(crate) unused: Vec<String>,
    /// What cannot be proved, one line each.
    pub(crate) warnings: Vec<String>,
}
