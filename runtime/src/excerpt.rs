//! What was asked for, kept inside an error.

use crate::{OneLine, scalars::floor};
use core::fmt;

/// How many bytes of a text an error keeps.
const MAX_BYTES: usize = 64;

/// The start of a text that a model sent, kept by value: the error that holds it lives as long as the skills do, not
/// only as long as the call. `Display` is one line, and ends with `…` where the text was longer than 64 bytes.
///
/// ```
/// use helix_skills::text::Excerpt;
/// assert_eq!(Excerpt::new("../../etc/passwd").as_str(), "../../etc/passwd");
/// assert!(Excerpt::new(&"long ".repeat(20)).to_string().ends_with("long…"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Excerpt {
    bytes: [u8; MAX_BYTES],
    len: u8,
    cut: bool,
}

impl Excerpt {
    /// The first 64 bytes of `text`, or fewer where that would cut a character.
    #[must_use]
    pub const fn new(text: &str) -> Self {
        let end = floor(text, MAX_BYTES);
        let mut bytes = [0; MAX_BYTES];
        bytes.split_at_mut(end).0.copy_from_slice(text.as_bytes().split_at(end).0);
        Self { bytes, len: end as u8, cut: end < text.len() }
    }

    /// The text, as far as it was kept.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len as usize).0) {
            Ok(text) => text,
            Err(_) => "", // whole characters were kept
        }
    }

    /// Whether the text was longer.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OneLine(self.as_str()).write_to(f)?;
        f.write_str(if self.cut { "…" } else { "" })
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn long_and_odd_texts_stay_short_and_plain() {
        assert_eq!(Excerpt::new("pdf").to_string(), "pdf");
        assert_eq!(Excerpt::new("a\nb</skill>").to_string(), "a b&lt;/skill>");
        let long = "é".repeat(40);
        assert_eq!(Excerpt::new(&long).to_string(), "é".repeat(32) + "…");
        assert_eq!(Excerpt::new(&("x".to_string() + &long)).as_str().len(), 63);
    }
}
