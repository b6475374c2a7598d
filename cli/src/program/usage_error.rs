//! Errors of the command line.

use helix_skills_project::{Error, ExitCode, error::Custom};

/// A mistake in a command, and what a user can do about it.
pub(super) fn usage_error(message: impl Into<String>, hint: impl Into<String>) -> Error {
    usage_error_with(message, Some(hint.into()))
}

/// A mistake in a command, with a hint if there is one.
pub(super) fn usage_error_with(message: impl Into<String>, hint: Option<String>) -> Error {
    let error = Custom::new(ExitCode::Usage, "usage", message.into());
    match hint {
        Some(hint) => error.hint(hint).into(),
        None => error.into(),
    }
}
