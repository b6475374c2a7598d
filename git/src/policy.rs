//! Rules for redirects and credentials.

use helix_skills_format::__internal::{is_local, is_loopback};
use reqwest::Url;

use super::error::CredentialPolicy;

/// Returns whether a request to `url` may carry credentials: only to the server of the repository's
/// own URL, or after an upgrade from http to https, and never over plain http to another machine.
pub(super) fn credentials(home: &Url, url: &Url) -> CredentialPolicy {
    let is_same_port = url.port_or_known_default() == home.port_or_known_default();
    let is_upgrade = home.scheme() == "http" && url.scheme() == "https";
    let is_same_server = is_upgrade || is_same_port && url.scheme() == home.scheme();
    if url.host_str() != home.host_str() || !is_same_server {
        CredentialPolicy::Redirected
    } else if url.scheme() != "https" && !is_loopback(host(url)) {
        CredentialPolicy::PlainHttp
    } else {
        CredentialPolicy::Allowed
    }
}

/// Returns whether a redirect may be followed: on the same host, or from https to another host over
/// https; never from https to http, never to a URL that contains credentials, and never from
/// another host to this machine or its link-local network.
pub(super) fn may_follow(from: &Url, to: &Url) -> bool {
    let stays = to.host_str() == from.host_str() && to.host_str().is_some();
    let is_plain = to.username().is_empty() && to.password().is_none();
    let is_new = is_local(host(to)) && !is_local(host(from));
    is_plain
        && !is_new
        && match (from.scheme(), to.scheme()) {
            ("https", "https") => true,
            ("http", "http" | "https") => stays,
            _ => false,
        }
}

/// Returns how a repository has moved if that is significant: to another host, or to another owner
/// (the first path component), which may be someone else. The scheme, the port and the repository's
/// name are not significant, because renaming a repository changes only those.
pub(super) fn significant_move(home: &Url, moved: &Url) -> Option<&'static str> {
    let owner = |url: &Url| {
        url.path_segments().and_then(|mut parts| parts.next()).map(str::to_ascii_lowercase)
    };
    // A repository with a single path component has no owner.
    let is_owned = |url: &Url| url.path_segments().is_some_and(|parts| parts.count() > 1);
    if host(home) != host(moved) {
        Some("another host")
    } else if owner(home) != owner(moved) && (is_owned(home) || is_owned(moved)) {
        Some("another owner")
    } else {
        None
    }
}

/// Returns the host, or an empty text.
pub(super) fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

/// Returns `host`, or `host:port` if the port is not the default of the scheme.
pub(super) fn authority(url: &Url) -> String {
    url.port().map_or_else(|| host(url).to_owned(), |port| format!("{}:{port}", host(url)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn allowed_redirects() {
        for (from, to, expected) in [
            ("https://a.example/r", "https://a.example/other", true),
            ("https://a.example/r", "https://b.example/r", true),
            ("https://a.example/r", "http://a.example/r", false),
            ("https://a.example/r", "http://127.0.0.1/r", false),
            ("https://a.example/r", "https://127.0.0.1/r", false),
            ("https://a.example/r", "https://169.254.169.254/r", false),
            ("https://a.example/r", "https://localhost./r", false),
            ("https://a.example/r", "https://10.0.0.1/r", true),
            ("https://localhost/r", "https://127.0.0.1/r", true),
            ("https://a.example/r", "https://user@b.example/r", false),
            ("https://a.example/r", "https://:secret@a.example/r", false),
            ("https://a.example/r", "file:///etc/passwd", false),
            ("http://127.0.0.1:1/r", "http://127.0.0.1:2/r", true),
            ("http://127.0.0.1:1/r", "https://127.0.0.1:2/r", true),
            ("http://127.0.0.1:1/r", "http://a.example/r", false),
            ("http://127.0.0.1:1/r", "https://a.example/r", false),
        ] {
            assert_eq!(may_follow(&url(from), &url(to)), expected, "{from} {to}");
        }
    }

    #[test]
    fn significant_moves() {
        for (home, moved, expected) in [
            ("https://a.example/o/r.git", "https://a.example/o/r", None),
            ("https://a.example/o/r.git", "https://a.example/O/renamed", None),
            ("http://a.example/o/r.git", "https://a.example:8443/o/r", None),
            ("https://a.example/o/r.git", "https://a.example/p/r.git", Some("another owner")),
            ("https://a.example/o/r.git", "https://a.example/r.git", Some("another owner")),
            ("https://a.example/r.git", "https://a.example/s.git", None),
            ("https://a.example/o/r.git", "https://b.example/o/r.git", Some("another host")),
            ("https://a.example/o/r.git", "https://www.a.example/o/r.git", Some("another host")),
        ] {
            assert_eq!(significant_move(&url(home), &url(moved)), expected, "{home} {moved}");
        }
    }

    #[test]
    fn credentials_stay_with_their_server() {
        for (home, to, expected) in [
            ("https://a.example/r", "https://a.example/other", CredentialPolicy::Allowed),
            ("https://a.example/r", "https://A.example:443/r", CredentialPolicy::Allowed),
            ("https://a.example/r", "https://a.example:8443/r", CredentialPolicy::Redirected),
            ("https://a.example/r", "https://b.example/r", CredentialPolicy::Redirected),
            (
                "https://a.example/r",
                "https://a.example.evil.example/r",
                CredentialPolicy::Redirected,
            ),
            ("http://a.example/r", "http://a.example/r", CredentialPolicy::PlainHttp),
            ("http://a.example/r", "https://a.example/r", CredentialPolicy::Allowed),
            ("http://127.0.0.1:1/r", "http://127.0.0.1:1/r", CredentialPolicy::Allowed),
            ("http://127.0.0.1:1/r", "http://127.0.0.1:2/r", CredentialPolicy::Redirected),
            ("http://localhost:1/r", "http://localhost:1/r", CredentialPolicy::Allowed),
            ("http://[::1]:1/r", "http://[::1]:1/r", CredentialPolicy::Allowed),
        ] {
            assert_eq!(credentials(&url(home), &url(to)), expected, "{home} {to}");
        }
    }
}
