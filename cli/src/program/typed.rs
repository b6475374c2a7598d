//! Words of the command line that may contain a secret.

use helix_skills_format::__internal::{printable, redacted};
use std::fmt;

/// A word that the user typed: a URL in it may contain a password or a token.
///
/// `Display` hides user information, query and fragment, and escapes control and invisible
/// characters. Only the parsers of the word read it as it is.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Typed(String);

impl Typed {
    /// Returns the word with its secrets. It must not be part of a message.
    pub(super) fn with_secrets(&self) -> &str {
        &self.0
    }

    /// Returns whether `Display` hides a part.
    pub(super) fn has_secret(&self) -> bool {
        redacted(&self.0) != self.0
    }
}

impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&redacted(&self.0)))
    }
}

impl From<&str> for Typed {
    fn from(word: &str) -> Self {
        Self(word.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_words_are_printed_without_secrets() {
        for (word, shown) in [
            (
                "https://raw.example/o/r/SKILL.md?token=secret",
                "https://raw.example/o/r/SKILL.md?***",
            ),
            ("https://me:secret@host/r", "https://***@host/r"),
            ("git@h:secret@x", "***@x"),
            ("owner/repo@v1.2.0", "owner/repo@v1.2.0"),
            ("a\u{202e}b", "a\\u{202e}b"),
        ] {
            let typed = Typed::from(word);
            assert_eq!(typed.to_string(), shown);
            assert_eq!(typed.with_secrets(), word);
        }
    }
}
