//! What the reaction to an error depends on.

use super::{Error, ErrorKind, Unresolved};
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
    /// The tree of this skill is not the one in its commit.
    TreeMismatch(SkillName),
    /// A pin, directory or selection does not exist in its source.
    Unresolved(SourceKey, Unresolved),
    /// There is no skill below the path to validate.
    NoSkillBelow,
}

impl Error {
    /// Returns an error for a source that cannot be resolved.
    #[doc(hidden)]
    #[must_use]
    pub fn unresolved(key: &SourceKey, why: Unresolved) -> Self {
        let error = Self::new(ErrorKind::Usage, "unresolved", format!("the source `{key}`: {why}"));
        error
            .including(why.innermost().clone())
            .hinted(why.hint())
            .about(Fact::Unresolved(key.clone(), why))
    }

    /// Returns an error for a source that should be in a repository.
    #[cfg(feature = "git")]
    pub(crate) fn no_repository(key: &SourceKey) -> Self {
        let message = "it is not in a repository".to_owned();
        Self::unresolved(key, Unresolved::Other { message, hint: None })
    }

    /// Changes why a source cannot be resolved. Other errors stay as they are.
    #[cfg(feature = "git")]
    pub(crate) fn map_unresolved(self, change: impl FnOnce(Unresolved) -> Unresolved) -> Self {
        match self.fact() {
            Fact::Unresolved(key, why) => Self::unresolved(key, change(why.clone())),
            _ => self,
        }
    }

    /// Returns why a source cannot be resolved.
    #[cfg(feature = "git")]
    pub(crate) fn as_unresolved(&self) -> Option<&Unresolved> {
        match self.fact() {
            Fact::Unresolved(_, why) => Some(why),
            _ => None,
        }
    }

    /// Returns whether a skill in the store is not as locked.
    pub(crate) fn is_edited(&self) -> bool {
        matches!(self.fact(), Fact::Edited(..))
    }
}
