//! Changes of a registry.

use super::ExtendError;
use crate::ProviderWarning;
use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec::Vec};

/// The names of the skills that a change affects.
///
/// ```
/// use helix_skills::{Skill, SkillBuf, registry::Registry};
/// let pdf = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// let change =
///     Registry::new().extend([("skills/pdf", Ok::<SkillBuf, String>(pdf.into()))]).change;
/// assert!(
///     change.added.contains("pdf")
///         && change.replaced.is_empty()
///         && change.removed.is_empty()
/// );
/// ```
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
    /// Creates the change that adds a skill.
    #[must_use]
    pub fn added(name: &str) -> Self {
        Self { added: one(name), ..Self::default() }
    }

    /// Creates the change that replaces a skill.
    #[must_use]
    pub fn replaced(name: &str) -> Self {
        Self { replaced: one(name), ..Self::default() }
    }

    /// Creates the change that removes a skill.
    #[must_use]
    pub fn removed(name: &str) -> Self {
        Self { removed: one(name), ..Self::default() }
    }

    /// Returns whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.replaced.is_empty() && self.removed.is_empty()
    }
}

fn one(name: &str) -> BTreeSet<String> {
    BTreeSet::from([name.to_owned()])
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
