//! Which paths a file of a skill may have.

use crate::name::is_device;
use core::fmt;

/// The longest path of a file inside a skill, in UTF-8 bytes.
pub const MAX_PATH_BYTES: usize = 1024;

/// Why a text cannot be the path of a file inside a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// The path has no characters, or is `-`, which `sha256sum` takes for standard input.
    Empty,
    /// The path is longer than [`MAX_PATH_BYTES`], or one of its parts than 255 bytes.
    TooLong,
    /// The path starts at a root: `/x`, `C:\x`, `\\host`.
    Absolute,
    /// The path has a part that is empty, `.` or `..`.
    Traversal,
    /// A character that some file system or `sha256sum` does not hold: control characters, `\`, and `< > : " | ? *`.
    Character(char),
    /// A part that Windows reserves for a device, with any extension.
    Device,
    /// A part that ends with a dot or a space, which Windows drops.
    Trailing,
    /// A part that starts with `.git`, or that some file system takes for such a name.
    Git,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a path cannot be empty or `-`"),
            Self::TooLong => write!(f, "a path cannot be longer than {MAX_PATH_BYTES} bytes, a part of it than 255"),
            Self::Absolute => f.write_str("a path must be relative to the skill"),
            Self::Traversal => f.write_str("a path cannot have empty parts, `.` or `..`"),
            Self::Character(c) => write!(f, "a path cannot hold `{}`", c.escape_debug()),
            Self::Device => f.write_str("a part of the path is a device on Windows"),
            Self::Trailing => f.write_str("a part of the path ends with a dot or a space"),
            Self::Git => f.write_str("a part of the path is, or looks like, one of git's own names"),
        }
    }
}

impl core::error::Error for PathError {}

/// Tells whether `path` can name a file inside a skill: relative, `/` between its parts, and a name that every
/// supported file system holds and none takes for another.
///
/// ```
/// use helix_skills_runtime::{check_path, PathError};
/// assert_eq!(check_path("references/forms.md"), Ok(()));
/// assert_eq!(check_path("../secret"), Err(PathError::Traversal));
/// assert_eq!(check_path("/etc/passwd"), Err(PathError::Absolute));
/// ```
///
/// # Errors
/// The first rule that the path breaks.
pub fn check_path(path: &str) -> Result<(), PathError> {
    if path.is_empty() || path == "-" {
        return Err(PathError::Empty);
    }
    if path.len() > MAX_PATH_BYTES {
        return Err(PathError::TooLong);
    }
    let bytes = path.as_bytes();
    if bytes[0] == b'/' || bytes[0] == b'\\' || (bytes.len() > 1 && bytes[1] == b':' && bytes[0].is_ascii_alphabetic())
    {
        return Err(PathError::Absolute);
    }
    if let Some(c) = path.chars().find(|c| {
        c.is_control() || matches!(c, '\\' | '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\u{2028}' | '\u{2029}')
    }) {
        return Err(PathError::Character(c));
    }
    path.split('/').try_for_each(check_segment)
}

/// The path of a file of a skill as a model may spell it: one leading `./` is dropped, everything that [`check_path`]
/// refuses is refused, and nothing else is changed.
///
/// ```
/// use helix_skills_runtime::{normalize_path, PathError};
/// assert_eq!(normalize_path("./references/forms.md"), Ok("references/forms.md"));
/// assert_eq!(normalize_path("references/../../secret"), Err(PathError::Traversal));
/// assert_eq!(normalize_path("..\\secret"), Err(PathError::Character('\\')));
/// ```
///
/// # Errors
/// The first rule that the path breaks.
pub fn normalize_path(path: &str) -> Result<&str, PathError> {
    let path = path.strip_prefix("./").unwrap_or(path);
    check_path(path).map(|()| path)
}

fn check_segment(segment: &str) -> Result<(), PathError> {
    if matches!(segment, "" | "." | "..") {
        return Err(PathError::Traversal);
    }
    if segment.len() > 255 {
        return Err(PathError::TooLong);
    }
    if segment.ends_with(['.', ' ']) {
        return Err(PathError::Trailing);
    }
    if is_device(segment) {
        return Err(PathError::Device);
    }
    if is_git_name(segment) {
        return Err(PathError::Git);
    }
    Ok(())
}

/// Whether `segment` starts with `.git` in any case, or would on a file system that ignores some characters
/// (HFS+ drops zero-width ones) or keeps short names (`git~1` on NTFS).
pub fn is_git_name(segment: &str) -> bool {
    let mut kept = segment.chars().filter(|c| !is_ignored_by_hfs(*c)).map(|c| c.to_ascii_lowercase());
    let first: [Option<char>; 4] = core::array::from_fn(|_| kept.next());
    match first {
        [Some('.'), Some('g'), Some('i'), Some('t')] => true,
        [Some('g'), Some('i'), Some('t'), Some('~')] => kept.next().is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    }
}

/// The code points that HFS+ leaves out when it compares names; git's own `is_hfs_dotgit` has the same list.
fn is_ignored_by_hfs(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_load() {
        for path in ["SKILL.md", "a/b/c.txt", ".hidden/x", "a b.md", "日本/語.md", "-x", "gitignore", "digit~1"] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn paths_that_do_not() {
        use PathError::*;
        for (path, why) in [
            ("", Empty),
            ("-", Empty),
            ("/a", Absolute),
            ("\\\\host\\a", Absolute),
            ("c:a", Absolute),
            ("a//b", Traversal),
            ("a/./b", Traversal),
            ("a/../b", Traversal),
            ("a/", Traversal),
            ("a\\b", Character('\\')),
            ("a\nb", Character('\n')),
            ("a\u{85}b", Character('\u{85}')),
            ("aa:b", Character(':')),
            ("a/aux.md", Device),
            ("a./b", Trailing),
            ("a /b", Trailing),
            (".git/config", Git),
            ("x/.GITattributes", Git),
            (".g\u{200c}it", Git),
            ("GIT~1", Git),
        ] {
            assert_eq!(check_path(path), Err(why), "{path}");
        }
        assert_eq!(check_path(&"a/".repeat(600)), Err(TooLong));
        assert_eq!(check_path(&"a".repeat(256)), Err(TooLong));
    }
}
