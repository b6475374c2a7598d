//! SHA-256 digests.

use crate::{Error, object_id::from_hex, sha256::Sha256};
use std::{
    fmt,
    io::{self, Write as _},
};

/// A SHA-256 digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

const NO_DIGEST: Error = Error::new("expected 64 lower-case hexadecimal digits");

#[doc(hidden)]
impl Digest {
    /// Returns whether a text has this digest after converting LF to CR LF or the reverse. Also
    /// true if it matches unchanged.
    #[must_use]
    pub fn matches_other_line_endings(self, bytes: &[u8]) -> bool {
        std::str::from_utf8(bytes).is_ok_and(|text| {
            let unix = text.replace("\r\n", "\n");
            Self::hash(unix.as_bytes()) == self
                || Self::hash(unix.replace('\n', "\r\n").as_bytes()) == self
        })
    }

    /// Returns the digest of `bytes`.
    #[must_use]
    pub fn hash(bytes: &[u8]) -> Self {
        let mut hash = Sha256::new();
        // Writing to a hash cannot fail.
        let _ = hash.write_all(bytes);
        Self(hash.finish())
    }

    /// Returns the digest of everything that `reader` reads, without keeping it in memory.
    ///
    /// ```
    /// use helix_skills_format::Digest;
    /// assert_eq!(Digest::hash_reader(&mut &b"ab"[..])?, Digest::hash(b"ab"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Reading fails.
    pub fn hash_reader(reader: &mut impl io::Read) -> io::Result<Self> {
        let mut hash = Sha256::new();
        io::copy(reader, &mut hash)?;
        Ok(Self(hash.finish()))
    }
}

impl std::str::FromStr for Digest {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        from_hex(text).filter(|_| is_lower).map(Self).ok_or(NO_DIGEST)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The integrity of a skill: the digest of its listing, written `sha256:` and 64 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Integrity(pub Digest);

impl std::str::FromStr for Integrity {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        text.strip_prefix("sha256:").ok_or(NO_DIGEST)?.parse().map(Self)
    }
}

impl fmt::Display for Integrity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_line_endings_are_detected() {
        let unix = Digest::hash(b"a\nb\n\rc");
        let dos = Digest::hash(b"a\r\nb\r\n");
        assert!(unix.matches_other_line_endings(b"a\r\nb\n\rc"));
        assert!(dos.matches_other_line_endings(b"a\nb\r\n"));
        assert!(!unix.matches_other_line_endings(b"a\r\nb\r\nc"));
        assert!(!dos.matches_other_line_endings(b""));
    }
}
