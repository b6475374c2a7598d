//! What a provider may get wrong without breaking anything.

use alloc::string::String;
use core::fmt;
use helix_skills_runtime::OneLine;

/// Something that an agent's owner should know, and that the agent works without. What strangers wrote is shown on one
/// line.
///
/// ```
/// use helix_skills::provider::ProviderWarning;
/// let warning = ProviderWarning::LeftOut { what: "row 7".into(), why: "the description\nis blank".into() };
/// assert_eq!(warning.to_string(), "`row 7` is left out: the description is blank");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProviderWarning {
    /// Several skills have this name; the first counts.
    Duplicate {
        /// The name.
        name: String,
    },
    /// A name that was to be allowed, or preloaded, and that no skill has.
    Unknown {
        /// The name.
        name: String,
    },
    /// A skill was not preloaded.
    NotPreloaded {
        /// The name of the skill.
        name: String,
        /// Why.
        why: String,
    },
    /// A skill was left out by its provider.
    LeftOut {
        /// What it is called, or where it lies.
        what: String,
        /// Why.
        why: String,
    },
}

impl fmt::Display for ProviderWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { name } => {
                write!(f, "several skills have the name `{}`: the first counts", OneLine(name))
            }
            Self::Unknown { name } => {
                write!(f, "there is no skill `{}`: the name has no effect", OneLine(name))
            }
            Self::NotPreloaded { name, why } => {
                write!(f, "`{}` is not preloaded: {}", OneLine(name), OneLine(why))
            }
            Self::LeftOut { what, why } => {
                write!(f, "`{}` is left out: {}", OneLine(what), OneLine(why))
            }
        }
    }
}
