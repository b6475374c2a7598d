//! What a text costs.

/// How many tokens a text of `bytes` UTF-8 bytes costs, as an estimate without any model's data: a quarter, rounded up.
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
