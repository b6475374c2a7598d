//! Usage errors, and other hints for errors.

use helix_skills_project::{Error, ExitCode, error::Custom};

/// Returns a usage error with a hint.
pub(super) fn usage_error(message: impl Into<String>, hint: impl Into<String>) -> Error {
    usage_error_with(message, Some(hint.into()))
}

/// Returns an error with another hint, or without one.
pub(super) fn with_hint(error: &Error, hint: Option<String>) -> Error {
    hinted(Custom::new(error.exit_code(), error.code(), error.to_string()), hint)
}

/// Returns a usage error with an optional hint.
pub(super) fn usage_error_with(message: impl Into<String>, hint: Option<String>) -> Error {
    hinted(Custom::new(ExitCode::Usage, "usage", message.into()), hint)
}

fn hinted(error: Custom, hint: Option<String>) -> Error {
    hint.into_iter().fold(error, Custom::hint).into()
}
