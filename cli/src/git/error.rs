//! Why a repository could not be read.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use gix::ObjectId;
use helix_skills_format::GitUrlError;

use super::credentials::CredentialSource;
use super::foreign::escape;
use super::steps::STEPS_PER_OBJECT;

/// What kind of failure a [`GitError`] is; exit codes and retries hang on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GitErrorKind {
    /// The server cannot be reached, breaks off, or talks nonsense.
    Network,
    /// The server wants credentials, or better ones.
    Authentication,
    /// The repository has no such branch, tag, commit or object.
    NotFound,
    /// More than the manifest's limits allow.
    Limit,
    /// Objects that are not what they should be, or that never came.
    Corrupt,
    /// Something that is not built in.
    Unsupported,
    /// A url that may not be used.
    Url,
    /// A local repository that cannot be opened or read.
    Local,
    /// Environment variables that contradict each other.
    Environment,
    /// Somebody asked to stop.
    Interrupted,
}

/// What to do about a server that takes longer than it may.
pub(super) const TOO_SLOW: &str = "raise HELIX_SKILLS_STALL_TIMEOUT (in seconds) if it is only slow";

/// What to do about a repository with ids of another kind.
pub(super) const SHA1_ONLY: &str =
    "take it from a mirror with SHA-1 ids, or copy its skills and use a source of type `path`";

/// What to do about a local repository that was opened and cannot be read.
pub(super) const DAMAGED: &str =
    "`git fsck` in it tells what is damaged; or name the repository that it was cloned from";

/// What git says of an object that it does not have or does not give out, always with its id.
const NOT_OURS: &str = "not our ref";

/// What other servers (JGit, Azure DevOps, Dulwich) say of such an object, next to its id.
const DENIALS: [&str; 3] = ["not valid", "does not exist", "invalid object"];

/// Whether asking once more could help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// The answer would be the same.
    Never,
    /// After a short wait.
    Soon,
    /// After the wait that the server asked for.
    After(Duration),
}

/// Why a repository could not be read. Every message is one line and safe to print: text of servers is escaped and cut.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    /// The server cannot be reached, breaks off, answers with an error, or talks nonsense.
    #[error("cannot fetch from `{url}`: {problem}")]
    Network { url: String, problem: String, hint: Option<String>, again: Again, source: Option<Cause> },

    /// The `ssh` program could not be started, failed, or fell silent. `kind` is what its end tells.
    #[error("cannot fetch from `{url}` through ssh: {problem}")]
    Ssh { url: String, problem: String, hint: Option<String>, again: Again, kind: GitErrorKind },

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
        sent: Sent,
        /// What went wrong with single sources of credentials.
        notes: Vec<String>,
    },

    /// The server answered the git request with a refusal of its own words.
    #[error("the server refuses the request for `{url}`: {message}")]
    Refused { url: String, message: String },

    /// The repository has no such thing.
    #[error("cannot find {what} in `{url}`")]
    NotFound { url: String, what: String, hint: Option<&'static str> },

    /// More than a limit of the manifest allows.
    #[error("cannot take more than {limit} {what} from `{url}` (`{field}`)")]
    Limit { url: String, what: &'static str, field: &'static str, limit: u64 },

    /// Reading the trees of one source takes more steps than it may.
    #[error(
        "cannot read more than {limit} directory entries and parts of paths for the source `{key}` ({STEPS_PER_OBJECT} times `limits.objectsPerFetch`)"
    )]
    Steps { key: String, limit: u64 },

    /// Objects that are not what they should be, or that were asked for and never came.
    #[error("cannot trust what `{url}` sent: {problem}")]
    Corrupt { url: String, problem: String },

    /// Something that is not built in.
    #[error("cannot read `{url}`: {problem}")]
    Unsupported { url: String, problem: &'static str, hint: Option<&'static str> },

    /// `insteadOf` of the user's git configuration makes a url that may not be used.
    #[error("cannot use `{rewritten}`, which `insteadOf` makes of `{url}`")]
    Url { url: String, rewritten: String, source: GitUrlError },

    /// A local repository that cannot be opened or read.
    #[error("cannot read the git repository `{}`", path.display())]
    Local { path: PathBuf, hint: Option<&'static str>, source: Cause },

    /// One of the two variables of a token without the other.
    #[error("`{set}` is set and `{missing}` is not")]
    HalfToken { set: &'static str, missing: &'static str },

    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Whether credentials could have been sent at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// To this host over this scheme they may be.
    Allowed,
    /// Never over plain http to another machine.
    PlainHttp,
    /// Never to the host that a redirect names.
    Redirected,
}

impl GitError {
    /// A problem with a server or its answer that asking again would not mend.
    pub(super) fn network(url: &str, problem: impl Into<String>) -> Self {
        Self::Network { url: url.to_owned(), problem: problem.into(), hint: None, again: Again::Never, source: None }
    }

    /// The refusal of a server, in its own words.
    pub(super) fn refusal(url: &str, words: &str) -> Self {
        let words = escape(words.as_bytes());
        let message = if words.is_empty() { "it gives no reason".to_owned() } else { words };
        Self::Refused { url: url.to_owned(), message }
    }

    /// With what to do about it, where the error has a place for that.
    pub(super) fn hinted(mut self, text: impl Into<String>) -> Self {
        if let Self::Network { hint, .. } | Self::Ssh { hint, .. } = &mut self {
            *hint = Some(text.into());
        }
        self
    }

    /// With whether asking again could help, where the error has a place for that.
    pub(super) fn again(mut self, when: Again) -> Self {
        if let Self::Network { again, .. } | Self::Ssh { again, .. } = &mut self {
            *again = when;
        }
        self
    }

    /// With its cause, where the error has a place for that.
    pub(super) fn because(mut self, cause: Cause) -> Self {
        if let Self::Network { source, .. } = &mut self {
            *source = Some(cause);
        }
        self
    }

    /// Whether the server refuses because it does not have, or does not give out, the object.
    ///
    /// Any other refusal, such as of a repository that is disabled for now, says nothing about the object.
    pub(super) fn denies(&self, id: &ObjectId) -> bool {
        let Self::Refused { message, .. } = self else { return false };
        let words = message.to_ascii_lowercase();
        words.contains(NOT_OURS)
            || DENIALS.iter().any(|denial| words.contains(denial)) && words.contains(&id.to_string())
    }

    /// Whether asking once more could help.
    pub(super) fn when_again(&self) -> Again {
        match self {
            Self::Network { again, .. } | Self::Ssh { again, .. } => *again,
            _ => Again::Never,
        }
    }

    /// What kind of failure this is.
    pub(crate) fn kind(&self) -> GitErrorKind {
        match self {
            Self::Ssh { kind, .. } => *kind,
            Self::Interrupted => GitErrorKind::Interrupted,
            Self::Network { .. } | Self::Offline { .. } | Self::Refused { .. } => GitErrorKind::Network,
            Self::Authentication { .. } => GitErrorKind::Authentication,
            Self::NotFound { .. } => GitErrorKind::NotFound,
            Self::Limit { .. } | Self::Steps { .. } => GitErrorKind::Limit,
            Self::Corrupt { .. } => GitErrorKind::Corrupt,
            Self::Unsupported { .. } => GitErrorKind::Unsupported,
            Self::Url { .. } => GitErrorKind::Url,
            Self::Local { .. } => GitErrorKind::Local,
            Self::HalfToken { .. } => GitErrorKind::Environment,
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Network { hint, again, .. } | Self::Ssh { hint, again, .. } => {
                let usual = match again {
                    Again::Never => "check the url; `-vv` shows each request",
                    Again::Soon | Again::After(_) => "try again later; `-vv` shows each request",
                };
                Some(hint.clone().unwrap_or_else(|| usual.to_owned()))
            }
            Self::NotFound { hint, .. } | Self::Unsupported { hint, .. } | Self::Local { hint, .. } => {
                hint.map(str::to_owned)
            }
            Self::Offline { .. } => Some("run once without `--offline` to fill the cache".to_owned()),
            Self::Authentication { host, status, tried, sent, notes, .. } => {
                let mut hint = access_hint(host, *status, tried.as_ref(), *sent);
                for note in notes {
                    hint.push_str("; ");
                    hint.push_str(note);
                }
                Some(hint)
            }
            Self::Limit { field, .. } => {
                Some(format!("raise `{field}` in helix.skills.json if you trust this repository"))
            }
            Self::Steps { .. } => Some(
                "its directories or links multiply, which is rare in an honest repository; raise `limits.objectsPerFetch` in helix.skills.json if you trust it"
                    .to_owned(),
            ),
            Self::Url { source, .. } => source.hint().map(str::to_owned),
            Self::HalfToken { .. } => {
                Some("a token goes only to the host that HELIX_SKILLS_TOKEN_HOST names; set both or neither".to_owned())
            }
            Self::Refused { .. } => Some(
                "the server gives that reason: check the URL and that you may read the repository, or try again later"
                    .to_owned(),
            ),
            Self::Corrupt { .. } => Some(
                "try again; if it stays so, the server or a proxy before it is broken or hostile: ask who runs it"
                    .to_owned(),
            ),
            Self::Interrupted => None,
        }
    }
}

fn access_hint(host: &str, status: u16, tried: Option<&CredentialSource>, sent: Sent) -> String {
    match sent {
        Sent::PlainHttp => return "credentials are never sent over plain http; use https".to_owned(),
        Sent::Redirected => {
            return format!("credentials are not carried over a redirect; write the url at `{host}` into the manifest");
        }
        Sent::Allowed => {}
    }
    match tried {
        Some(source) => format!("check that the credentials from {source} are valid and may read this repository"),
        None if status == 404 || status == 410 => "check the url".to_owned(),
        None if host.eq_ignore_ascii_case("github.com") => {
            "check the url; for a private repository set GITHUB_TOKEN, or add the host to ~/.netrc or a git credential helper".to_owned()
        }
        None => format!(
            "check the url; for a private repository set HELIX_SKILLS_TOKEN and HELIX_SKILLS_TOKEN_HOST={host}, or add the host to ~/.netrc or a git credential helper"
        ),
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

/// The cause of a [`GitError`]: the whole chain of a library's error as one escaped line, because such errors quote what
/// servers sent.
#[derive(Debug)]
pub(crate) struct Cause(String);

impl Cause {
    /// A cause that no library has found.
    pub(super) fn text(text: &str) -> Self {
        Self(escape(text.as_bytes()))
    }

    /// Takes the texts of an error and of its sources.
    pub(super) fn of(error: &(dyn std::error::Error + 'static)) -> Self {
        let mut text = String::new();
        let mut next = Some(error);
        while let Some(error) = next {
            let one = plain(error);
            // Wrappers often print their source again.
            if !text.ends_with(&one) {
                if !text.is_empty() {
                    text.push_str(": ");
                }
                text.push_str(&one);
            }
            next = error.source();
        }
        Self(escape(text.as_bytes()))
    }

    /// Takes the texts of a gix error: its chain without places in source code.
    pub(super) fn of_gix(error: &gix::Error) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for error in error.iter_errors() {
            let one = plain(error);
            if texts.last() != Some(&one) {
                texts.push(one);
            }
        }
        Self(escape(texts.join(": ").as_bytes()))
    }
}

/// gix prints the place in its source code unless asked for the alternate form.
fn plain(error: &(dyn std::error::Error + 'static)) -> String {
    format!("{error:#}").replace(['\n', '\r'], " ")
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Cause {}
