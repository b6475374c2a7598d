//! The names of custom source types.

use helix_skills_format::Error;

/// The name of a custom source type: `x-`, then 1 to 62 of `a-z`, `0-9` and `-`.
///
/// ```
/// use helix_skills_project::manifest::SourceType;
/// assert_eq!(SourceType::new("x-wiki").unwrap().as_str(), "x-wiki");
/// assert!(SourceType::new("wiki").is_err()); // names without `x-` are reserved
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceType(String);

helix_skills_format::checked_text!(SourceType, borrow);

impl SourceType {
    /// Parses a type.
    ///
    /// # Errors
    /// The text does not have the form above.
    pub fn new(text: &str) -> Result<Self, Error> {
        let good = text.strip_prefix("x-").is_some_and(|name| {
            (1..=62).contains(&name.len())
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        });
        if good {
            Ok(Self(text.to_owned()))
        } else {
            let form = "expected `x-`, then 1 to 62 of the characters `a-z`, `0-9` and `-`";
            Err(form.to_owned().into())
        }
    }
}
