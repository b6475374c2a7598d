//! Errors as text that a model reads.

use crate::ProviderError;
use alloc::string::{String, ToString};
use core::error::Error;
use helix_skills_runtime::__internal::ErrorChain;

/// Maximum number of characters of a provider's error that a model reads: a server may answer with
/// a whole page.
const MAX_PROVIDER_ERROR: usize = 500;

/// What a model reads of a provider's error.
pub(crate) fn provider_error(error: ProviderError) -> String {
    said(&*error, MAX_PROVIDER_ERROR)
}

/// An error with its causes, `a: b: c`, cut after `chars` characters. It may have several lines.
#[must_use]
pub fn said(error: &dyn Error, chars: usize) -> String {
    cut(ErrorChain(error).to_string(), chars)
}

/// The start of a text, with an ellipsis if there is more.
#[must_use]
pub fn cut(mut text: String, chars: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(chars) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The start of a text: whole characters, at most `limit` bytes.
#[must_use]
pub fn up_to(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
