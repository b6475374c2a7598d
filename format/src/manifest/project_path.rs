//! The path of a `path` source.

use std::fmt;

/// The path of a `path` source: relative to the manifest, `/` between its parts; `../` may lead out of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectPath(String);

/// Why a text cannot be the path of a `path` source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProjectPathError {
    /// Nothing there.
    Empty,
    /// Starts at a root, a drive or a home directory: it would mean something else on every machine.
    Absolute,
    /// A backslash or a control character.
    Character(char),
    /// `..` after a directory was entered.
    Traversal,
}

impl fmt::Display for ProjectPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::Absolute => {
                f.write_str("it must be relative to the manifest, so that it means the same on every machine")
            }
            Self::Character(c) => {
                write!(f, "it holds `{}`; the parts of a path are separated by `/`", c.escape_debug())
            }
            Self::Traversal => f.write_str("`..` may only stand at its start"),
        }
    }
}

impl std::error::Error for ProjectPathError {}

crate::newtype::checked_text!(ProjectPath);

impl ProjectPath {
    /// Checks a path; `./`, doubled and trailing slashes are dropped.
    ///
    /// # Errors
    /// When it is not relative, or holds what some system takes for something else.
    pub fn new(text: &str) -> Result<Self, ProjectPathError> {
        if text.is_empty() {
            return Err(ProjectPathError::Empty);
        }
        let drive = text.as_bytes().get(1) == Some(&b':') && text.as_bytes()[0].is_ascii_alphabetic();
        if text.starts_with(['/', '~']) || drive {
            return Err(ProjectPathError::Absolute);
        }
        if let Some(c) = text.chars().find(|c| c.is_control() || *c == '\\') {
            return Err(ProjectPathError::Character(c));
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let up = parts.iter().take_while(|part| **part == "..").count();
        if parts[up..].contains(&"..") {
            return Err(ProjectPathError::Traversal);
        }
        Ok(Self(if parts.is_empty() { ".".to_owned() } else { parts.join("/") }))
    }

    /// The path; `.` for the manifest's own directory.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
