//! The name of a skill.

use helix_skills_runtime::__internal::{NameError, check_name};
use unicode_normalization::UnicodeNormalization;

/// The checked name of a skill: the key in the lockfile, the directory in the store, and the name
/// at run time.
///
/// ```
/// use helix_skills_format::SkillName;
/// assert_eq!(SkillName::new("ｍｙ-skill").unwrap().as_str(), "my-skill"); // NFKC
/// assert!(SkillName::new("../evil").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillName(String);

crate::checked_text!(SkillName, borrow);

impl SkillName {
    /// Trims and normalizes (NFKC) a name, then checks it.
    ///
    /// # Errors
    /// The rule of [`check_name`](helix_skills_runtime::check_name) that the name breaks.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let name: String = text.trim().nfkc().collect();
        check_name(&name).map(|()| Self(name))
    }

    /// Returns a key that is equal for names that some file system treats as the same.
    #[doc(hidden)]
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

/// Folds `text` like the least strict file systems compare names: without case, in one normal form.
///
/// Equal to Unicode's full case folding between two NFKC passes, except that Cherokee becomes lower
/// case and that the dotless `ı` becomes `i`, whose upper case it shares. Upper-casing joins
/// letters with several lower-case forms (`ß` and `ss`, both forms of sigma); lower-casing first
/// joins `ẞ` with `ß`, because `ẞ` is its own upper case.
pub(crate) fn fold(text: &str) -> String {
    let text: String = text.nfkc().collect();
    let folded = text.to_lowercase().to_uppercase().to_lowercase();
    // At the end of a word, the standard library writes a lower-case sigma as `ς`.
    folded.replace('ς', "σ").nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;

    #[test]
    fn names_that_collide_on_some_file_system_fold_alike() {
        for (one, other) in [
            ("Foo", "foo"),
            ("straße", "STRASSE"),
            ("straße", "strasse"),
            ("straße", "STRAẞE"),
            ("straẞe", "strasse"),
            ("ὀδός", "ὀδόσ"),
            ("é", "e\u{301}"),
            ("ﬁ", "FI"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        assert_ne!(fold("a-b"), fold("a_b"));
    }

    /// Full case folding is composed of the case mappings, so it joins no characters that this test
    /// does not cover.
    #[test]
    #[cfg_attr(miri, ignore = "iterates over all characters")]
    fn every_case_of_every_character_folds_alike() {
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
        let upper = |text: &str| text.chars().flat_map(char::to_uppercase).collect::<String>();
        for c in '\0'..=char::MAX {
            if c.to_lowercase().chain(c.to_uppercase()).eq([c, c]) && iter::once(c).nfkc().eq([c]) {
                continue;
            }
            let one = c.to_string();
            let folded = fold(&one);
            let cases = [lower(&one), upper(&one), lower(&upper(&one)), upper(&lower(&one))];
            for other in cases.iter().chain([&folded]) {
                assert_eq!(fold(other), folded, "U+{:04X} {one} {other}", u32::from(c));
            }
        }
        // Case folding leaves these unchanged.
        assert_eq!((fold("ı").as_str(), fold("Ꭰ").as_str()), ("i", "ꭰ"));
    }
}
