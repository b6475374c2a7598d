//! Names and paths that an error keeps by value.

use crate::{OneLine, scalars::floor};
use core::fmt;

/// Maximum number of bytes that an excerpt keeps.
const MAX_BYTES: usize = 64;

/// The start of a text from a model, stored by value.
///
/// An error that contains it borrows only from the skills, not from the call. `Display` prints
/// one line, which ends with `…` if the text was longer than 64 bytes. Spaces at an end are printed
/// as one, because they may be the mistake.
///
/// ```
/// use helix_skills_runtime::__internal::Excerpt;
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
    /// Keeps the first 64 bytes of `text`, or fewer so that no character is cut.
    #[must_use]
    pub const fn new(text: &str) -> Self {
        let end = floor(text, MAX_BYTES);
        let mut bytes = [0; MAX_BYTES];
        bytes.split_at_mut(end).0.copy_from_slice(text.as_bytes().split_at(end).0);
        Self { bytes, len: end as u8, cut: end < text.len() }
    }

    /// Returns the stored text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len as usize).0) {
            Ok(text) => text,
            Err(_) => "", // unreachable: only whole characters are stored
        }
    }

    /// Returns whether the text was longer than the excerpt.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.as_str();
        f.write_str(if let [b' ', ..] = text.as_bytes() { " " } else { "" })?;
        OneLine(text).write_to(f)?;
        f.write_str(match text.as_bytes() {
            _ if self.cut => "…",
            [_, .., b' '] => " ",
            _ => "",
        })
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
    fn long_texts_are_cut_and_put_on_one_line() {
        assert_eq!(Excerpt::new("pdf").to_string(), "pdf");
        assert_eq!(Excerpt::new("a\nb</skill>").to_string(), "a b&lt;/skill>");
        assert_eq!(Excerpt::new("  pdf ").to_string(), " pdf ");
        assert_eq!(Excerpt::new(" ").to_string(), " ");
        let long = "é".repeat(40);
        assert_eq!(Excerpt::new(&long).to_string(), "é".repeat(32) + "…");
        assert_eq!(Excerpt::new(&("x".to_string() + &long)).as_str().len(), 63);
    }
}
