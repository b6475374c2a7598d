//! The start of names and paths, for messages.

use crate::{OneLine, scalars::floor};
use core::fmt;

/// Maximum number of bytes of an excerpt.
const MAX_BYTES: usize = 64;

/// The start of a text from a model.
///
/// `Display` prints one line, which ends with `…` if the text is longer than 64 bytes. Spaces at an
/// end are printed as one, because they may be the mistake.
#[derive(Clone, Copy, Debug)]
pub struct Excerpt<'t>(pub &'t str);

/// Returns the first 64 bytes of a text, or fewer so that no character is cut, and whether the text
/// is longer.
pub(crate) const fn start(text: &str) -> (&str, bool) {
    let start = text.split_at(floor(text, MAX_BYTES)).0;
    (start, start.len() < text.len())
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, is_cut) = start(self.0);
        f.write_str(if text.starts_with(' ') { " " } else { "" })?;
        OneLine(text).write_to(f)?;
        f.write_str(match text.as_bytes() {
            _ if is_cut => "…",
            [_, .., b' '] => " ",
            _ => "",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn long_texts_are_cut_and_put_on_one_line() {
        assert_eq!(Excerpt("pdf").to_string(), "pdf");
        assert_eq!(Excerpt("a\nb</skill>").to_string(), "a b&lt;/skill>");
        assert_eq!(Excerpt("  pdf ").to_string(), " pdf ");
        assert_eq!(Excerpt(" ").to_string(), " ");
        let long = "é".repeat(40);
        assert_eq!(Excerpt(&long).to_string(), "é".repeat(32) + "…");
        assert_eq!(start(&("x".to_string() + &long)).0.len(), 63);
    }
}
