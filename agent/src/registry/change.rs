//! What happened to a registry.

use super::ExtendError;
use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec::Vec};

/// Which skills are other than before, by name.
///
/// ```
/// use helix_skills::{registry::Registry, Skill, SkillBuf};
/// let pdf = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// let change = Registry::new().extend([("skills/pdf", Ok::<SkillBuf, String>(pdf.into()))]).change;
/// assert!(change.added.contains("pdf") && change.replaced.is_empty() && change.removed.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegistryChange {
    /// Names that no skill had.
    pub added: BTreeSet<String>,
    /// Names that another skill has now.
    pub replaced: BTreeSet<String>,
    /// Names that no skill has any more.
    pub removed: BTreeSet<String>,
}

impl RegistryChange {
    /// A skill of this name was added.
    #[must_use]
    pub fn added(name: &str) -> Self {
        Self { added: one(name), ..Self::default() }
    }

    /// Another skill has this name now.
    #[must_use]
    pub fn replaced(name: &str) -> Self {
        Self { replaced: one(name), ..Self::default() }
    }

    /// The skill of this name was removed.
    #[must_use]
    pub fn removed(name: &str) -> Self {
        Self { removed: one(name), ..Self::default() }
    }

    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.replaced.is_empty() && self.removed.is_empty()
    }
}

fn one(name: &str) -> BTreeSet<String> {
    BTreeSet::from([name.to_owned()])
}

/// What became of skills that were to be added: [`Registry::extend`](super::Registry::extend).
#[derive(Clone, Debug)]
#[must_use = "what was left out should be told"]
#[non_exhaustive]
pub struct Extended<E> {
    /// What is other than before.
    pub change: RegistryChange,
    /// What was left out: where it was to come from, and why.
    pub problems: Vec<(String, ExtendError<E>)>,
}
