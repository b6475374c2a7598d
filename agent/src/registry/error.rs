//! Errors of registering skills.

use super::RegistryEntry;
use crate::error_text::truncate_chars;
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
};
use core::{error::Error, fmt};
use helix_skills_runtime::OneLine;

/// Maximum number of characters of an origin or a description in an error.
const MAX_LABEL: usize = 80;

/// The error if a registry has another skill of the same name. `Display` identifies both skills by
/// where they were loaded from, or by their descriptions.
///
/// ```
/// use helix_skills::{Skill, registry::Registry};
/// let pdf = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// let mut skills = Registry::new();
/// skills.register(&pdf)?;
/// let error = skills.register(pdf).unwrap_err();
/// assert_eq!(error.name(), "pdf");
/// assert_eq!(
///     error.hint(),
///     "rename one of the two skills, or replace the registered one with `replace`"
/// );
/// # Ok::<(), helix_skills::registry::NameTaken>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct NameTaken {
    name: String,
    registered: String,
    refused: String,
}

helix_skills_runtime::__internal::error_debug!(NameTaken = NameTaken { name, registered, refused });

impl NameTaken {
    pub(super) fn new(name: &str, registered: &RegistryEntry, refused: &RegistryEntry) -> Self {
        // An origin that both share does not distinguish them.
        let by_origin = registered.origin() != refused.origin();
        let label = |entry: &RegistryEntry| {
            let origin = entry.origin().filter(|_| by_origin);
            let label = origin.unwrap_or(entry.skill().description());
            truncate_chars(OneLine(label).to_string(), MAX_LABEL)
        };
        Self { name: name.to_owned(), registered: label(registered), refused: label(refused) }
    }

    /// Returns the name of both skills.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how to fix the error.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "rename one of the two skills, or replace the registered one with `replace`"
    }
}

impl fmt::Display for NameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, registered, refused } = self;
        write!(
            f,
            "two skills have the name `{name}`: `{registered}` is registered, `{refused}` is not"
        )
    }
}

impl Error for NameTaken {}

/// The error if one of several skills is not registered.
///
/// ```
/// use helix_skills::{
///     Skill,
///     registry::{ExtendError, Registry},
/// };
/// let outcome = Registry::new().extend([("row 7", Err::<Skill, _>("it has no name"))]);
/// assert!(matches!(outcome.problems[0].1, ExtendError::Unusable("it has no name")));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtendError<E> {
    /// Another skill has the same name.
    Taken(NameTaken),
    /// There is no skill; the source of the skills gave this reason.
    Unusable(E),
}

/// `{:?}` prints the reason, `{:#?}` the structure.
impl<E: fmt::Debug> fmt::Debug for ExtendError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(error) if f.alternate() => f.debug_tuple("Taken").field(error).finish(),
            Self::Unusable(error) if f.alternate() => {
                f.debug_tuple("Unusable").field(error).finish()
            }
            Self::Taken(error) => error.fmt(f),
            Self::Unusable(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Display> fmt::Display for ExtendError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(error) => error.fmt(f),
            Self::Unusable(error) => error.fmt(f),
        }
    }
}

/// `Display` prints the inner error, so the source is that of the inner error.
impl<E: Error> Error for ExtendError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Taken(error) => error.source(),
            Self::Unusable(error) => error.source(),
        }
    }
}
