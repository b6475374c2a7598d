//! Problems of a provider's skills that do not affect the rest.

use alloc::string::String;
use core::fmt;
use helix_skills_runtime::OneLine;

/// A problem with a skill that the agent works without. `Display` is one line, even if it contains
/// untrusted text.
///
/// ```
/// use helix_skills::provider::ProviderWarning;
/// let warning = ProviderWarning::LeftOut {
///     what: "row 7".into(),
///     why: "the description\nis blank".into(),
/// };
/// assert_eq!(warning.to_string(), "`row 7` is left out: the description is blank");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProviderWarning {
    /// Several skills have this name; the first one is used.
    Duplicate {
        /// The name.
        name: String,
    },
    /// No skill has this name, which is in the list of allowed or preloaded skills.
    Unknown {
        /// The name.
        name: String,
    },
    /// A skill was not preloaded.
    NotPreloaded {
        /// The name of the skill.
        name: String,
        /// The reason.
        why: String,
    },
    /// A skill was left out by its provider.
    LeftOut {
        /// The name or location of the skill.
        what: String,
        /// The reason.
        why: String,
    },
}

impl fmt::Display for ProviderWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { name } => {
                write!(f, "several skills have the name `{}`: the first one is used", OneLine(name))
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
