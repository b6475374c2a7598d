//! Errors of tool calls in JSON.

use crate::Excerpt;
use core::fmt;

/// An error in the arguments of a call. `Display` is the message for the model.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let reply = Toolbox::new(SKILLS).call("load_skill", r#"{"name": 7}"#).unwrap();
/// assert_eq!(reply.to_string(), "the parameter `name` has to be a string, not `7`");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The arguments are not a JSON object.
    NotAnObject,
    /// A parameter is missing.
    Missing {
        /// The name of the parameter.
        parameter: &'static str,
    },
    /// A parameter is absent, and an unknown one has a similar name.
    Unknown {
        /// The name of the unknown parameter.
        name: Excerpt,
        /// The name of the absent parameter.
        meant: &'static str,
    },
    /// A parameter has the wrong type.
    Type {
        /// The name of the parameter.
        parameter: &'static str,
        /// The expected type.
        expected: &'static str,
        /// The value that was found.
        found: Excerpt,
    },
}

crate::__error_debug!(CallError {
    NotAnObject,
    Missing { parameter },
    Unknown { name, meant },
    Type { parameter, expected, found },
});

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => {
                f.write_str("cannot read the arguments: they have to be one JSON object")
            }
            Self::Missing { parameter } => write!(f, "the parameter `{parameter}` is missing"),
            Self::Unknown { name, meant } => {
                write!(f, "unknown parameter `{name}`; did you mean `{meant}`?")
            }
            Self::Type { parameter, expected, found } => {
                write!(f, "the parameter `{parameter}` has to be {expected}, not `{found}`")
            }
        }
    }
}

impl core::error::Error for CallError {}
