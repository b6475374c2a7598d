//! Ids of git objects.

use std::fmt;

/// The full id of a git object: 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits.
///
/// ```
/// use helix_skills_format::ObjectId;
/// let id: ObjectId = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74".parse().unwrap();
/// assert_eq!(id.short(), "f5d81cb5a7b1");
/// assert!("f5d81cb".parse::<ObjectId>().is_err()); // abbreviated ids name nothing for good
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

/// The text is not a full object id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectIdError;

impl fmt::Display for ObjectIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a full commit id, 40 or 64 hexadecimal digits")
    }
}

impl std::error::Error for ObjectIdError {}

impl ObjectIdError {
    /// How to mend `text`, the refused one, if it is the beginning of an id.
    #[must_use]
    pub fn hint(self, text: &str) -> Option<String> {
        let is_short = (4..64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
        is_short.then(|| format!("`git rev-parse {text}` in a clone prints the whole id"))
    }
}

crate::newtype::checked_text!(ObjectId);

impl ObjectId {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first twelve digits, for messages.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..12]
    }
}

impl std::str::FromStr for ObjectId {
    type Err = ObjectIdError;
    fn from_str(text: &str) -> Result<Self, ObjectIdError> {
        let hex = text.bytes().all(|b| b.is_ascii_hexdigit()) && matches!(text.len(), 40 | 64);
        if hex { Ok(Self(text.to_ascii_lowercase())) } else { Err(ObjectIdError) }
    }
}
