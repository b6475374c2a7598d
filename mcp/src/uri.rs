//! URIs of skills and their files.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The scheme of skills.
pub(crate) const SCHEME: &str = "skill://";

/// Characters that are encoded: all but the unreserved ones of RFC 3986, and the slash.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Returns the URI of the directory `path` below the scheme.
pub(crate) fn directory(path: &str) -> String {
    format!("{SCHEME}{}", utf8_percent_encode(path, ENCODED))
}

/// Returns the URI of the file `path` in the directory with the URI `directory`.
pub(crate) fn file(directory: &str, path: &str) -> String {
    format!("{directory}/{}", utf8_percent_encode(path, ENCODED))
}
