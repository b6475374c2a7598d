//! The name of a plugin.

use helix_skills_format::__internal::error_debug;
use std::fmt;

/// Maximum length of a name in characters.
const MAX_CHARS: usize = 128;

/// The checked name of a plugin in a marketplace. Most are kebab-case, a few have dots.
///
/// ```
/// use helix_skills_project::manifest::PluginName;
/// assert_eq!(PluginName::new("wordpress.com").unwrap().as_str(), "wordpress.com");
/// assert!(PluginName::new("../other").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PluginName(String);

/// The error for a text that is not the name of a plugin.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginNameError {
    /// It is empty.
    Empty,
    /// It has more than 128 characters.
    TooLong,
    /// It has a control character, `/` or `\`.
    Character(char),
    /// It is `.` or `..`.
    Dots,
}

impl fmt::Display for PluginNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::TooLong => write!(f, "it has more than {MAX_CHARS} characters"),
            Self::Character(c) => write!(f, "it contains `{}`", c.escape_debug()),
            Self::Dots => f.write_str("it is a path, not a name"),
        }
    }
}

error_debug!(PluginNameError { Empty, TooLong, Character(c), Dots });

impl std::error::Error for PluginNameError {}

helix_skills_format::checked_text!(PluginName, borrow);

impl PluginName {
    /// Parses a name.
    ///
    /// # Errors
    /// The first rule that the text breaks.
    pub fn new(text: &str) -> Result<Self, PluginNameError> {
        if text.is_empty() {
            return Err(PluginNameError::Empty);
        }
        if text.chars().nth(MAX_CHARS).is_some() {
            return Err(PluginNameError::TooLong);
        }
        if let Some(c) = text.chars().find(|c| c.is_control() || matches!(c, '/' | '\\')) {
            return Err(PluginNameError::Character(c));
        }
        if matches!(text, "." | "..") {
            Err(PluginNameError::Dots)
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}
