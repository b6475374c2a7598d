//! Rules for names of skills.

use crate::invisible::is_invisible;
use core::fmt;

/// Maximum length of a skill's name, in UTF-8 bytes. The name is used for a directory and, with
/// `.sha256` appended, for a file.
pub const MAX_NAME_BYTES: usize = 200;

/// Why a text cannot be the name of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameError {
    /// The name is empty.
    Empty,
    /// The name is longer than [`MAX_NAME_BYTES`].
    TooLong,
    /// A character that is neither a letter, a digit, `-`, `_` nor a dot inside the name.
    Character(char),
    /// The name starts or ends with a dot, or contains two dots in a row.
    Dot,
    /// The name is reserved for a device on Windows, with or without an extension.
    Device,
    /// The name ends with `.sha256`, which is reserved for listings.
    Listing,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a name cannot be empty"),
            Self::TooLong => write!(f, "a name cannot be longer than {MAX_NAME_BYTES} bytes"),
            Self::Character(c) => write!(f, "a name cannot contain `{}`", c.escape_debug()),
            Self::Dot => {
                f.write_str("a name cannot start or end with a dot or contain two in a row")
            }
            Self::Device => f.write_str("the name is reserved for a device on Windows"),
            Self::Listing => f.write_str("a name cannot end with `.sha256`"),
        }
    }
}

impl core::error::Error for NameError {}

/// Checks the rules of [`check_name`](crate::check_name).
///
/// # Errors
/// The first rule that the name breaks.
pub fn check_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if name.len() > MAX_NAME_BYTES {
        return Err(NameError::TooLong);
    }
    if name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        return Err(NameError::Dot);
    }
    // Some invisible fillers count as letters.
    let is_good =
        |c: char| (c.is_alphanumeric() && !is_invisible(c)) || matches!(c, '-' | '_' | '.');
    if let Some(c) = name.chars().find(|c| !is_good(*c)) {
        return Err(NameError::Character(c));
    }
    if is_device(name) {
        return Err(NameError::Device);
    }
    match name.as_bytes().last_chunk::<7>() {
        Some(end) if end.eq_ignore_ascii_case(b".sha256") => Err(NameError::Listing),
        _ => Ok(()),
    }
}

/// Returns whether Windows treats `segment`, with or without an extension, as a device.
pub(crate) const fn is_device(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    let mut end = 0;
    while end < bytes.len() && bytes[end] != b'.' {
        end += 1;
    }
    while end > 0 && bytes[end - 1] == b' ' {
        end -= 1;
    }
    let stem = bytes.split_at(end).0;
    let Some(([a, b, c], tail)) = stem.split_first_chunk() else { return false };
    let head = [a.to_ascii_lowercase(), b.to_ascii_lowercase(), c.to_ascii_lowercase()];
    match (&head, tail) {
        // The last three bytes encode ¹, ² and ³.
        (b"com" | b"lpt", [b'0'..=b'9'] | [0xc2, 0xb9 | 0xb2 | 0xb3]) => true,
        (b"con" | b"prn" | b"aux" | b"nul", []) => true,
        (b"con", _) => tail.eq_ignore_ascii_case(b"in$") || tail.eq_ignore_ascii_case(b"out$"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_names_load() {
        for name in
            ["a", "my-skill", "My_Skill", "技能", "-my", "my-", "v1.2", "com", "com10", "console"]
        {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn invalid_names_are_refused() {
        use NameError::*;
        for (name, why) in [
            ("", Empty),
            (".git", Dot),
            ("a..b", Dot),
            ("a.", Dot),
            ("a b", Character(' ')),
            ("a\\b", Character('\\')),
            ("a\u{200b}b", Character('\u{200b}')),
            ("a\u{3164}", Character('\u{3164}')),
            ("COM1", Device),
            ("nul.txt", Device),
            ("lpt²", Device),
            ("x.SHA256", Listing),
        ] {
            assert_eq!(check_name(name), Err(why), "{name}");
        }
        assert_eq!(check_name(&"a".repeat(201)), Err(TooLong));
    }
}
