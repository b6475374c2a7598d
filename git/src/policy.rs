//! Where requests and credentials may go.

use helix_skills_format::is_loopback;
use reqwest::Url;

use super::error::CredentialPolicy;

/// Whether a request to `url` may carry credentials: to the server that the repository's own url names, also after an
/// upgrade from http to https, and never over plain http to another machine.
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

/// Whether a redirect is followed: to the same host, or from https to another one over https; never from https to http, and
/// never to a url with credentials of its own.
pub(super) fn may_follow(from: &Url, to: &Url) -> bool {
    let stays = to.host_str() == from.host_str() && to.host_str().is_some();
    let is_plain = to.username().is_empty() && to.password().is_none();
    is_plain
        && match (from.scheme(), to.scheme()) {
            ("https", "https") => true,
            ("http", "http" | "https") => stays,
            _ => false,
        }
}

/// What a repository has become that answers from another place, if that matters: another host or another owner (the first
/// part of the path) may be another person. The scheme, the port and the repository's own name do not matter.
pub(super) fn significant_move(home: &Url, moved: &Url) -> Option<&'static str> {
    let owner = |url: &Url| {
        url.path_segments().and_then(|mut parts| parts.next()).map(str::to_ascii_lowercase)
    };
    // With one part in its path, a repository has no owner.
    let is_owned = |url: &Url| url.path_segments().is_some_and(|parts| parts.count() > 1);
    if host(home) != host(moved) {
        Some("another host")
    } else if owner(home) != owner(moved) && (is_owned(home) || is_owned(moved)) {
        Some("another owner")
    } else {
        None
    }
}

/// The host, or nothing.
pub(super) fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

/// `host`, or `host:port` when the port is not the scheme's own.
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
    fn redirects_that_are_followed() {
        for (from, to, expected) in [
            ("https://a.example/r", "https://a.example/other", true),
            ("https://a.example/r", "https://b.example/r", true),
            ("https://a.example/r", "http://a.example/r", false),
            ("https://a.example/r", "http://127.0.0.1/r", false),
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
    fn moves_that_matter() {
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
    fn credentials_stay_with_the_server_they_are_for() {
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
