//! Finds access to credentials: files in a home directory, and environment variables.

use super::{Occurrences, language::Language};
use helix_skills_format::Code;

/// Parts of paths of files with credentials, and a command of `security` that reads them.
const PATHS: [&str; 14] = [
    ".ssh/",
    "id_rsa",
    "id_ed25519",
    ".aws/credentials",
    ".netrc",
    ".git-credentials",
    ".docker/config.json",
    ".kube/config",
    ".npmrc",
    ".pypirc",
    ".gnupg",
    "/etc/shadow",
    "find-generic-password",
    "Login Data",
];

/// Expressions that read the environment, in Python and JavaScript.
const ENVIRONMENT: [&str; 5] = ["environ", "getenv", "process.env", "Deno.env", "import.meta.env"];

/// Suffixes of the names of variables with secrets.
const SECRETS: [&str; 9] = [
    "_TOKEN",
    "_SECRET",
    "_API_KEY",
    "_APIKEY",
    "_PASSWORD",
    "_ACCESS_KEY",
    "_SECRET_KEY",
    "_PRIVATE_KEY",
    "_CREDENTIALS",
];

/// Searches for both outside of comments.
pub(super) fn check(language: Language, text: &str, occurrences: &mut Occurrences) {
    let mut found: Vec<(usize, &str)> = Vec::new();
    for place in PATHS.into_iter().filter(|place| text.contains(place)) {
        found.extend(text.match_indices(place).filter(|(at, _)| is_code(language, text, *at)));
    }
    for end in SECRETS.into_iter().filter(|end| text.contains(end)) {
        for (at, _) in text.match_indices(end) {
            let of_name =
                |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
            let bytes = text.as_bytes();
            let end_of_name = at + end.len();
            if bytes.get(end_of_name).is_some_and(|byte| of_name(byte) || byte.is_ascii_lowercase())
            {
                continue;
            }
            let start = at - bytes[..at].iter().rev().take_while(|byte| of_name(byte)).count();
            if start < at && is_read(language, text, start) && is_code(language, text, start) {
                found.push((start, &text[start..end_of_name]));
            }
        }
    }
    found.sort_unstable();
    // One path may contain several parts.
    found.dedup_by_key(|(at, _)| *at - line_before(text, *at).len());
    for (at, what) in found {
        occurrences.add(Code::CredentialAccess, at, what);
    }
}

/// Returns the part of a line before an offset.
fn line_before(text: &str, at: usize) -> &str {
    /// Maximum number of bytes that are returned.
    const MAX_BYTES: usize = 1024;
    let mut from = at.saturating_sub(MAX_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..at].rsplit('\n').next().unwrap_or_default()
}

fn is_code(language: Language, text: &str, at: usize) -> bool {
    !language.is_comment(line_before(text, at).trim_start())
}

/// Returns whether the variable whose name is at this offset is read.
fn is_read(language: Language, text: &str, at: usize) -> bool {
    let before = line_before(text, at);
    match language {
        Language::Shell => before.ends_with('$') || before.ends_with("${"),
        _ => ENVIRONMENT.iter().any(|ask| before.contains(ask)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(language: Language, text: &str) -> Vec<String> {
        let mut found = Occurrences::default();
        check(language, text, &mut found);
        found
            .0
            .into_iter()
            .map(|occurrence| {
                format!("{} {} +{}", occurrence.at, occurrence.what, occurrence.others)
            })
            .collect()
    }

    #[test]
    fn files_and_variables_are_found() {
        for (language, text, found) in [
            (Language::Shell, "cat ~/.ssh/id_rsa", "6 .ssh/ +0"),
            (Language::Shell, "curl -H \"x: ${GITHUB_TOKEN}\" y", "14 GITHUB_TOKEN +0"),
            (Language::Shell, "x=$AWS_SECRET_ACCESS_KEY", "3 AWS_SECRET_ACCESS_KEY +0"),
            (Language::Python, "k = os.environ[\"OPENAI_API_KEY\"]", "16 OPENAI_API_KEY +0"),
            (Language::Python, "open(home / '.netrc')", "13 .netrc +0"),
            (
                Language::JavaScript,
                "const k = process.env.STRIPE_SECRET_KEY;",
                "22 STRIPE_SECRET_KEY +0",
            ),
        ] {
            assert_eq!(seen(language, text), [found], "{text}");
        }
    }

    #[test]
    fn names_that_are_not_read_are_ignored() {
        for (language, text) in [
            (Language::Shell, "# cat ~/.ssh/id_rsa"),
            (Language::Shell, "echo 'set GITHUB_TOKEN first'"),
            (Language::Python, "MAX_TOKEN = 3; END_OF_TOKEN = 'x'"),
            (Language::Python, "os.environ['MAX_TOKENS']"),
            (Language::Python, "os.environ['HOME']"),
            (Language::JavaScript, "const _TOKEN = process.env.X"),
        ] {
            assert_eq!(seen(language, text), [""; 0], "{text}");
        }
    }
}
