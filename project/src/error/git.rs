//! Errors of git.

use super::{Error, ErrorKind as Kind};
use helix_skills_format::{__internal::listed, SourceKey};
use helix_skills_git::{
    self as git,
    __internal::{AccessDenied, Advice, CredentialPolicy, LimitKind},
    ErrorKind,
};

/// Maximum number of sources of one repository that a message lists.
const MAX_SOURCES: usize = 20;

impl From<git::Error> for Error {
    fn from(error: git::Error) -> Self {
        Self::git(&[], false, &error)
    }
}

impl Error {
    /// Returns an error for the sources that need a repository; none if they are not known.
    /// `is_plugin`: the URL comes from a marketplace, and not from the manifest.
    pub(crate) fn git(keys: &[SourceKey], is_plugin: bool, error: &git::Error) -> Self {
        if error.kind() == ErrorKind::Interrupted {
            return Self::interrupted();
        }
        let of_plugin = if is_plugin { "the plugin of " } else { "" };
        let sources = match keys {
            [] => String::new(),
            [key] => format!("{of_plugin}the source `{key}`: "),
            keys => format!("{of_plugin}the sources {}: ", listed(keys, MAX_SOURCES)),
        };
        let (kind, code) = kind_and_code(error.kind());
        let message = format!("{sources}{error}");
        Self::new(kind, code, message)
            .including(error.clone())
            .hinted(error.advice().and_then(hint))
    }
}

/// Returns the kind and the code for a kind of error.
fn kind_and_code(kind: ErrorKind) -> (Kind, &'static str) {
    match kind {
        ErrorKind::Interrupted => (Kind::Interrupted, "interrupted"),
        ErrorKind::Authentication => (Kind::Authentication, "authentication"),
        ErrorKind::NotFound | ErrorKind::NoRepository => (Kind::Network, "not-found"),
        ErrorKind::Limit => (Kind::Policy, "limit"),
        ErrorKind::Corrupt => (Kind::Mismatch, "corrupt"),
        ErrorKind::Unsupported => (Kind::Usage, "unsupported"),
        ErrorKind::Url => (Kind::Usage, "bad-url"),
        ErrorKind::Local => (Kind::Disk, "repository"),
        ErrorKind::Environment => (Kind::Usage, "environment"),
        _ => (Kind::Network, "network"),
    }
}

/// Returns the hint for an advice.
fn hint(advice: Advice) -> Option<String> {
    let fixed = match advice {
        Advice::Text(text) => return Some(text),
        Advice::GrantAccess(access) => return Some(access_hint(&access)),
        Advice::RaiseLimit(limit) => return Some(limit_hint(limit)),
        Advice::CheckUrl => "check the URL; `-vv` shows each request",
        Advice::TryLater => "try again later; `-vv` shows each request",
        Advice::WaitLonger => {
            "raise HELIX_SKILLS_STALL_TIMEOUT (in seconds) if the server is only slow"
        }
        Advice::GoOnline => "run once without `--offline` to fill the cache",
        Advice::CheckDirectory => {
            "check the path; relative URLs are relative to the manifest's directory"
        }
        Advice::NotARepository => {
            "for skills that are not in a git repository, use a source of type `path`"
        }
        Advice::UseSha1 => {
            "use a mirror with SHA-1 ids, or copy the skills and use a source of type `path`"
        }
        Advice::AskTheServer => {
            "check the URL and your access to the repository, or try again later"
        }
        Advice::DistrustTheServer => {
            "try again; if the error persists, report it to the operator of the server, which is broken or malicious, as may be a proxy"
        }
        _ => return None,
    };
    Some(fixed.to_owned())
}

fn limit_hint(limit: LimitKind) -> String {
    let field = match limit {
        LimitKind::PackBytes => "limits.bytesPerFetch",
        LimitKind::ObjectBytes => "limits.bytesPerFile",
        LimitKind::Steps => {
            return "its directories or links expand to very many files; raise `limits.objectsPerFetch` in helix.skills.json if you trust this repository".to_owned();
        }
        _ => "limits.objectsPerFetch",
    };
    format!("raise `{field}` in helix.skills.json if you trust this repository")
}

fn access_hint(access: &AccessDenied) -> String {
    let host = &access.host;
    let mut hint = match (access.policy, &access.tried) {
        (CredentialPolicy::PlainHttp, _) => "credentials are never sent over plain http; use https".to_owned(),
        (CredentialPolicy::Redirected, _) => {
            format!("credentials are not sent to the target of a redirect; use its URL at `{host}` in the manifest")
        }
        (_, Some(source)) if matches!(access.status, 404 | 410) => {
            format!("check the URL, and that the credentials from {source} may read this repository")
        }
        (_, Some(source)) => {
            format!("check that the credentials from {source} are valid and may read this repository")
        }
        (_, None) if matches!(access.status, 404 | 410) => "check the URL".to_owned(),
        (_, None) if host.eq_ignore_ascii_case("github.com") => {
            "check the URL, because `github.com` also asks if the repository does not exist; for a private repository set GITHUB_TOKEN, or add the host to ~/.netrc or a git credential helper".to_owned()
        }
        (_, None) => format!(
            "check the URL, because some servers also ask if the repository does not exist; for a private repository set HELIX_SKILLS_TOKEN and HELIX_SKILLS_TOKEN_HOST={host}, or add the host to ~/.netrc or a git credential helper"
        ),
    };
    let unnamed = access.is_unnamed.then_some(
        "a `default` entry of netrc and credential helpers for all URLs are used only for hosts that the manifest names",
    );
    for note in access.notes.iter().map(String::as_str).chain(unnamed) {
        hint.push_str("; ");
        hint.push_str(note);
    }
    hint
}
