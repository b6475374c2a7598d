//! Texts that are never printed, and where they came from.

use std::fmt;
use std::path::PathBuf;

/// Text that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a text that must not be printed.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The text itself, for the request that needs it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Where credentials came from; never what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CredentialSource {
    /// A token, by its label.
    Token(String),
    /// A netrc file.
    Netrc(PathBuf),
    /// A git credential helper, by what it is called.
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
