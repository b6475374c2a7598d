//! Where credentials are kept: files of a home directory, and variables of the environment.

use super::{Behavior, Occurrences, language::Language};

/// Parts of paths of such files, and an option of a program that reads them.
const PLACES: [&str; 14] = [
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

/// Forms that read the environment, in the languages that are known.
const ASKS: [&str; 5] = ["environ", "getenv", "process.env", "Deno.env", "import.meta.env"];

/// Ends of the names of variables that have a secret.
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

/// Looks for both outside of comments.
pub(super) fn check(language: Language, text: &str, occurrences: &mut Occurrences) {
    let mut found: Vec<(usize, &str)> = Vec::new();
    for place in PLACES.into_iter().filter(|place| text.contains(place)) {
        found.extend(text.match_indices(place).filter(|(at, _)| is_code(language, text, *at)));
    }
    for end in SECRETS.into_iter().filter(|end| text.contains(end)) {
        for (at, _) in text.match_indices(end) {
            let of_name =
                |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
            let bytes = text.as_bytes();
            let behind = at + end.len();
            if bytes.get(behind).is_some_and(|byte| of_name(byte) || byte.is_ascii_lowercase()) {
                continue;
            }
            let start = at - bytes[..at].iter().rev().take_while(|byte| of_name(byte)).count();
            if start < at && is_asked(language, text, start) && is_code(language, text, start) {
                found.push((start, &text[start..behind]));
            }
        }
    }
    found.sort_unstable();
    // One path may have several of these.
    found.dedup_by_key(|(at, _)| *at - line_before(text, *at).len());
    for (at, what) in found {
        occurrences.add(Behavior::Credentials, at, what);
    }
}

/// The line up to a place in it.
fn line_before(text: &str, at: usize) -> &str {
    /// Maximum number of bytes of a line that are looked at.
    const MOST: usize = 1024;
    let mut from = at.saturating_sub(MOST);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..at].rsplit('\n').next().unwrap_or_default()
}

fn is_code(language: Language, text: &str, at: usize) -> bool {
    !language.is_comment(line_before(text, at).trim_start())
}

/// Whether the value of the variable that is named at this place is read.
fn is_asked(language: Language, text: &str, at: usize) -> bool {
    let before = line_before(text, at);
    match language {
        Language::Shell => before.ends_with('$') || before.ends_with("${"),
        _ => ASKS.iter().any(|ask| before.contains(ask)),
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
