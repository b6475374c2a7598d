//! The names of tags and branches.

use std::fmt;

/// The name of a tag or branch, short (`main`, `v1.2`) or full (`refs/heads/main`), following git's
/// rules (`git check-ref-format`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RefName(String);

/// Why a text cannot be the name of a tag or a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefNameError {
    /// The text is empty.
    Empty,
    /// Starts with `-`.
    Option,
    /// A character that git does not allow in reference names.
    Character(char),
    /// A part is empty, starts or ends with a dot, or ends with `.lock`; or the name contains `..`
    /// or `@{`.
    Form,
}

impl fmt::Display for RefNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::Option => f.write_str("it starts with `-`"),
            Self::Character(c) => {
                write!(
                    f,
                    "git does not allow `{}` in the name of a tag or branch",
                    c.escape_debug()
                )
            }
            Self::Form => f.write_str("git does not allow a tag or branch of this form"),
        }
    }
}

impl std::error::Error for RefNameError {}

crate::checked_text!(RefName);

impl RefName {
    /// Checks a name.
    ///
    /// # Errors
    /// The rule of git that the name breaks.
    pub fn new(text: &str) -> Result<Self, RefNameError> {
        if text.is_empty() {
            return Err(RefNameError::Empty);
        }
        if text.starts_with('-') {
            return Err(RefNameError::Option);
        }
        if let Some(c) = text
            .chars()
            .find(|c| c.is_control() || " ~^:?*[\\\u{7f}".contains(*c) || c.is_whitespace())
        {
            return Err(RefNameError::Character(c));
        }
        let bad_part = |part: &str| {
            part.is_empty()
                || part.starts_with('.')
                || part.ends_with('.')
                || part.ends_with(".lock")
        };
        if text.split('/').any(bad_part)
            || text.contains("..")
            || text.contains("@{")
            || text == "@"
        {
            return Err(RefNameError::Form);
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_follow_git() {
        for good in ["main", "v1.2", "refs/heads/x", "feature/x", "a@b"] {
            assert!(RefName::new(good).is_ok(), "{good}");
        }
        for bad in [
            "", "-x", "a b", "a..b", "a.lock", "/a", "a/", "a//b", ".a", "a.", "a^", "a@{0}", "@",
            "a\\b",
        ] {
            assert!(RefName::new(bad).is_err(), "{bad}");
        }
    }
}
