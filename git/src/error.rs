//! Errors of reading repositories.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use helix_skills_format::__internal::{causes, write_report};
use helix_skills_format::ObjectId;

use super::escape::escape;

/// An error of reading a repository.
///
/// `Display` is one line without the causes, which `source()` returns. `{:?}` prints the message
/// with its causes, `{:#?}` the structure. All of them are safe to print: text from servers is
/// escaped and shortened. A clone shares the same error.
#[derive(Clone, thiserror::Error)]
#[error(transparent)]
pub struct Error(Arc<GitError>);

impl Error {
    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind()
    }

    /// Returns what may help, if anything is known.
    #[doc(hidden)]
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        self.0.hint()
    }
}

impl From<GitError> for Error {
    fn from(error: GitError) -> Self {
        Self(Arc::new(error))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { fmt::Debug::fmt(&*self.0, f) } else { write_report(self, f) }
    }
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The server cannot be reached, breaks the connection, or violates the protocol.
    Network,
    /// The server requires credentials, or other ones.
    Authentication,
    /// The repository has no such branch, tag, commit or object.
    NotFound,
    /// The server has no such repository, or hides it.
    NoRepository,
    /// A limit of the options is exceeded.
    Limit,
    /// Objects are damaged or missing.
    Corrupt,
    /// The repository uses a feature that is not supported.
    Unsupported,
    /// The URL is not allowed.
    Url,
    /// A local repository that cannot be opened or read.
    Local,
    /// A configured program, such as `ssh`, cannot be started.
    Environment,
    /// The operation was cancelled.
    Interrupted,
}

/// How access to a server was requested and denied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AccessDenied {
    /// `host`, or `host:port`.
    pub(super) host: String,
    /// The HTTP status.
    pub(super) status: u16,
    /// Whose credentials were sent, and where they came from; `None` if none were sent.
    pub(super) tried: Option<String>,
    /// Whether credentials could be sent.
    pub(super) policy: CredentialPolicy,
    /// Whether credentials for all hosts were skipped because the user has not named this host.
    pub(super) is_unnamed: bool,
    /// Problems with individual sources of credentials.
    pub(super) notes: Vec<String>,
}

/// The hint for a server, `ssh` or a helper that sent nothing for too long.
pub(super) const WAIT_LONGER: &str =
    "raise HELIX_SKILLS_STALL_TIMEOUT (in seconds) if the server is only slow";

/// The hint for a local repository that was opened but cannot be read.
pub(super) const DAMAGED: &str =
    "run `git fsck` in it to see what is damaged, or use the repository that it was cloned from";

/// The message of git about an object that it does not have or does not send, always with its id.
const NOT_OUR_REF: &str = "not our ref";

/// The messages of other servers (JGit, Azure DevOps, Dulwich) about such an object, with its id.
const DENIALS: [&str; 3] = ["not valid", "does not exist", "invalid object"];

/// Returns whether a message in lower case may refuse an object.
fn is_denial(message: &str) -> bool {
    message.contains(NOT_OUR_REF) || DENIALS.iter().any(|denial| message.contains(denial))
}

/// Whether a retry could help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retry {
    /// A retry would give the same answer.
    Never,
    /// After a short wait.
    Soon,
    /// After the wait that the server requested.
    After(Duration),
    /// After a handshake, if there was none: the server may lack a capability.
    Handshake,
}

/// The data of an [`Error`].
#[derive(Debug, thiserror::Error)]
pub(super) enum GitError {
    /// The server cannot be reached, breaks the connection, responds with an error, or violates the
    /// protocol; or `ssh` fails. `via` ends the message.
    #[error("failed to fetch from `{url}`{via}")]
    Network {
        url: String,
        via: &'static str,
        kind: ErrorKind,
        hint: Option<String>,
        retry: Retry,
        source: Cause,
    },

    /// The network is needed but not allowed.
    #[error("cannot fetch from `{url}` offline")]
    Offline { url: String },

    /// The server requires credentials, or other ones, or does not have or hides the repository.
    #[error("{}", access.describe(url))]
    Denied { url: String, access: Box<AccessDenied> },

    /// The server refused the git request with a message.
    #[error("the server refused the request for `{url}`: {message}")]
    Refused { url: String, message: String },

    /// The repository does not contain the requested object or reference.
    #[error("cannot find {what} in `{url}`")]
    NotFound { url: String, what: String, hint: Option<&'static str> },

    /// A limit is exceeded, which has this key in the manifest.
    #[error("cannot fetch more than {limit} {what} from `{url}`")]
    Limit { url: String, what: &'static str, key: &'static str, limit: u64 },

    /// Reading the trees of one source takes more steps than allowed.
    #[error(
        "cannot read more than {limit} directory entries and path components for the source `{key}`"
    )]
    Steps { key: String, limit: u64 },

    /// Objects are damaged, or were requested and not sent.
    #[error("cannot accept the data from `{url}`: {problem}")]
    Corrupt { url: String, problem: String },

    /// The repository uses another kind of object ids.
    #[error("cannot read `{url}`: it uses SHA-256 object ids, which are not supported")]
    Sha256 { url: String },

    /// `insteadOf` of the user's git configuration produces a URL that is not allowed.
    #[error("cannot use `{rewritten}`, to which `insteadOf` rewrites `{url}`")]
    Url { url: String, rewritten: String, source: helix_skills_format::Error },

    /// A local repository that cannot be opened or read.
    #[error("cannot read the git repository `{}`", path.display())]
    Local { path: PathBuf, hint: Option<&'static str>, source: Cause },

    /// The operation was cancelled.
    #[error("interrupted")]
    Interrupted,
}

/// Whether credentials may be sent to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CredentialPolicy {
    /// They may be sent.
    Allowed,
    /// They are never sent over plain HTTP to another machine.
    PlainHttp,
    /// They are never sent to a host that only a redirect names.
    Redirected,
}

impl GitError {
    /// Creates an error about a server or its response that a retry would not fix.
    pub(super) fn network(url: &str, problem: impl Into<String>) -> Self {
        Self::Network {
            url: url.to_owned(),
            via: "",
            kind: ErrorKind::Network,
            hint: None,
            retry: Retry::Never,
            source: Cause::new(problem),
        }
    }

    /// Creates an error of the `ssh` program that a retry would not fix.
    pub(super) fn ssh(url: &str, of: ErrorKind, cause: Cause) -> Self {
        let mut error = Self::network(url, "");
        if let Self::Network { via, kind, source, .. } = &mut error {
            (*via, *kind, *source) = (" over ssh", of, cause);
        }
        error
    }

    /// Creates the error for more than `limit` `what`. The manifest has the limit at `key`.
    pub(super) fn limit(url: &str, what: &'static str, key: &'static str, limit: u64) -> Self {
        Self::Limit { url: url.to_owned(), what, key, limit }
    }

    /// Creates the error for a refusal in the server's own words.
    pub(super) fn refusal(url: &str, words: &str) -> Self {
        let words = escape(words.as_bytes());
        let message = if words.is_empty() { "it gives no reason".to_owned() } else { words };
        Self::Refused { url: url.to_owned(), message }
    }

    /// Adds an instruction for the user, if this kind of error records one.
    pub(super) fn with_hint(mut self, text: impl Into<String>) -> Self {
        if let Self::Network { hint, .. } = &mut self {
            *hint = Some(text.into());
        }
        self
    }

    /// Sets whether a retry could help, if this kind of error records that.
    pub(super) fn with_retry(mut self, when: Retry) -> Self {
        if let Self::Network { retry, .. } = &mut self {
            *retry = when;
        }
        self
    }

    /// Adds the cause of a problem with a server.
    pub(super) fn with_cause(mut self, cause: Cause) -> Self {
        if let Self::Network { source, .. } = &mut self {
            source.source = Some(Box::new(cause));
        }
        self
    }

    /// Returns whether the server refuses because it does not have, or does not send, the object.
    ///
    /// Any other refusal, such as of a disabled repository, says nothing about the object.
    pub(super) fn denies(&self, id: &ObjectId) -> bool {
        let Self::Refused { message, .. } = self else { return false };
        let words = message.to_ascii_lowercase();
        words.contains(NOT_OUR_REF) || is_denial(&words) && words.contains(&id.to_string())
    }

    /// Returns whether a retry could help.
    pub(super) fn retry(&self) -> Retry {
        match self {
            Self::Network { retry, .. } => *retry,
            Self::Corrupt { .. } => Retry::Handshake,
            Self::Denied { access, .. } if access.is_absent() => Retry::Handshake,
            Self::Refused { message, .. } if !is_denial(&message.to_ascii_lowercase()) => {
                Retry::Handshake
            }
            _ => Retry::Never,
        }
    }

    /// Returns the kind of the error.
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Network { kind, .. } => *kind,
            Self::Interrupted => ErrorKind::Interrupted,
            Self::Offline { .. } | Self::Refused { .. } => ErrorKind::Network,
            Self::Denied { access, .. } if access.is_absent() => ErrorKind::NoRepository,
            Self::Denied { .. } => ErrorKind::Authentication,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Limit { .. } | Self::Steps { .. } => ErrorKind::Limit,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Sha256 { .. } => ErrorKind::Unsupported,
            Self::Url { .. } => ErrorKind::Url,
            Self::Local { .. } => ErrorKind::Local,
        }
    }

    /// Returns what may help.
    pub(super) fn hint(&self) -> Option<String> {
        let fixed = match self {
            Self::Network { hint: Some(hint), .. } => return Some(hint.clone()),
            Self::Denied { access, .. } => return Some(access.hint()),
            Self::Limit { key, .. } => {
                return Some(format!(
                    "raise `limits.{key}` in helix.skills.json if you trust this repository"
                ));
            }
            Self::Network { retry: Retry::Never, .. } => "check the URL; `-vv` shows each request",
            Self::Network { .. } => "try again later; `-vv` shows each request",
            Self::NotFound { hint, .. } | Self::Local { hint, .. } => (*hint)?,
            Self::Sha256 { .. } => {
                "use a mirror with SHA-1 ids, or copy the skills and use a source of type `path`"
            }
            Self::Offline { .. } => "run once without `--offline` to fill the cache",
            Self::Steps { .. } => {
                "its directories or links expand to very many files; raise `limits.objectsPerFetch` in helix.skills.json if you trust this repository"
            }
            Self::Url { source, .. } => source.hint()?,
            Self::Refused { .. } => {
                "check the URL and your access to the repository, or try again later"
            }
            Self::Corrupt { .. } => {
                "try again; if the error persists, report it to the operator of the server, which is broken or malicious, as may be a proxy"
            }
            Self::Interrupted => return None,
        };
        Some(fixed.to_owned())
    }
}

impl AccessDenied {
    /// Returns whether the server does not have the repository, or hides it.
    fn is_absent(&self) -> bool {
        matches!(self.status, 404 | 410)
    }

    /// Returns what may help.
    fn hint(&self) -> String {
        let host = &self.host;
        let mut hint = match (self.policy, &self.tried) {
            (CredentialPolicy::PlainHttp, _) => {
                "credentials are never sent over plain http; use https".to_owned()
            }
            (CredentialPolicy::Redirected, _) => {
                format!(
                    "credentials are not sent to the target of a redirect; use its URL at `{host}` in the manifest"
                )
            }
            (_, Some(tried)) => {
                let url = if self.is_absent() { "the URL, and " } else { "" };
                let name = format!("; HELIX_SKILLS_TOKEN_HOST=NAME@{host} sends another user name");
                let user = if tried.contains("HELIX_SKILLS_TOKEN") { &*name } else { "" };
                format!(
                    "check {url}that the credentials {tried} are valid and may read this repository{user}"
                )
            }
            (_, None) => {
                let (servers, token) = match host.eq_ignore_ascii_case("github.com") {
                    true => ("`github.com` also asks", "GITHUB_TOKEN".to_owned()),
                    false => (
                        "some servers also ask",
                        format!("HELIX_SKILLS_TOKEN and HELIX_SKILLS_TOKEN_HOST={host}"),
                    ),
                };
                let missing = "a private repository looks like a missing one without a token";
                let why = match self.is_absent() {
                    true => missing.to_owned(),
                    false => format!("{servers} if the repository does not exist"),
                };
                format!(
                    "check the URL, because {why}; if you have access, set {token}, or add the host to ~/.netrc or a git credential helper"
                )
            }
        };
        let unnamed = self.is_unnamed.then_some(
            "a `default` entry of netrc and credential helpers for all URLs are used only for hosts that the manifest names",
        );
        for note in self.notes.iter().map(String::as_str).chain(unnamed) {
            hint.push_str("; ");
            hint.push_str(note);
        }
        hint
    }

    /// Returns the message of the error for the repository `url`.
    fn describe(&self, url: &str) -> String {
        let Self { host, status, .. } = self;
        let what = match &self.tried {
            _ if self.is_absent() => format!("`{url}` is not found, or not visible to you"),
            None if *status == 401 => format!("`{host}` asks for credentials for `{url}`"),
            _ => format!("`{host}` denies access to `{url}`"),
        };
        let with = match &self.tried {
            Some(tried) => format!("with credentials {tried}"),
            None => "without credentials".to_owned(),
        };
        format!("{what} (HTTP status {status}, {with})")
    }
}

/// The cause of a [`GitError`]: an escaped line and its own cause. Only the texts of library errors
/// are kept, because they quote what servers sent.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub(super) struct Cause {
    text: String,
    source: Option<Box<Cause>>,
}

impl Cause {
    /// Creates a cause from a text that needs no escaping.
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { text: problem.into(), source: None }
    }

    /// Creates a cause from untrusted text.
    pub(super) fn text(text: &str) -> Self {
        Self::new(escape(text.as_bytes()))
    }

    /// Adds a cause to this cause.
    pub(super) fn with_cause(self, cause: Self) -> Self {
        Self { source: Some(Box::new(cause)), ..self }
    }

    /// Copies the texts of an error and its sources.
    pub(super) fn from_error(error: &(dyn std::error::Error + 'static)) -> Self {
        let all = std::iter::once(error).chain(causes(error));
        Self::from_chain(all.filter(|error| error.source().is_none() || !is_wrapper(*error)))
    }

    /// Copies the texts of a gix error: its chain, without source code locations.
    pub(super) fn from_gix(error: &gix::Error) -> Self {
        Self::from_chain(error.iter_errors())
    }

    fn from_chain<'e>(errors: impl Iterator<Item = &'e (dyn std::error::Error + 'static)>) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for error in errors {
            let text = message(error);
            // Wrappers often repeat the text of their source.
            if !texts.last().is_some_and(|last| last.ends_with(&text)) {
                texts.push(text);
            }
        }
        let outermost_last = texts.iter().rev().map(|text| Self::text(text));
        outermost_last
            .reduce(|cause, outer| outer.with_cause(cause))
            .unwrap_or_else(|| Self::new("unknown error"))
    }

    /// Applies `change` to the text of this cause and of all causes below it.
    pub(super) fn map(self, change: &impl Fn(&str) -> String) -> Self {
        let source = self.source.map(|source| Box::new(source.map(change)));
        Self { text: change(&self.text), source }
    }
}

/// Returns whether an error only wraps its source with a text such as "error sending request" or
/// "client error (Connect)".
fn is_wrapper(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<reqwest::Error>() || error.is::<hyper_util::client::legacy::Error>()
}

/// gix prints the location in its source code unless the alternate form is used.
fn message(error: &(dyn std::error::Error + 'static)) -> String {
    format!("{error:#}").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error() -> Error {
        let io = std::io::Error::other("the network\nis down");
        GitError::network("https://h/r.git", "no connection")
            .with_cause(Cause::from_error(&io))
            .into()
    }

    #[test]
    fn debug_is_the_message_with_its_causes() {
        let report = "failed to fetch from `https://h/r.git`\n\nCaused by:\n  no connection\n\nCaused by:\n  the network is down";
        assert_eq!(format!("{:?}", error()), report);
        assert!(
            format!("{:#?}", error()).starts_with("Network {\n    url: \"https://h/r.git\","),
            "{:#?}",
            error()
        );
        assert_eq!(error().to_string(), "failed to fetch from `https://h/r.git`");
    }

    #[test]
    fn errors_can_be_sent_and_shared() {
        fn is_error<E: std::error::Error + Clone + Send + Sync + 'static>() {}
        is_error::<Error>();
    }
}
