//! Texts that may contain a URL, without its secrets.

/// Returns a text that may contain a URL without its secrets: user and password, or a token in
/// their place, and the query.
///
/// Every message that repeats such a text from a user or a server uses this function. A text
/// without a secret is returned unchanged: the user of `git@host:path` and `ssh://git@host/path` is
/// not a secret, and the `@` of `owner/repo@v1.2.0` and `plugin@marketplace` does not follow a
/// user.
///
/// ```
/// use helix_skills_format::__internal::redacted;
/// let url = "https://user:secret@example.com/x.git?token=y";
/// assert_eq!(redacted(url), "https://***@example.com/x.git?***");
/// assert_eq!(redacted("git@example.com:x.git"), "git@example.com:x.git");
/// ```
#[must_use]
pub fn redacted(text: &str) -> String {
    let start = text.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = text.split_at(start);
    // A password can contain a `?`, and a query an `@`.
    let query = rest.find(['?', '#']).unwrap_or(rest.len());
    let is_secret = |rest: &str| has_secret(scheme, rest);
    let (head, rest) = match text.rfind('@') {
        // A user name can look like a scheme.
        Some(at) if scheme.contains('@') => ("***".to_owned(), &text[at..]),
        Some(at) if is_secret(rest) || is_secret(&rest[..query]) => {
            (format!("{scheme}***"), &text[at..])
        }
        _ => (scheme.to_owned(), rest),
    };
    match rest.find(['?', '#']) {
        Some(at)
            if !scheme.is_empty() && rest[at..] != *SERVICE
                || rest[at..].contains('=') && scheme.is_empty() =>
        {
            format!("{head}{}***", &rest[..=at])
        }
        _ => format!("{head}{rest}"),
    }
}

/// The query that the first request to every git server has.
const SERVICE: &str = "?service=git-upload-pack";

/// Returns whether a secret precedes the last `@` of the text after a scheme.
fn has_secret(scheme: &str, rest: &str) -> bool {
    if scheme.is_empty() {
        let Some((user, after)) = rest.split_once('@') else { return false };
        let (host, next) = after.split_at(after.find(['/', ':', '?', '#']).unwrap_or(after.len()));
        return match next.chars().next() {
            _ if user.contains(':') => true,
            _ if user.is_empty() || user.contains('/') => false,
            _ if host.contains('@') => true,
            // In front of `host/path` it is a token; in front of `host:path`, an ssh user.
            Some('/') => true,
            Some(':') => has_user(&next[1..]),
            _ => is_domain(host) || next.contains('@'),
        };
    }
    let Some((before, _)) = rest.rsplit_once('@') else { return false };
    let (authority, path) = before.split_once('/').unwrap_or((before, ""));
    let has_user = !before.contains('/') || authority.contains('@');
    if has_user {
        // Only ssh has user names that are not secret.
        return !scheme.ends_with("ssh://") || before.contains(':');
    }
    // The `@` belongs to the path, unless a password contains a `/`.
    path.contains(':')
        || authority
            .split_once(':')
            .is_some_and(|(_, port)| !port.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns whether what follows a `:` is a password and a host, such as `password@host/path`, and
/// not the path of a repository. A path such as `owner/repo@v1` may contain an `@`.
pub(crate) fn has_user(path: &str) -> bool {
    let Some((before, after)) = path.rsplit_once('@') else { return false };
    let host = &after[..after.find(['/', ':']).unwrap_or(after.len())];
    path.split('/').next().is_some_and(|first| first.contains('@'))
        || is_domain(host) && !before.is_empty()
}

/// Returns whether a text looks like a host name and not like a version: its last part begins with
/// a letter.
fn is_domain(text: &str) -> bool {
    text.rsplit_once('.')
        .is_some_and(|(_, last)| last.starts_with(|c: char| c.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_and_pins_are_not() {
        for (text, shown) in [
            ("https://user:secret@host/r?key=x", "https://***@host/r?***"),
            ("https://user:se/cr@et@host/r", "https://***@host/r"),
            ("https://user:sec?ret@host/r", "https://***@host/r"),
            ("https://user@te/am@host/r", "https://***@host/r"),
            ("https://token@host", "https://***@host"),
            ("ssh://git:secret@host/r", "ssh://***@host/r"),
            ("user:secret@https://host/r", "***@https://host/r"),
            ("https:/user:secret@host/r", "***@host/r"),
            ("token@github.com", "***@github.com"),
            ("to@ken@host:r#x=y@z", "***@z"),
            ("to@ken?x@host", "***@host"),
            ("a@b.c?x=.1", "***@b.c?***"),
            ("host/r?token=x", "host/r?***"),
            ("https://host/r#token", "https://host/r#***"),
            ("https://host/r?service=git-upload-pack", "https://host/r?service=git-upload-pack"),
            ("https://host/r?token=x&service=git-upload-pack", "https://host/r?***"),
            ("https://host/o/r@v1", "https://host/o/r@v1"),
            ("https://host:8443/o/r@v1", "https://host:8443/o/r@v1"),
            ("ssh://git@host:22/o/r", "ssh://git@host:22/o/r"),
            ("git@github.com:o/r.git#dev", "git@github.com:o/r.git#dev"),
            ("git@github.com:o/r@v1", "git@github.com:o/r@v1"),
            ("git@host:secret@x", "***@x"),
            ("git@host:se/cret@host.example/r", "***@host.example/r"),
            ("git@host:se/cret@host.example/r?x=@y", "***@y"),
            ("me@example.com:secret@host:r", "***@host:r"),
            ("plugin@marketplace", "plugin@marketplace"),
            ("plugin@1.2.0", "plugin@1.2.0"),
            ("@scope/package@1.2.0", "@scope/package@1.2.0"),
            ("references/a?.md", "references/a?.md"),
            ("user:secret@host/r", "***@host/r"),
            ("user:sec/ret@host/r", "***@host/r"),
            ("token@host/r", "***@host/r"),
            ("token@host/o/r@v1", "***@v1"),
            ("owner/repo@v6.2.0", "owner/repo@v6.2.0"),
            ("host/owner/repo@main", "host/owner/repo@main"),
        ] {
            assert_eq!(redacted(text), shown, "{text}");
            assert_eq!(redacted(shown), shown, "{text}");
        }
    }
}
