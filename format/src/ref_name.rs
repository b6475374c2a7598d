//! The names of tags and branches.

use crate::Error;

/// The name of a tag or branch, short (`main`, `v1.2`) or full (`refs/heads/main`), following git's
/// rules (`git check-ref-format`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RefName(String);

crate::checked_text!(RefName);

impl RefName {
    /// Checks a name.
    ///
    /// # Errors
    /// The rule of git that the name breaks.
    pub fn new(text: &str) -> Result<Self, Error> {
        if text.is_empty() {
            return Err(Error::EMPTY);
        }
        if text.starts_with('-') {
            return Err(Error::new("it starts with `-`"));
        }
        if let Some(c) = text
            .chars()
            .find(|c| c.is_control() || " ~^:?*[\\\u{7f}".contains(*c) || c.is_whitespace())
        {
            let c = c.escape_debug();
            return Err(format!("git does not allow `{c}` in the name of a tag or branch").into());
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
            return Err(Error::new("git does not allow a tag or branch of this form"));
        }
        Ok(Self(text.to_owned()))
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
