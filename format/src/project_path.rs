//! The path of a `path` source.

use std::fmt;

/// The path of a `path` source: relative to the manifest, `/` between its parts; `../` may lead out
/// of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectPath(String);

/// Why a text cannot be the path of a `path` source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProjectPathError {
    /// Nothing there.
    Empty,
    /// Starts at a root, a drive or a home directory, or is a URL: not relative to the manifest.
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
            Self::Absolute => f.write_str(
                "it must be relative to the manifest, so that it means the same on every machine",
            ),
            Self::Character(c) => {
                write!(
                    f,
                    "it holds `{}`; the parts of a path are separated by `/`",
                    c.escape_debug()
                )
            }
            Self::Traversal => f.write_str("`..` may only stand at its start"),
        }
    }
}

impl std::error::Error for ProjectPathError {}

crate::checked_text!(ProjectPath);

impl ProjectPath {
    /// Checks a path; `./`, doubled and trailing slashes are dropped, but for the `./` of a name
    /// such as `~x`.
    ///
    /// # Errors
    /// When it is not relative, or holds what some system takes for something else.
    pub fn new(text: &str) -> Result<Self, ProjectPathError> {
        if text.is_empty() {
            return Err(ProjectPathError::Empty);
        }
        if is_absolute(text) || text.contains("://") {
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
        let path = if parts.is_empty() { ".".to_owned() } else { parts.join("/") };
        // Written to the lock, it has to be what it was.
        Ok(Self(if is_absolute(&path) { format!("./{path}") } else { path }))
    }

    /// The path; `.` for the manifest's own directory.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a path begins at a root, a home directory or a drive.
fn is_absolute(text: &str) -> bool {
    text.starts_with(['/', '~'])
        || matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_checked_can_be_checked_again() {
        for (text, path) in [
            ("./a//b/", "a/b"),
            ("./", "."),
            ("../.././a", "../../a"),
            ("./~x", "./~x"),
            (".//c:x/y", "./c:x/y"),
        ] {
            let checked = ProjectPath::new(text).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(checked.as_str(), path);
            assert_eq!(ProjectPath::new(path), Ok(checked));
        }
        for text in ["~x", "c:x", "/x", "https://user:secret@host/r"] {
            assert_eq!(ProjectPath::new(text), Err(ProjectPathError::Absolute), "{text}");
        }
    }
}
