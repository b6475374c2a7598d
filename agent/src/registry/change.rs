//! Changes of a registry.

use alloc::{collections::BTreeSet, string::String};

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
