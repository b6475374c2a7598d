//! Errors of programs that use this crate.

use crate::ExitCode;
use helix_skills_format::__internal::error_debug;
use std::fmt;

/// An error of a program that uses this crate, or of a custom source type.
///
/// ```
/// use helix_skills_project::{Error, ExitCode, error::Custom};
/// let custom = Custom::new(ExitCode::Usage, "usage", "the key `folder` is missing");
/// let error = Error::from(custom.hint("name a folder"));
/// assert_eq!(error.to_string(), "the key `folder` is missing");
/// assert_eq!((error.exit_code(), error.code()), (ExitCode::Usage, "usage"));
/// ```
pub struct Custom {
    pub(super) exit: ExitCode,
    pub(super) code: &'static str,
    pub(super) hint: Option<String>,
    error: Box<dyn std::error::Error + Send + Sync>,
}

impl Custom {
    /// Creates an error from a message or a cause.
    ///
    /// `code` is a stable kebab-case code, `exit` the exit code of a command that fails with it.
    #[must_use]
    pub fn new(
        exit: ExitCode,
        code: &'static str,
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self { exit, code, hint: None, error: error.into() }
    }

    /// Sets the hint: what a user can do about the error.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

error_debug!(Custom = Custom { exit, code, hint, error });

impl std::error::Error for Custom {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}
