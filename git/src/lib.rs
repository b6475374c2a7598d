//! Fetches a few directories of a git repository in as few requests as possible, over HTTPS or ssh,
//! or reads them from a repository on this machine. It needs no work tree, no repository on disk
//! and no `git` executable (although a user's credential helpers may call it).
//!
//! [`Git`] is the state that all repositories share: connections, credentials and the user's
//! configuration. A [`Session`] is one repository. It fetches objects into memory, hashes each one,
//! and stores it under the computed id, never under a claimed one. Because the caller names exactly
//! the objects that it needs, there is nothing to negotiate.
//!
//! Without a lockfile, a fetch takes three requests: one `ls-refs` for all pins, one fetch of all
//! commits with their trees but without files (`blob:none`), and one fetch of the wanted files.
//! With a lockfile, which has the commits, the first one is omitted. Servers that do not support
//! filters or ids of files are asked for whole commits instead.
//!
//! Over HTTP, the first request assumes a server with protocol version 2 and filters. If it fails
//! in a way that a server without them may answer, or the repository has moved, the handshake asks
//! what the server supports, once per repository.
//!
//! Two directories of a repository, over HTTP in three requests:
//!
//! ```
//! use helix_skills_format::{GitUrl, ObjectId};
//! use helix_skills_git::{EntryKind, Git, GitOptions};
//! # use std::{path::Path, process::Command};
//! # let directory = tempfile::tempdir()?;
//! # for name in ["docs", "src"] {
//! #     std::fs::create_dir(directory.path().join(name))?;
//! #     std::fs::write(directory.path().join(name).join("a"), name)?;
//! # }
//! # for arguments in [
//! #     &["init", "--quiet"][..],
//! #     &["add", "."],
//! #     &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message=a"],
//! # ] {
//! #     let mut git = Command::new("git");
//! #     assert!(git.args(arguments).current_dir(directory.path()).status()?.success());
//! # }
//! # let (url, base) = (".", directory.path());
//!
//! let git = Git::new(GitOptions::default());
//! let mut repository = git.session(&GitUrl::parse(url)?, base)?;
//! // Request 1: the reference.
//! let head = &repository.refs(&["HEAD".to_owned()])?[0];
//! // Request 2: all directories, but no files.
//! let commit = repository.commit(&head.peeled, None)?;
//! let mut files: Vec<ObjectId> = Vec::new();
//! for name in ["docs", "src"] {
//!     let directory = repository.entry(&commit.tree, name.as_bytes())?;
//!     for entry in repository.entries(&directory.expect("the directory exists").id)? {
//!         let entry = entry?;
//!         if entry.kind == EntryKind::File {
//!             files.push(entry.id);
//!         }
//!     }
//! }
//! // Request 3: the files.
//! repository.blobs(&files)?;
//! assert_eq!(repository.blob(&files[1])?, b"src");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every wait ends soon after [`GitOptions::cancellation`] is set; [`GitOptions::progress`]
//! receives an event for each request.

// The layers from question to bytes: `session`, `remote` (which requests to make), `dialogue` (the
// protocol, with retries), `connector`, and then `endpoint` (HTTP: URLs, redirects, credentials) or
// `ssh`.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests start programs"))]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod child;
mod client;
mod connector;
mod credentials;
mod delta;
mod dialogue;
mod endpoint;
mod error;
mod escape;
mod fetch_response;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
#[path = "tests/fuzzing.rs"]
pub mod fuzzing;
mod greeting;
mod helpers;
mod http;
mod http_error;
mod ids;
mod kept;
mod local;
mod meter;
mod netrc;
mod objects;
mod pack;
mod packets;
mod policy;
mod programs;
mod progress;
mod reference;
mod remote;
mod repository;
mod request;
mod resolver;
mod retry;
mod saved;
mod secret;
mod session;
mod shared;
mod ssh;
mod steps;
mod submodules;
mod tree;
mod user_config;
mod wait;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use helix_skills_format::{
    __internal::{UrlKind, redacted},
    GitUrl,
};

pub use error::{Error, ErrorKind};
pub use objects::Commit;
pub use reference::Reference;
pub use session::Session;
pub use tree::{EntryKind, TreeEntry};

/// What `helix-skills-project` needs in addition. It changes without notice and is exempt from
/// semver.
#[doc(hidden)]
pub mod __internal {
    pub use crate::ids::blob_id;
    pub use crate::kept::KeptSessions;
    pub use crate::progress::FetchEvent;
    pub use crate::submodules::submodule_url;
}

use connector::Connector;
use credentials::AccessToken;
use endpoint::HttpEndpoint;
use error::{Cause, GitError};
use kept::{KeptSessions, Slot};
use progress::FetchEvent;
use shared::{Origin, Shared};

/// Limits, timeouts and environment of all git operations.
///
/// By default, only the user's git configuration provides credentials, no program prompts on the
/// terminal, and the limits are far above the needs of real repositories.
#[non_exhaustive]
pub struct GitOptions {
    /// Maximum number of objects in one fetch: 200,000 by default.
    pub objects_per_fetch: u64,
    /// Maximum size of one pack as it is sent, in bytes: 256 MiB by default.
    pub bytes_per_fetch: u64,
    /// Maximum size of one file in bytes: 8 MiB by default. A larger file is an error only when its
    /// bytes are read.
    pub bytes_per_object: u64,
    /// Maximum time to establish a connection: 30 s by default.
    pub connect_timeout: Duration,
    /// Maximum time without data from a server, `ssh` or a credential helper: 60 s by default.
    pub stall_timeout: Duration,
    /// Maximum number of retries of one request: 2 by default. Every request can be retried: none
    /// of them changes anything on a server.
    pub retries: u32,
    /// Wait before the first retry: 0.5 s by default. Each further wait is twice as long.
    pub retry_delay: Duration,
    /// Whether the user can answer prompts of `ssh`, such as for a passphrase.
    pub prompts: bool,
    /// Refuses everything that needs the network. Local repositories still work.
    pub offline: bool,
    /// Tokens of [`add_token`](Self::add_token). Credential helpers of the user's git configuration
    /// are asked after them and the netrc file.
    #[doc(hidden)]
    pub tokens: Vec<AccessToken>,
    /// A netrc file, read if no token matches.
    pub netrc: Option<PathBuf>,
    /// A file of certificates to trust in addition to the system's. It takes precedence over
    /// `http.sslCAInfo` of the user's git configuration.
    pub certificates: Option<PathBuf>,
    /// The home directory, for `~` in the user's git configuration.
    pub home: Option<PathBuf>,
    /// The hosts that the user has named, in lower case. Other servers get only credentials that
    /// are configured for them alone.
    #[doc(hidden)]
    pub named_hosts: BTreeSet<String>,
    /// Ends every wait within a tenth of a second after it is set.
    pub cancellation: Arc<AtomicBool>,
    /// Receives requests, received bytes, retries, and lines for detailed logs. Called from several
    /// threads, in no particular order, while the operation waits: return quickly.
    #[doc(hidden)]
    pub progress: Arc<dyn Fn(&FetchEvent<'_>) + Send + Sync>,
    /// Sessions to continue, and where [`Session::keep`] keeps them: nowhere by default.
    #[doc(hidden)]
    pub kept_sessions: Option<Arc<KeptSessions>>,
}

impl Default for GitOptions {
    fn default() -> Self {
        Self {
            objects_per_fetch: 200_000,
            bytes_per_fetch: 256 << 20,
            bytes_per_object: 8 << 20,
            connect_timeout: Duration::from_secs(30),
            stall_timeout: Duration::from_secs(60),
            retries: 2,
            retry_delay: Duration::from_millis(500),
            prompts: false,
            offline: false,
            tokens: Vec::new(),
            netrc: None,
            certificates: None,
            home: None,
            named_hosts: BTreeSet::new(),
            cancellation: Arc::default(),
            progress: Arc::new(|_| ()),
            kept_sessions: None,
        }
    }
}

/// The state that all repositories share. Create one per program; it can be used from several
/// threads.
pub struct Git {
    shared: Arc<Shared>,
    /// Not in `shared`, which the kept sessions refer to.
    kept: Option<Arc<KeptSessions>>,
}

impl Git {
    /// Creates the shared state without doing any IO.
    #[must_use]
    pub fn new(mut options: GitOptions) -> Self {
        let kept = options.kept_sessions.take();
        Self { shared: Arc::new(Shared::new(options)), kept }
    }

    /// Prepares to read a repository whose URL the user has named, without connecting or opening
    /// anything yet.
    ///
    /// `base` is the directory for relative paths. Follows `insteadOf` of the user's git
    /// configuration.
    ///
    /// # Errors
    /// `insteadOf` produces a URL that is not allowed.
    pub fn session(&self, url: &GitUrl, base: &Path) -> Result<Session<'_>, Error> {
        self.open(url, base, true)
    }

    /// Like [`session`](Self::session), for a URL from fetched data or a lockfile. Its host gets
    /// only credentials that name the host, and must not resolve to this machine or its link-local
    /// network.
    ///
    /// # Errors
    /// As for [`session`](Self::session).
    #[doc(hidden)]
    pub fn unnamed_session(&self, url: &GitUrl, base: &Path) -> Result<Session<'_>, Error> {
        self.open(url, base, false)
    }

    /// Returns a session that reads only the objects in `texts`, each with a name for messages,
    /// which [`Session::take_read`] returned. What they do not have is an error only when it is
    /// read.
    ///
    /// # Errors
    /// A text is malformed, or larger than the limits; an object does not have its id.
    #[doc(hidden)]
    pub fn saved_session(&self, texts: &[(String, String)]) -> Result<Session<'_>, Error> {
        let options = &self.shared.options;
        Ok(Session::new(Box::new(saved::Saved::new(texts, options)?), None, options))
    }

    fn open(&self, url: &GitUrl, base: &Path, is_named: bool) -> Result<Session<'_>, Error> {
        let effective = self.rewrite(url)?;
        let name = if effective == *url {
            url.to_string()
        } else {
            format!("{effective} (insteadOf {url})")
        };
        let shared = self.shared.clone();
        let origin = Arc::new(Origin::new(name.clone(), shared));
        let options = &self.shared.options;
        let is_named = is_named || self.names(url) || self.names(&effective);
        let slot =
            self.kept.clone().map(|sessions| Slot { sessions, name: (name.clone(), is_named) });
        if let Some(remote) = slot.as_ref().and_then(Slot::take) {
            return Ok(Session::new(remote, slot, options));
        }
        let connector = match effective.kind() {
            UrlKind::File => {
                let path = base.join(local_path(effective.as_str())?);
                let local = local::Local::new(origin, path);
                return Ok(Session::new(Box::new(local), None, options));
            }
            UrlKind::Https | UrlKind::Http => Connector::Http(Arc::new(HttpEndpoint::new(
                origin.clone(),
                effective.to_string(),
                is_named,
                // `insteadOf` is the user's, too.
                is_named || effective != *url,
            ))),
            UrlKind::Ssh => Connector::Ssh(effective.to_string()),
        };
        let remote = remote::Remote::new(origin, connector);
        Ok(Session::new(Box::new(remote), slot, options))
    }

    /// Returns whether the user has named the host of a URL.
    fn names(&self, url: &GitUrl) -> bool {
        url.host().is_some_and(|host| {
            self.shared.options.named_hosts.contains(&host.to_ascii_lowercase())
        })
    }

    fn rewrite(&self, url: &GitUrl) -> Result<GitUrl, GitError> {
        match self.shared.config().rewrites.apply(url.as_str()) {
            None => Ok(url.clone()),
            Some(rewritten) => GitUrl::parse(&rewritten).map_err(|source| GitError::Url {
                url: url.to_string(),
                rewritten: escape::escape(redacted(&rewritten).as_bytes()),
                source,
            }),
        }
    }
}

/// Returns the path of a local repository's URL. Only `file://` URLs are percent-encoded. On
/// Windows, `file:///C:/path` is `C:/path`.
fn local_path(url: &str) -> Result<PathBuf, GitError> {
    let Some(encoded) = url.strip_prefix("file://") else { return Ok(PathBuf::from(url)) };
    let mut path: Vec<u8> = percent_encoding::percent_decode_str(encoded).collect();
    if cfg!(windows) && matches!(path[..], [b'/', drive, b':', ..] if drive.is_ascii_alphabetic()) {
        path.remove(0);
    }
    gix::path::from_bstring(path).map_err(|error| GitError::Local {
        path: PathBuf::from(url),
        hint: Some("write the path without `file://`"),
        source: Cause::from_gix(&error),
    })
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
