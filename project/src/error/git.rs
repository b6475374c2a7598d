//! Exit codes, codes and hints for errors of git.

use crate::{Error, ExitCode, Failure};
use helix_skills_git::{
    self as git,
    __internal::{AccessDenied, Advice, CredentialPolicy, LimitKind},
    ErrorKind,
};
use std::sync::Arc;

impl From<git::Error> for Error {
    fn from(error: git::Error) -> Self {
        match error.kind() {
            ErrorKind::Interrupted => Self::Interrupted,
            _ => Self::Git { keys: Arc::default(), is_plugin: false, error },
        }
    }
}

impl From<git::Error> for Failure {
    fn from(error: git::Error) -> Self {
        Error::from(error).into()
    }
}

/// Returns the exit code for a kind of error.
pub(super) fn exit_code(kind: ErrorKind) -> ExitCode {
    match kind {
        ErrorKind::Interrupted => ExitCode::Interrupted,
        ErrorKind::Authentication => ExitCode::Authentication,
        ErrorKind::Unsupported | ErrorKind::Url | ErrorKind::Environment => ExitCode::Usage,
        ErrorKind::Limit => ExitCode::Policy,
        ErrorKind::Corrupt => ExitCode::Mismatch,
        ErrorKind::Local => ExitCode::Disk,
        _ => ExitCode::Network,
    }
}

/// Returns the code for a kind of error.
pub(super) fn code(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Interrupted => "interrupted",
        ErrorKind::Authentication => "authentication",
        ErrorKind::NotFound | ErrorKind::NoRepository => "not-found",
        ErrorKind::Limit => "limit",
        ErrorKind::Corrupt => "corrupt",
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::Url => "bad-url",
        ErrorKind::Local => "repository",
        ErrorKind::Environment => "environment",
        _ => "network",
    }
}

/// Returns the hint for an advice.
pub(super) fn hint(advice: Advice) -> Option<String> {
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
