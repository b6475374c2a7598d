//! Words of the command line that may contain a secret.

use helix_skills_format::__internal::{printable, redacted};
use std::fmt;

/// Minimum length of the tokens of git hosts, in bytes.
const MIN_TOKEN: usize = 20;

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

    /// Returns the word without the user name that some hosts show in their HTTPS URLs, such as
    /// `https://ORG@dev.azure.com/ORG/PROJECT/_git/REPO`. A name that could be a token stays.
    pub(super) fn without_user(&self) -> Self {
        let parts = self.0.strip_prefix("https://").and_then(|rest| rest.split_once('@'));
        let Some((user, rest)) = parts else { return self.clone() };
        let is_owner = rest.split('/').nth(1) == Some(user);
        let is_user = (is_owner || user.len() < MIN_TOKEN)
            && !user.contains(['/', ':', '?', '#'])
            && !rest.contains('@');
        if is_user { Self(format!("https://{rest}")) } else { self.clone() }
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

    #[test]
    fn user_without_a_password_is_left_out() {
        let own = "https://dev.azure.com/acme/p/_git/r";
        assert_eq!(Typed::from("https://acme@dev.azure.com/acme/p/_git/r").without_user().0, own);
        let long = "acme-research-and-development";
        let azure = |user: &str| format!("https://{user}dev.azure.com/{long}/p/_git/r");
        let typed = Typed::from(azure(&format!("{long}@")).as_str());
        assert_eq!(typed.without_user().0, azure(""));
        let typed = Typed::from("https://me@bitbucket.org/team/r.git").without_user();
        assert_eq!(typed.0, "https://bitbucket.org/team/r.git");
        for word in [
            "https://ghp_0123456789abcdefghijklmnopqrstuvwxyz@github.com/o/r",
            "https://me:secret@host/o/r",
            "https://me@te/am@host/o/r",
            "https://host/o/r@v1",
            "ssh://git@host/o/r",
            "git@host:o/r",
            "o/r@x",
        ] {
            assert_eq!(Typed::from(word).without_user().0, word);
        }
    }
}
