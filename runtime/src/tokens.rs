//! Estimates of tokens.

/// Estimates the tokens of a text of `bytes` UTF-8 bytes, without the data of any model: a quarter
/// of the bytes, rounded up.
///
/// ```
/// use helix_skills::text::estimated_tokens;
/// assert_eq!(estimated_tokens("Reads PDF files.".len()), 4);
/// assert_eq!(estimated_tokens(1), 1);
/// ```
#[must_use]
pub const fn estimated_tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}
