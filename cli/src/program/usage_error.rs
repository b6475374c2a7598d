//! Usage errors, and other hints for errors.

use helix_skills_project::{Error, ErrorKind};

/// Returns a usage error with a hint.
pub(super) fn usage_error(message: impl Into<String>, hint: impl Into<String>) -> Error {
    usage_error_with(message, Some(hint.into()))
}

/// Returns a usage error with an optional hint.
pub(super) fn usage_error_with(message: impl Into<String>, hint: Option<String>) -> Error {
    Error::new(ErrorKind::Usage, "usage", message).hinted(hint)
}
