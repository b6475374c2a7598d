//! Ids of git objects.

use crate::Error;
use std::fmt;

/// The full id of a git object: 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits.
///
/// ```
/// use helix_skills_format::ObjectId;
/// let id: ObjectId = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74".parse().unwrap();
/// assert_eq!(id.short(), "f5d81cb5a7b1");
/// assert!("f5d81cb".parse::<ObjectId>().is_err()); // abbreviated ids name nothing for good
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(HashBytes);

/// SHA-1 for nearly all repositories, SHA-256 for those made with `--object-format=sha256`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum HashBytes {
    Sha1([u8; 20]),
    Sha256([u8; 32]),
}

const NO_ID: Error = Error::new("expected a full commit id, 40 or 64 hexadecimal digits");

impl ObjectId {
    /// Returns the bytes: 20 for SHA-1, 32 for SHA-256.
    #[doc(hidden)]
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            HashBytes::Sha1(bytes) => bytes,
            HashBytes::Sha256(bytes) => bytes,
        }
    }

    /// Returns a `Display` of the first twelve digits, for messages.
    #[doc(hidden)]
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string().chars().take(12).collect()
    }
}

/// The id of an object in a SHA-1 repository.
impl From<[u8; 20]> for ObjectId {
    fn from(bytes: [u8; 20]) -> Self {
        Self(HashBytes::Sha1(bytes))
    }
}

/// All digits, in lower case.
impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectId({self})")
    }
}

impl std::str::FromStr for ObjectId {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let digest = match text.len() {
            40 => from_hex(text).map(HashBytes::Sha1),
            64 => from_hex(text).map(HashBytes::Sha256),
            _ => None,
        };
        digest.map(Self).ok_or_else(|| {
            // An abbreviated id.
            let is_short =
                (4..64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
            let hint =
                is_short.then(|| format!("`git rev-parse {text}` in a clone prints the full id"));
            NO_ID.and_hint(hint)
        })
    }
}

/// Decodes exactly `N` bytes of hexadecimal digits in any case.
pub(crate) fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    if pairs.len() != N {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        *byte = (digit(*high)? * 16 + digit(*low)?) as u8;
    }
    Some(bytes)
}
