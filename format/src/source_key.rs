//! The name of a source in the manifest.

use crate::Error;

/// The key of a source in the manifest: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`. It names the source, not
/// a skill.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceKey(String);

const NO_KEY: Error =
    Error::new("expected a letter or digit, then at most 63 letters, digits, `.`, `_` or `-`");

crate::checked_text!(SourceKey, borrow);

impl SourceKey {
    /// Checks a key.
    ///
    /// # Errors
    /// The text does not have this form.
    pub fn new(text: &str) -> Result<Self, Error> {
        let good = text.len() <= 64
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
        if good { Ok(Self(text.to_owned())) } else { Err(NO_KEY) }
    }

    /// Suggests a name for a skill of the source whose own name is taken.
    #[doc(hidden)]
    #[must_use]
    pub fn qualify(&self, skill: &str) -> String {
        let parts =
            self.0.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        let parts: Vec<String> = parts.map(str::to_ascii_lowercase).collect();
        format!("{}-{skill}", parts.join("-"))
    }
}
