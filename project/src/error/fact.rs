//! What the reaction to an error depends on.

use super::Error;
use crate::difference::Difference;
use helix_skills_format::{DirPath, SkillName, SourceKey};
use std::path::PathBuf;

/// What an error is about, for the code that reacts to it. Errors that are only reported have
/// [`Fact::None`].
pub enum Fact {
    /// Nothing that is decided on.
    None,
    /// There is no manifest in the directory or above it.
    NoManifest(PathBuf),
    /// Skills of the lockfile are not in the store.
    NotStored(Vec<SkillName>),
    /// A file of a skill in the store, by its path from the project's root, is not as locked.
    Edited(SkillName, PathBuf, Difference),
    /// A file of a skill in a `path` source was changed or removed since it was locked.
    OriginalChanged(SkillName),
    /// Several skills have the name; with the source and the directory of each.
    SameName(String, Vec<(SourceKey, DirPath)>),
    /// The skill in the directory cannot be taken. The last error of the source has the keys of
    /// `exclude` that leave out all of these skills, unless it has no others.
    Refused(SourceKey, DirPath, Vec<String>),
    /// A pin, directory or selection does not exist in its source.
    Unresolved {
        /// The source.
        key: SourceKey,
        /// The message without the source.
        why: String,
        /// If the pin does not exist, the newest versions that do.
        newest: Option<Vec<String>>,
        /// If upstream moved or removed the skill of a key of `include`: this key, and the one that
        /// the skill has now.
        gone: Option<(String, Option<String>)>,
    },
    /// There is no skill below the path to validate.
    NoSkillBelow,
}

impl Error {
    /// Returns an error for a source that should be in a repository.
    #[cfg(feature = "git")]
    pub(crate) fn no_repository(key: &SourceKey) -> Self {
        Self::unresolved(key, "it is not in a repository")
    }

    /// Returns whether a skill in the store is not as locked.
    pub(crate) fn is_edited(&self) -> bool {
        matches!(self.fact(), Fact::Edited(..))
    }
}
