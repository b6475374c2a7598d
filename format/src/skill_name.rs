//! The name of a skill.

use helix_skills_runtime::{NameError, check_name};
use unicode_normalization::UnicodeNormalization;

/// The checked name of a skill: the lock's key, the store's directory and the runtime's name.
///
/// ```
/// use helix_skills_format::SkillName;
/// assert_eq!(SkillName::new("ｍｙ-skill").unwrap().as_str(), "my-skill"); // NFKC
/// assert!(SkillName::new("../evil").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillName(String);

crate::newtype::checked_text!(SkillName, borrow);

impl SkillName {
    /// Trims and normalises (NFKC) a name, then checks it.
    ///
    /// # Errors
    /// The rule of [`check_name`] that the name breaks.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let name: String = text.trim().nfkc().collect();
        check_name(&name).map(|()| Self(name))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two names share when some file system takes them for one.
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

/// `text` as the most forgiving file systems compare it: without case, in one normal form.
pub(crate) fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}
