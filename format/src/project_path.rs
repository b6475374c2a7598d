//! The path of a `path` source.

use crate::Error;

/// The path of a `path` source: relative to the manifest, with `/` between its parts. It may leave
/// the project by a leading `../`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectPath(String);

/// The path starts at a root, a drive or a home directory, or is a URL.
const ABSOLUTE: Error =
    Error::new("it must be relative to the manifest, so that it means the same on every machine");

crate::checked_text!(ProjectPath);

impl ProjectPath {
    /// Parses a path. Drops `./`, doubled and trailing slashes, except the `./` of a name such as
    /// `~x`.
    ///
    /// # Errors
    /// The path is not relative, or contains characters that mean something else on some system.
    pub fn new(text: &str) -> Result<Self, Error> {
        if text.is_empty() {
            return Err(Error::EMPTY);
        }
        if is_absolute(text) || text.contains("://") {
            return Err(ABSOLUTE);
        }
        if let Some(c) = text.chars().find(|c| c.is_control() || *c == '\\') {
            let c = c.escape_debug();
            return Err(
                format!("it contains `{c}`; the parts of a path are separated by `/`").into()
            );
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let up = parts.iter().take_while(|part| **part == "..").count();
        if parts[up..].contains(&"..") {
            return Err(Error::new("`..` is only allowed at its start"));
        }
        let path = if parts.is_empty() { ".".to_owned() } else { parts.join("/") };
        // Parsing the printed path must give the same path again.
        Ok(Self(if is_absolute(&path) { format!("./{path}") } else { path }))
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
            assert_eq!(ProjectPath::new(text), Err(ABSOLUTE), "{text}");
        }
    }
}
