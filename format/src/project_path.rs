//! The path of a `path` source.

use std::fmt;

/// The path of a `path` source: relative to the manifest, with `/` between its parts. It may leave
/// the project by a leading `../`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectPath(String);

/// Why a text cannot be the path of a `path` source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProjectPathError {
    /// The text is empty.
    Empty,
    /// The path is not relative to the manifest: it starts at a root, a drive or a home directory,
    /// or is a URL.
    Absolute,
    /// The path contains a backslash or a control character.
    Character(char),
    /// The path contains `..` after a directory name.
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
                    "it contains `{}`; the parts of a path are separated by `/`",
                    c.escape_debug()
                )
            }
            Self::Traversal => f.write_str("`..` is only allowed at its start"),
        }
    }
}

impl std::error::Error for ProjectPathError {}

crate::checked_text!(ProjectPath);

impl ProjectPath {
    /// Parses a path. Drops `./`, doubled and trailing slashes, except the `./` of a name such as
    /// `~x`.
    ///
    /// # Errors
    /// The path is not relative, or contains characters that mean something else on some system.
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
        // Parsing the printed path must give the same path again.
        Ok(Self(if is_absolute(&path) { format!("./{path}") } else { path }))
    }

    /// Returns the path; `.` for the manifest's own directory.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether a path starts at a root, a home directory or a drive.
fn is_absolute(text: &str) -> bool {
    text.starts_with(['/', '~'])
        || matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_is_idempotent() {
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
