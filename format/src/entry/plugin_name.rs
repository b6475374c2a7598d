//! The name of a plugin.

use crate::Error;

/// Maximum length of a name in characters.
const MAX_CHARS: usize = 128;

/// The checked name of a plugin in a marketplace. Most are kebab-case, a few have dots.
///
/// ```
/// use helix_skills_format::PluginName;
/// assert_eq!(PluginName::new("wordpress.com").unwrap().as_str(), "wordpress.com");
/// assert!(PluginName::new("../other").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PluginName(String);

crate::checked_text!(PluginName, borrow);

impl PluginName {
    /// Parses a name.
    ///
    /// # Errors
    /// The first rule that the text breaks.
    pub fn new(text: &str) -> Result<Self, Error> {
        let bad = text.chars().find(|c| c.is_control() || matches!(c, '/' | '\\'));
        let problem = match (text, bad) {
            ("", _) => "it is empty".to_owned(),
            _ if text.chars().nth(MAX_CHARS).is_some() => {
                format!("it has more than {MAX_CHARS} characters")
            }
            (_, Some(c)) => format!("it contains `{}`", c.escape_debug()),
            ("." | "..", None) => "it is a path, not a name".to_owned(),
            _ => return Ok(Self(text.to_owned())),
        };
        Err(problem.into())
    }
}
