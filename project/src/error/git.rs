//! Errors of git.

use super::{Error, ErrorKind as Kind};
use helix_skills_format::{__internal::listed, SourceKey};
use helix_skills_git::{self as git, ErrorKind};

/// Maximum number of sources of one repository that a message lists.
const MAX_SOURCES: usize = 20;

impl From<git::Error> for Error {
    fn from(error: git::Error) -> Self {
        Self::git(&[], false, &error)
    }
}

impl Error {
    /// Returns an error for the sources that need a repository; none if they are not known.
    /// `is_plugin`: the URL comes from a marketplace, and not from the manifest.
    pub(crate) fn git(keys: &[SourceKey], is_plugin: bool, error: &git::Error) -> Self {
        if error.kind() == ErrorKind::Interrupted {
            return Self::interrupted();
        }
        let of_plugin = if is_plugin { "the plugin of " } else { "" };
        let sources = match keys {
            [] => String::new(),
            [key] => format!("{of_plugin}the source `{key}`: "),
            keys => format!("{of_plugin}the sources {}: ", listed(keys, MAX_SOURCES)),
        };
        let (kind, code) = kind_and_code(error.kind());
        let message = format!("{sources}{error}");
        Self::new(kind, code, message).including(error.clone()).hinted(error.hint())
    }
}

/// Returns the kind and the code for a kind of error.
fn kind_and_code(kind: ErrorKind) -> (Kind, &'static str) {
    match kind {
        ErrorKind::Interrupted => (Kind::Interrupted, "interrupted"),
        ErrorKind::Authentication => (Kind::Authentication, "authentication"),
        ErrorKind::NotFound | ErrorKind::NoRepository => (Kind::Network, "not-found"),
        ErrorKind::Limit => (Kind::Policy, "limit"),
        ErrorKind::Corrupt => (Kind::Mismatch, "corrupt"),
        ErrorKind::Unsupported => (Kind::Usage, "unsupported"),
        ErrorKind::Url => (Kind::Usage, "bad-url"),
        ErrorKind::Local => (Kind::Disk, "repository"),
        ErrorKind::Environment => (Kind::Usage, "environment"),
        _ => (Kind::Network, "network"),
    }
}
