//! Changes of a registry.

use super::ExtendError;
use crate::ProviderWarning;
use alloc::{collections::BTreeSet, string::String, vec::Vec};

/// The names of the skills that a change affects: see [`Registry::changes_since`].
///
/// [`Registry::changes_since`]: super::Registry::changes_since
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegistryChange {
    /// Names of skills that were added.
    pub added: BTreeSet<String>,
    /// Names of skills that were replaced.
    pub replaced: BTreeSet<String>,
    /// Names of skills that were removed.
    pub removed: BTreeSet<String>,
}

impl RegistryChange {
    /// Returns whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.replaced.is_empty() && self.removed.is_empty()
    }
}

/// The outcome of [`Registry::extend`](super::Registry::extend).
#[derive(Clone, Debug)]
#[must_use = "skills that were left out should be reported"]
#[non_exhaustive]
pub struct Extended<E> {
    /// The skills that were added or replaced.
    pub change: RegistryChange,
    /// The skills that were left out: the origin of each, and the reason.
    pub problems: Vec<(String, ExtendError<E>)>,
    /// Warnings about skills that are registered as they are. [`Registry::extend`] has none;
    /// loaders of directories add them.
    ///
    /// [`Registry::extend`]: super::Registry::extend
    pub warnings: Vec<ProviderWarning>,
}
