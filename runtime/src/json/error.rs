//! Errors of JSON.

use core::fmt;

/// An error in a JSON text, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    message: &'static str,
    offset: usize,
    line: usize,
    column: usize,
}

impl JsonError {
    /// Makes an error with `message` at the byte `offset` of `text`.
    pub(super) fn new(message: &'static str, text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Self {
            message,
            offset,
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
        }
    }

    /// Returns what was expected or refused.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        self.message
    }

    /// Returns the position of the error in bytes.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} column {}", self.message, self.line, self.column)
    }
}

impl core::error::Error for JsonError {}
