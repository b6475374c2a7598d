//! Texts that are never printed.

use std::fmt;

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret(String);

impl Secret {
    /// Wraps a text that must not be printed.
    pub(super) fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// Returns the text, for the request that needs it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
