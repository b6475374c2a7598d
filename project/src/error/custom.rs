//! Errors of programs that embed this crate.

use crate::ExitCode;
use helix_skills_format::__internal::error_debug;
use std::fmt;

/// An error of a program that embeds this crate, or of a source type of its own.
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
    /// An error with a message or a cause, a stable kebab-case code, and the exit code of a command
    /// that ends with it.
    #[must_use]
    pub fn new(
        exit: ExitCode,
        code: &'static str,
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self { exit, code, hint: None, error: error.into() }
    }

    /// The same error with what a user can do about it.
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
