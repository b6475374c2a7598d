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

/// `text` as the most forgiving file systems compare it: without case, in one normal form. By way of the upper case, where
/// letters meet that have a lower case each: `ß` and `ss`, both forms of sigma.
pub(crate) fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_file_system_takes_for_one_are_folded_alike() {
        for (one, other) in [
            ("Foo", "foo"),
            ("straße", "STRASSE"),
            ("straße", "strasse"),
            ("ὀδός", "ὀδόσ"),
            ("é", "e\u{301}"),
            ("ﬁ", "FI"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        assert_ne!(fold("a-b"), fold("a_b"));
    }
}
