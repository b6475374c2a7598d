//! What a model is shown of a provider's error.

use super::ProviderError;
use alloc::string::{String, ToString};

/// How many characters of a provider's error a model is shown.
const MAX_SAID: usize = 500;

/// What an error says, as far as a model is shown it: a provider may fail with a whole page of its server.
pub(crate) fn said(error: ProviderError) -> String {
    cut(error.to_string(), MAX_SAID)
}

/// The start of a text, and a sign where there is more.
pub(crate) fn cut(mut text: String, chars: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(chars) {
        text.truncate(end);
        text.push('…');
    }
    text
}
