//! Escaping of untrusted text for messages.

use helix_skills_format::__internal::printable;

/// Maximum number of characters of an untrusted text in a message.
const LONGEST: usize = 500;

/// Escapes control and invisible characters, replaces invalid UTF-8, trims, and cuts after 500
/// characters.
pub(super) fn escape(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => printable(&text[..end]) + "...",
        None => printable(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape(b"no\x1b[31m such\r\nref\n"), "no\\u{1b}[31m such\\u{d}\\u{a}ref");
        assert_eq!(escape("a\u{202e}b\u{e0041}".as_bytes()), "a\\u{202e}b\\u{e0041}");
        assert_eq!(escape(b"\xff"), "\u{fffd}");
        assert_eq!(escape("ü".repeat(600).as_bytes()).chars().count(), 503);
    }
}
