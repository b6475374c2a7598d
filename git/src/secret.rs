//! Texts that are never printed, and their origins.

use std::fmt;
use std::path::PathBuf;

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

/// The origin of credentials, without the credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CredentialSource {
    /// A token, with its label.
    Token(String),
    /// A netrc file.
    Netrc(PathBuf),
    /// A git credential helper, with its name.
    Helper(String),
}

impl fmt::Display for CredentialSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token(label) => write!(f, "`{label}`"),
            Self::Netrc(path) => write!(f, "`{}`", path.display()),
            Self::Helper(name) => write!(f, "the git credential helper {name}"),
        }
    }
}
