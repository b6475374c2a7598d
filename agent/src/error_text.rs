//! Errors as text for a model, and texts cut to a limit.

use crate::ProviderError;
use alloc::string::{String, ToString};
use core::error::Error;
use helix_skills_runtime::__internal::{ErrorChain, floor};

/// Maximum number of characters of a provider's error that a model reads: a server may answer with
/// a whole page.
const MAX_PROVIDER_ERROR: usize = 500;

/// Returns the text of a provider's error for a model.
pub(crate) fn provider_error_text(error: ProviderError) -> String {
    error_text(&*error, MAX_PROVIDER_ERROR)
}

/// Returns an error with its causes, `a: b: c`, cut after `limit` characters. The text may have
/// several lines.
pub(crate) fn error_text(error: &dyn Error, limit: usize) -> String {
    truncate_chars(ErrorChain(error).to_string(), limit)
}

/// Returns the first `limit` characters of a text, with an ellipsis if there are more.
pub(crate) fn truncate_chars(mut text: String, limit: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(limit) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Returns the start of a text: whole characters, at most `limit` bytes.
#[must_use]
pub fn truncate_bytes(text: &str, limit: usize) -> &str {
    &text[..floor(text, limit)]
}
