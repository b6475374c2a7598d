//! Why a text is not a valid value.

use crate::error_text::write_report;
use helix_skills_runtime::__internal::{NameError, PathError};
use std::{borrow::Cow, fmt};

/// Why a text is not a valid URL, path, name, digest or id.
///
/// `Display` states the broken rule on one line and does not repeat the text.
///
/// ```
/// use helix_skills_format::GitUrl;
/// let error = GitUrl::parse("https://me:secret@example.com/x.git").unwrap_err();
/// assert_eq!(error.to_string(), "it contains a user name or a password");
/// assert!(error.hint().unwrap().contains("~/.netrc"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    message: Cow<'static, str>,
    hint: Option<Cow<'static, str>>,
}

impl Error {
    pub(crate) const EMPTY: Self = Self::new("it is empty");

    pub(crate) const fn new(message: &'static str) -> Self {
        Self { message: Cow::Borrowed(message), hint: None }
    }

    pub(crate) const fn with_hint(message: &'static str, hint: &'static str) -> Self {
        Self { message: Cow::Borrowed(message), hint: Some(Cow::Borrowed(hint)) }
    }

    /// Reports a character that is not allowed.
    pub(crate) fn character(c: char) -> Self {
        Self::from(format!("it contains `{}`", c.escape_debug()))
    }

    /// Replaces the hint.
    pub(crate) fn and_hint(self, hint: Option<String>) -> Self {
        Self { hint: hint.map(Cow::Owned), ..self }
    }

    /// Returns what to write instead.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return write_report(self, f);
        }
        let Self { message, hint } = self;
        f.debug_struct("Error").field("message", message).field("hint", hint).finish()
    }
}

impl From<String> for Error {
    fn from(message: String) -> Self {
        Self { message: message.into(), hint: None }
    }
}

impl From<NameError> for Error {
    fn from(error: NameError) -> Self {
        error.to_string().into()
    }
}

impl From<PathError> for Error {
    fn from(error: PathError) -> Self {
        error.to_string().into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
