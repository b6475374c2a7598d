//! Why a skill is not registered.

use super::RegistryEntry;
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
};
use core::{error::Error, fmt};
use helix_skills_runtime::OneLine;

/// How many characters of what tells a skill an error has.
const MAX_TOLD: usize = 80;

/// A registry has a skill of this name. `Display` tells both: by where they were loaded from, or by their descriptions.
///
/// ```
/// use helix_skills::{registry::Registry, Skill};
/// let pdf = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// let mut skills = Registry::new();
/// skills.register(pdf)?;
/// let error = skills.register(pdf).unwrap_err();
/// assert_eq!(error.name(), "pdf");
/// assert_eq!(error.hint(), "rename one of the two, or let it take the place of the other with `replace`");
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
    pub(super) fn of(name: &str, registered: &RegistryEntry, refused: &RegistryEntry) -> Self {
        // Where both come from one place, it tells nothing.
        let by_origin = registered.origin() != refused.origin();
        let told = |entry: &RegistryEntry| {
            told(entry.origin().filter(|_| by_origin), entry.skill().description())
        };
        Self { name: name.to_owned(), registered: told(registered), refused: told(refused) }
    }

    /// The name that both have.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How to mend it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "rename one of the two, or let it take the place of the other with `replace`"
    }
}

/// What tells a skill from another one of its name, on one line and not too long.
fn told(origin: Option<&str>, description: &str) -> String {
    let mut told = OneLine(origin.unwrap_or(description)).to_string();
    if let Some((end, _)) = told.char_indices().nth(MAX_TOLD) {
        told.truncate(end);
        told.push('…');
    }
    told
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

/// Why one of several skills is not registered.
///
/// ```
/// use helix_skills::{registry::{ExtendError, Registry}, SkillBuf};
/// let outcome = Registry::new().extend([("row 7", Err::<SkillBuf, _>("it has no name"))]);
/// assert!(matches!(outcome.problems[0].1, ExtendError::Unusable("it has no name")));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtendError<E> {
    /// Another skill has its name.
    Taken(NameTaken),
    /// There is no skill, for a reason of its source.
    Unusable(E),
}

/// `{:?}` is that of the reason, `{:#?}` prints the structure.
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

/// What it displays is all that it says: the source of what it holds is its own.
impl<E: Error> Error for ExtendError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Taken(error) => error.source(),
            Self::Unusable(error) => error.source(),
        }
    }
}
