//! Rules for paths of files inside a skill.

use crate::{
    name::is_device,
    scalars::{char_at, slice},
};
use core::fmt;

/// Maximum length of a path inside a skill, in UTF-8 bytes.
pub const MAX_PATH_BYTES: usize = 1024;

/// Why a text cannot be the path of a file inside a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathError {
    /// The path is empty, or is `-`, which `sha256sum` takes for standard input.
    Empty,
    /// The path is longer than [`MAX_PATH_BYTES`], or one of its parts than 255 bytes.
    TooLong,
    /// The path starts at a root: `/x`, `C:\x`, `\\host`.
    Absolute,
    /// The path has a part that is empty, `.` or `..`.
    Traversal,
    /// A character that some file system or `sha256sum` does not support: control characters, `\`,
    /// and `< > : " | ? *`.
    Character(char),
    /// A part that is reserved for a device on Windows, with or without an extension.
    Device,
    /// A part that ends with a dot or a space, which Windows drops.
    Trailing,
    /// A part that git reserves (`.git`, `.gitattributes`, `.gitignore`, `.gitmodules`), or that
    /// some file system treats as such a name.
    Git,
}

impl PathError {
    /// Returns the text of the error, and separately the refused character, which is appended to
    /// it.
    pub(crate) const fn message_parts(self) -> (&'static str, Option<char>) {
        let text = match self {
            Self::Empty => "a path cannot be empty or `-`",
            Self::TooLong => "a path cannot be longer than 1024 bytes, or a part of it than 255",
            Self::Absolute => "a path must be relative to the skill",
            Self::Traversal => "a path cannot have empty parts, `.` or `..`",
            Self::Character(c) => return ("a path cannot contain", Some(c)),
            Self::Device => "a part of the path is reserved for a device on Windows",
            Self::Trailing => "a part of the path ends with a dot or a space",
            Self::Git => "a part of the path is, or looks like, a name that git reserves",
        };
        (text, None)
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message_parts() {
            (text, None) => f.write_str(text),
            (text, Some(c)) => write!(f, "{text} `{}`", c.escape_debug()),
        }
    }
}

impl core::error::Error for PathError {}

/// Checks the rules of [`check_path`](crate::check_path).
///
/// # Errors
/// The first rule that the path breaks.
#[inline(never)] // large, with many callers
pub const fn check_path(path: &str) -> Result<(), PathError> {
    let bytes = path.as_bytes();
    if matches!(bytes, b"" | b"-") {
        return Err(PathError::Empty);
    }
    if bytes.len() > MAX_PATH_BYTES {
        return Err(PathError::TooLong);
    }
    if matches!(bytes, [b'/' | b'\\', ..] | [b'a'..=b'z' | b'A'..=b'Z', b':', ..]) {
        return Err(PathError::Absolute);
    }
    let mut at = 0;
    while at < bytes.len() {
        let (c, next) = char_at(path, at);
        if is_refused(c) {
            return Err(PathError::Character(c));
        }
        at = next;
    }
    let (mut start, mut end) = (0, 0);
    loop {
        if end == bytes.len() || bytes[end] == b'/' {
            let checked = check_segment(slice(path, start, end));
            if checked.is_err() || end == bytes.len() {
                return checked;
            }
            start = end + 1;
        }
        end += 1;
    }
}

/// Returns whether no part of a path may contain `c`.
const fn is_refused(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}'
        | '\\' | '<' | '>' | ':' | '"' | '|' | '?' | '*')
}

/// Checks a path as [`normalize_path`](crate::normalize_path) does.
pub(crate) fn normalize_path(path: &str) -> Result<&str, PathError> {
    let path = path.strip_prefix("./").unwrap_or(path);
    check_path(path).map(|()| path)
}

const fn check_segment(segment: &str) -> Result<(), PathError> {
    match segment.as_bytes() {
        b"" | b"." | b".." => Err(PathError::Traversal),
        bytes if bytes.len() > 255 => Err(PathError::TooLong),
        [.., b'.' | b' '] => Err(PathError::Trailing),
        _ if is_device(segment) => Err(PathError::Device),
        _ if is_git_name(segment) => Err(PathError::Git),
        _ => Ok(()),
    }
}

/// Returns whether git treats `segment` specially: `.git`, `.gitattributes`, `.gitignore` or
/// `.gitmodules`, in any spelling that a file system takes for it. HFS+ ignores case and some
/// characters; NTFS ignores case, dots and spaces at the end, and has streams and short names.
///
/// ```
/// use helix_skills_runtime::__internal::is_git_name;
/// assert!(is_git_name(".gitattributes") && is_git_name(".GIT .") && is_git_name("GIT~1"));
/// assert!(!is_git_name("git.md") && !is_git_name(".gitkeep") && !is_git_name(".github"));
/// ```
pub const fn is_git_name(segment: &str) -> bool {
    if let [b'!'..=b'-' | b'0'..=b'F' | b'H'..=b'f' | b'h'..=b'~', ..] = segment.as_bytes() {
        return false; // the fast path for most names
    }
    let mut name = [0; 14];
    let (mut len, mut kept, mut at) = (0, 0, 0);
    while at < segment.len() {
        let (c, next) = char_at(segment, at);
        at = next;
        match c.to_ascii_lowercase() {
            ':' | '\\' => break,
            c if is_ignored_by_hfs(c) => {}
            '.' | ' ' if kept >= name.len() => {}
            c if kept >= name.len() || !c.is_ascii() => return false,
            c => {
                name[kept] = c as u8;
                kept += 1;
                if !matches!(c, '.' | ' ') {
                    len = kept;
                }
            }
        }
    }
    let mut digits = len;
    while digits > 0 && name[digits - 1].is_ascii_digit() {
        digits -= 1;
    }
    // NTFS shortens names to six characters, or to two and a hash, of which a longer number takes
    // the place: as in git's `is_ntfs_dot_generic`.
    match name.split_at(digits).0 {
        b".git" | b".gitattributes" | b".gitignore" | b".gitmodules" => digits == len,
        b"git~" => len == 5,
        b"gitatt~" | b"gitign~" | b"gitmod~" | b"gi7d29~" | b"gi250a~" | b"gi7eba~" | b"gi7d2~"
        | b"gi250~" | b"gi7eb~" | b"gi7d~" | b"gi25~" | b"gi7e~" | b"gi7~" | b"gi2~" | b"gi~"
        | b"g~" => len == 8,
        _ => false,
    }
}

/// Returns whether HFS+ ignores `c` when it compares names; the same list as in git's
/// `is_hfs_dotgit`.
const fn is_ignored_by_hfs(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_paths_are_accepted() {
        for path in [
            "SKILL.md",
            "a/b/c.txt",
            ".hidden/x",
            "a b.md",
            "日本/語.md",
            "-x",
            "gitignore",
            "digit~1",
            ".gitkeep",
            ".github/workflows/ci.yml",
            ".gitlab-ci.yml",
            ".gitattributes2",
            ".git-blame-ignore-revs",
            ".gitignore.md",
            "git~1.md",
            "gitkee~1",
            "gitmod~10",
            "gi7eba~x",
            "gi7eb~1",
        ] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn invalid_paths_are_refused() {
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
            ("gitmod~4", Git),
            ("GI7D29~1", Git),
            ("gi25~123", Git),
        ] {
            assert_eq!(check_path(path), Err(why), "{path}");
        }
        // The names that are left out are more than the paths that are refused for this reason.
        for name in [
            ".git ",
            ".GIT...",
            ".git::$INDEX_ALLOCATION",
            ".gitignore:stream",
            ".git\\config",
            "git~1 .",
            "\u{feff}.gitModules\u{206f}",
            ".gitattributes            . ",
            "gi7eba~1. ",
        ] {
            assert!(is_git_name(name), "{name:?}");
        }
        for name in [".git            x", ".gitattributes            x", ".git\u{e9}", ".g it", "."]
        {
            assert!(!is_git_name(name), "{name:?}");
        }
        assert_eq!(check_path(&"a/".repeat(600)), Err(TooLong));
        assert_eq!(check_path(&"a".repeat(256)), Err(TooLong));
    }
    /// Returns the rules of `check_path`, written with iterators, which constant functions cannot
    /// use.
    fn restated(path: &str) -> Result<(), PathError> {
        if path.is_empty() || path == "-" {
            return Err(PathError::Empty);
        }
        if path.len() > MAX_PATH_BYTES {
            return Err(PathError::TooLong);
        }
        let mut chars = path.chars();
        let first = chars.next();
        if path.starts_with(['/', '\\'])
            || (first.is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':'))
        {
            return Err(PathError::Absolute);
        }
        let refused = |c: &char| c.is_control() || "\\<>:\"|?*\u{2028}\u{2029}".contains(*c);
        if let Some(c) = path.chars().find(refused) {
            return Err(PathError::Character(c));
        }
        path.split('/').try_for_each(|segment| {
            if matches!(segment, "" | "." | "..") {
                return Err(PathError::Traversal);
            }
            if segment.len() > 255 {
                return Err(PathError::TooLong);
            }
            if segment.ends_with(['.', ' ']) {
                return Err(PathError::Trailing);
            }
            let stem =
                segment.split('.').next().unwrap_or_default().trim_end_matches(' ').to_lowercase();
            let number = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
            if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&&*stem)
                || number.is_some_and(|n| n.chars().count() == 1 && "0123456789¹²³".contains(n))
            {
                return Err(PathError::Device);
            }
            let seen = segment.replace(is_ignored_by_hfs, "").to_ascii_lowercase();
            let dot = [".git", ".gitattributes", ".gitignore", ".gitmodules"];
            let short = seen.split_once('~').is_some_and(|(start, number)| {
                let cut = ["gitatt", "gitign", "gitmod"].contains(&start) && number.len() == 1;
                let hashed = ["gi7d29", "gi250a", "gi7eba"].iter().any(|it| it.starts_with(start));
                let is_short = cut || hashed && !start.is_empty() && seen.len() == 8;
                let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
                is_number && (is_short || start == "git" && number.len() == 1)
            });
            if dot.contains(&&*seen) || short { Err(PathError::Git) } else { Ok(()) }
        })
    }

    #[test]
    fn check_path_agrees_with_restated_rules() {
        use crate::tests::{Samples, are_enough, rounds};
        let mut answers = alloc::collections::BTreeMap::new();
        for (start, alphabet) in [
            ("", "aB/.-"),
            ("", "/. \\:*c\u{7f}\u{85}\u{2028}é"),
            ("", "gGiItT~.1x\u{200c}\u{feff}"),
            (".gi", "tT/\u{200c}\u{feff}"),
            ("a/gi7", "dD29~10"),
            ("", "cCoOnNmMpPrRuUxX. "),
            ("", "lptLPTcom0123456789¹²³. x"),
            ("", "conin$ou.T "),
            ("", "日/\u{10ffff}\u{fffd}."),
        ] {
            for path in Samples::new(alphabet, 9).take(rounds(60_000)) {
                let path = alloc::format!("{start}{path}");
                let expected = restated(&path);
                assert_eq!(check_path(&path), expected, "{path:?}");
                let kind = expected.map_err(|why| core::mem::discriminant(&why));
                *answers.entry(alloc::format!("{kind:?}")).or_insert(0) += 1;
            }
        }
        assert!(
            are_enough(answers.len(), 7) && answers.values().all(|count| are_enough(*count, 20)),
            "{answers:?}"
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "paths of a thousand bytes")]
    fn long_paths_agree_with_restated_rules() {
        for long in ["é/".repeat(400), "日".repeat(86), "a".repeat(255), "x/".repeat(511) + "y"] {
            assert_eq!(check_path(&long), restated(&long));
        }
    }
}
