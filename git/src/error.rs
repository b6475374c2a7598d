//! Why a repository could not be read.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gix::ObjectId;
use helix_skills_format::__internal::{causes, write_report};
use helix_skills_format::GitUrlError;

use super::escape::escape;
use super::secret::CredentialSource;

/// Why a repository could not be read.
///
/// `Display` is one line without the causes, which `source()` has. `{:?}` prints the message with
/// its causes, `{:#?}` the structure. All of them are safe to print: text of servers is escaped and
/// cut. A clone is the same error, shared.
#[derive(Clone)]
pub struct Error(Arc<GitError>);

impl Error {
    /// What kind of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind()
    }

    /// What may help.
    #[must_use]
    pub fn advice(&self) -> Option<Advice> {
        self.0.advice()
    }
}

impl From<GitError> for Error {
    fn from(error: GitError) -> Self {
        Self(Arc::new(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.0, f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { fmt::Debug::fmt(&*self.0, f) } else { write_report(self, f) }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The server cannot be reached, breaks off, or talks nonsense.
    Network,
    /// The server wants credentials, or better ones.
    Authentication,
    /// The repository has no such branch, tag, commit or object.
    NotFound,
    /// More than the options allow.
    Limit,
    /// Objects that are not what they should be, or that never came.
    Corrupt,
    /// Something that is not built in.
    Unsupported,
    /// A URL that may not be used.
    Url,
    /// A local repository that cannot be opened or read.
    Local,
    /// A program that is configured, such as `ssh`, cannot be started.
    Environment,
    /// The caller asked to stop.
    Interrupted,
}

/// What may help against an [`Error`], for callers that write it in their own words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// What to do with git, `ssh`, a proxy or a certificate.
    Text(String),
    /// The URL may be wrong.
    CheckUrl,
    /// The same request may succeed later.
    TryLater,
    /// A server, `ssh` or a helper was silent for longer than [`GitOptions::stall_timeout`](crate::GitOptions::stall_timeout).
    WaitLonger,
    /// The network is needed, and [`GitOptions::offline`](crate::GitOptions::offline) forbids it.
    GoOnline,
    /// The server does not let us in.
    GrantAccess(Box<AccessDenied>),
    /// A limit of the options was reached.
    RaiseLimit(LimitKind),
    /// A local repository is not where the path leads.
    CheckDirectory,
    /// The directory is not a git repository.
    NotARepository,
    /// Repositories with SHA-256 ids are not supported.
    UseSha1,
    /// The server refused for a reason of its own, which `Display` quotes.
    AskTheServer,
    /// The server, or a proxy, is broken or hostile.
    DistrustTheServer,
}

/// A limit of [`GitOptions`](crate::GitOptions).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitKind {
    /// `objects_per_fetch`
    Objects,
    /// `bytes_per_fetch`
    PackBytes,
    /// `bytes_per_object`
    ObjectBytes,
    /// A multiple of `objects_per_fetch`: what may be read for one [`Session::count_steps_for`](crate::Session::count_steps_for).
    Steps,
}

/// How a server was asked for access that it does not give.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessDenied {
    /// `host`, or `host:port`.
    pub host: String,
    /// The HTTP status.
    pub status: u16,
    /// Where the credentials that were sent came from; none if none were sent.
    pub tried: Option<String>,
    /// Whether credentials could be sent at all.
    pub policy: CredentialPolicy,
    /// Whether credentials for all hosts were not used, because the user has not named this host.
    pub is_unnamed: bool,
    /// What went wrong with single sources of credentials.
    pub notes: Vec<String>,
}

/// What to do about a local repository that was opened and cannot be read.
pub(super) const DAMAGED: &str =
    "`git fsck` in it tells what is damaged; or name the repository that it was cloned from";

/// What git says of an object that it does not have or does not give out, always with its id.
const NOT_OUR_REF: &str = "not our ref";

/// What other servers (JGit, Azure DevOps, Dulwich) say of such an object, next to its id.
const DENIALS: [&str; 3] = ["not valid", "does not exist", "invalid object"];

/// Whether asking once more could help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retry {
    /// The answer would be the same.
    Never,
    /// After a short wait.
    Soon,
    /// After the wait that the server asked for.
    After(Duration),
}

/// What went wrong, with all facts that [`Error`] gives out.
#[derive(Debug, thiserror::Error)]
pub(super) enum GitError {
    /// The server cannot be reached, breaks off, answers with an error, or talks nonsense.
    #[error("cannot fetch from `{url}`")]
    Network { url: String, advice: Option<Advice>, retry: Retry, source: Cause },

    /// The `ssh` program could not be started, failed, or fell silent. `kind` is what its end tells.
    #[error("cannot fetch from `{url}` through ssh")]
    Ssh { url: String, advice: Option<Advice>, retry: Retry, kind: ErrorKind, source: Cause },

    /// The network is needed and not allowed.
    #[error("cannot fetch from `{url}` offline")]
    Offline { url: String },

    /// The server wants credentials, or better ones, or hides the repository from us.
    #[error("`{host}` does not give access to `{url}` (http status {status}, {})", Tried(tried.as_ref()))]
    Authentication {
        url: String,
        host: String,
        status: u16,
        tried: Option<CredentialSource>,
        policy: CredentialPolicy,
        /// Credentials for all hosts were not used.
        is_unnamed: bool,
        /// What went wrong with single sources of credentials.
        notes: Vec<String>,
    },

    /// The server answered the git request with a refusal of its own words.
    #[error("the server refuses the request for `{url}`: {message}")]
    Refused { url: String, message: String },

    /// The repository has no such thing.
    #[error("cannot find {what} in `{url}`")]
    NotFound { url: String, what: String, hint: Option<&'static str> },

    /// More than a limit allows.
    #[error("cannot take more than {limit} {what} from `{url}`")]
    Limit { url: String, what: &'static str, which: LimitKind, limit: u64 },

    /// Reading the trees of one source takes more steps than it may.
    #[error(
        "cannot read more than {limit} directory entries and parts of paths for the source `{key}`"
    )]
    Steps { key: String, limit: u64 },

    /// Objects that are not what they should be, or that were asked for and never came.
    #[error("cannot trust what `{url}` sent: {problem}")]
    Corrupt { url: String, problem: String },

    /// Object ids of another kind.
    #[error("cannot read `{url}`: it uses SHA-256 object ids, which are not built in")]
    Sha256 { url: String },

    /// `insteadOf` of the user's git configuration makes a url that may not be used.
    #[error("cannot use `{rewritten}`, which `insteadOf` makes of `{url}`")]
    Url { url: String, rewritten: String, source: GitUrlError },

    /// A local repository that cannot be opened or read.
    #[error("cannot read the git repository `{}`", path.display())]
    Local { path: PathBuf, advice: Option<Advice>, source: Cause },

    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Whether credentials could be sent at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CredentialPolicy {
    /// They may be sent to this host over this scheme.
    Allowed,
    /// They are never sent over plain HTTP to another machine.
    PlainHttp,
    /// They are never sent to a host that a redirect names.
    Redirected,
}

impl GitError {
    /// A problem with a server or its answer that asking again would not mend.
    pub(super) fn network(url: &str, problem: impl Into<String>) -> Self {
        Self::Network {
            url: url.to_owned(),
            advice: None,
            retry: Retry::Never,
            source: Cause::new(problem),
        }
    }

    /// The refusal of a server, in its own words.
    pub(super) fn refusal(url: &str, words: &str) -> Self {
        let words = escape(words.as_bytes());
        let message = if words.is_empty() { "it gives no reason".to_owned() } else { words };
        Self::Refused { url: url.to_owned(), message }
    }

    /// With what may help, where the error has a place for that.
    pub(super) fn with_advice(mut self, what: Advice) -> Self {
        if let Self::Network { advice, .. } | Self::Ssh { advice, .. } = &mut self {
            *advice = Some(what);
        }
        self
    }

    /// With a text that says what to do, where the error has a place for that.
    pub(super) fn with_hint(self, text: impl Into<String>) -> Self {
        self.with_advice(Advice::Text(text.into()))
    }

    /// With whether asking again could help, where the error has a place for that.
    pub(super) fn with_retry(mut self, when: Retry) -> Self {
        if let Self::Network { retry, .. } | Self::Ssh { retry, .. } = &mut self {
            *retry = when;
        }
        self
    }

    /// With the cause of the problem with a server.
    pub(super) fn with_cause(mut self, cause: Cause) -> Self {
        if let Self::Network { source, .. } = &mut self {
            source.source = Some(Box::new(cause));
        }
        self
    }

    /// Whether the server refuses because it does not have, or does not give out, the object.
    ///
    /// Any other refusal, such as of a repository that is disabled for now, says nothing about the object.
    pub(super) fn denies(&self, id: &ObjectId) -> bool {
        let Self::Refused { message, .. } = self else { return false };
        let words = message.to_ascii_lowercase();
        words.contains(NOT_OUR_REF)
            || DENIALS.iter().any(|denial| words.contains(denial))
                && words.contains(&id.to_string())
    }

    /// Whether asking once more could help.
    pub(super) fn retry(&self) -> Retry {
        match self {
            Self::Network { retry, .. } | Self::Ssh { retry, .. } => *retry,
            _ => Retry::Never,
        }
    }

    /// What kind of failure this is.
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::Ssh { kind, .. } => *kind,
            Self::Interrupted => ErrorKind::Interrupted,
            Self::Network { .. } | Self::Offline { .. } | Self::Refused { .. } => {
                ErrorKind::Network
            }
            Self::Authentication { .. } => ErrorKind::Authentication,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Limit { .. } | Self::Steps { .. } => ErrorKind::Limit,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Sha256 { .. } => ErrorKind::Unsupported,
            Self::Url { .. } => ErrorKind::Url,
            Self::Local { .. } => ErrorKind::Local,
        }
    }

    /// What may help.
    pub(super) fn advice(&self) -> Option<Advice> {
        let text = |text: &str| Advice::Text(text.to_owned());
        Some(match self {
            Self::Network { advice, retry, .. } | Self::Ssh { advice, retry, .. } => {
                let usual =
                    if *retry == Retry::Never { Advice::CheckUrl } else { Advice::TryLater };
                advice.clone().unwrap_or(usual)
            }
            Self::NotFound { hint, .. } => text((*hint)?),
            Self::Local { advice, .. } => advice.clone()?,
            Self::Sha256 { .. } => Advice::UseSha1,
            Self::Offline { .. } => Advice::GoOnline,
            Self::Authentication { host, status, tried, policy, is_unnamed, notes, .. } => {
                Advice::GrantAccess(Box::new(AccessDenied {
                    host: host.clone(),
                    status: *status,
                    tried: tried.as_ref().map(ToString::to_string),
                    policy: *policy,
                    is_unnamed: *is_unnamed,
                    notes: notes.clone(),
                }))
            }
            Self::Limit { which, .. } => Advice::RaiseLimit(*which),
            Self::Steps { .. } => Advice::RaiseLimit(LimitKind::Steps),
            Self::Url { source, .. } => text(source.hint()?),
            Self::Refused { .. } => Advice::AskTheServer,
            Self::Corrupt { .. } => Advice::DistrustTheServer,
            Self::Interrupted => return None,
        })
    }
}

struct Tried<'a>(Option<&'a CredentialSource>);

impl fmt::Display for Tried<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(source) => write!(f, "with credentials from {source}"),
            None => f.write_str("without credentials"),
        }
    }
}

/// The cause of a [`GitError`]: an escaped line and what is behind it. Errors of libraries quote
/// what servers sent, so only their texts are kept.
#[derive(Debug)]
pub(super) struct Cause {
    text: String,
    source: Option<Box<Cause>>,
}

impl Cause {
    /// A problem in words that need no escaping.
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { text: problem.into(), source: None }
    }

    /// A cause that no library has found.
    pub(super) fn text(text: &str) -> Self {
        Self::new(escape(text.as_bytes()))
    }

    /// With another cause behind it.
    pub(super) fn with_cause(self, cause: Self) -> Self {
        Self { source: Some(Box::new(cause)), ..self }
    }

    /// Takes the texts of an error and of its sources.
    pub(super) fn from_error(error: &(dyn std::error::Error + 'static)) -> Self {
        let all = std::iter::once(error).chain(causes(error));
        Self::from_chain(all.filter(|error| error.source().is_none() || !is_wrapper(*error)))
    }

    /// Takes the texts of a gix error: its chain without places in source code.
    pub(super) fn from_gix(error: &gix::Error) -> Self {
        Self::from_chain(error.iter_errors())
    }

    fn from_chain<'e>(errors: impl Iterator<Item = &'e (dyn std::error::Error + 'static)>) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for error in errors {
            let text = message(error);
            // Wrappers often print their source again.
            if !texts.last().is_some_and(|last| last.ends_with(&text)) {
                texts.push(text);
            }
        }
        let outermost_last = texts.iter().rev().map(|text| Self::text(text));
        outermost_last
            .reduce(|cause, outer| outer.with_cause(cause))
            .unwrap_or_else(|| Self::new("unknown error"))
    }

    /// The same causes, each text changed by `change`.
    pub(super) fn map(self, change: &impl Fn(&str) -> String) -> Self {
        let source = self.source.map(|source| Box::new(source.map(change)));
        Self { text: change(&self.text), source }
    }
}

/// Whether an error says no more than "error sending request" or "client error (Connect)" of its
/// source.
fn is_wrapper(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<reqwest::Error>() || error.is::<hyper_util::client::legacy::Error>()
}

/// gix prints the place in its source code unless asked for the alternate form.
fn message(error: &(dyn std::error::Error + 'static)) -> String {
    format!("{error:#}").replace(['\n', '\r'], " ")
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
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
        let report = "cannot fetch from `https://h/r.git`\n\nCaused by:\n  no connection\n\nCaused by:\n  the network is down";
        assert_eq!(format!("{:?}", error()), report);
        assert!(
            format!("{:#?}", error()).starts_with("Network {\n    url: \"https://h/r.git\","),
            "{:#?}",
            error()
        );
        assert_eq!(error().to_string(), "cannot fetch from `https://h/r.git`");
    }

    #[test]
    fn errors_can_be_sent_and_shared() {
        fn is_error<E: std::error::Error + Clone + Send + Sync + 'static>() {}
        is_error::<Error>();
    }
}
