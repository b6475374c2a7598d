//! Reading git repositories: over https or ssh with as few requests and bytes as possible, or on this machine.
//!
//! [`Git`] holds what all repositories share: connections, credentials, the user's configuration. A [`Session`] is one
//! repository; it fetches objects into memory and hashes each one. There is no work tree, no repository on disk, no `git`
//! executable (but for credential helpers that are part of it), and no negotiation: a session knows exactly what it wants.
//!
//! From question to byte: `session` → `remote` (which requests) → `dialogue` (the protocol, and again after a failure) →
//! `carrier` → `wire` (http: urls, redirects, credentials) or `ssh`. Whoever waits, for whatever, looks every few hundredths
//! of a second whether somebody asked to stop.

#![forbid(unsafe_code)]

mod answer;
mod body;
mod carrier;
mod child;
mod client;
mod credentials;
mod delta;
mod dialogue;
mod error;
mod foreign;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod greeting;
mod helpers;
mod http;
mod ids;
mod local;
mod meter;
mod netrc;
mod objects;
mod pack;
mod policy;
mod progress;
mod refusal;
mod remote;
mod retry;
mod session;
mod shared;
mod ssh;
mod steps;
mod tree;
mod user_config;
mod wire;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use helix_skills_format::{GitUrl, UrlKind, redacted};

pub use credentials::{Credentials, Secret, Token};
pub use error::{Access, Advice, Error, ErrorKind, Limit, Sent};
pub use progress::{Event, Progress};
pub use retry::Retries;
pub use session::{Commit, EntryKind, Reference, Session, TreeEntry};

use carrier::Carrier;
use error::{Cause, GitError};
use session::Source;
use shared::Shared;
use wire::Wire;

/// Limits, timeouts and surroundings of all git work.
pub struct Options {
    /// How many objects one fetch may bring.
    pub objects_per_fetch: u64,
    /// How many bytes one pack may have, as it is sent.
    pub bytes_per_fetch: u64,
    /// How many bytes one file may have. Larger ones fail only when their bytes are asked for.
    pub bytes_per_object: u64,
    /// For a connection to come about.
    pub connect_timeout: Duration,
    /// How long a server, an `ssh` or a credential helper may stay silent.
    pub stall_timeout: Duration,
    /// How failed requests are made again.
    pub retries: Retries,
    /// Whether somebody sees and can answer what `ssh` asks, such as for a passphrase.
    pub prompts: bool,
    /// Refuse everything that needs the network. Local repositories still work.
    pub offline: bool,
    /// Credentials from the environment.
    pub credentials: Credentials,
    /// A file of certificates to trust besides the system's. It takes precedence over `http.sslCAInfo` of the user's git
    /// configuration.
    pub certificates: Option<PathBuf>,
    /// The home directory, where `~` in the user's git configuration leads.
    pub home: Option<PathBuf>,
    /// The hosts that the user has named, in lower case. Other servers get only credentials that are for them alone.
    pub named_hosts: BTreeSet<String>,
    /// Ends every wait within a tenth of a second after it is set.
    pub cancellation: Arc<AtomicBool>,
    /// Receives requests, received bytes, retries, and lines for detailed logs.
    pub progress: Arc<dyn Progress>,
}

/// What all repositories share. One for the whole program; threads may use it at once.
pub struct Git {
    shared: Arc<Shared>,
}

impl Git {
    /// No IO.
    pub fn new(options: Options) -> Self {
        Self { shared: Arc::new(Shared::new(options)) }
    }

    /// Prepares to read a repository; connects and opens nothing yet. `base` is the directory for relative paths. Follows
    /// `insteadOf` of the user's git configuration. `is_named` says that the user has named this URL; other URLs come from
    /// fetched data or a lockfile.
    ///
    /// # Errors
    /// `insteadOf` makes a URL that is not allowed.
    pub fn session(&self, url: &GitUrl, base: &Path, is_named: bool) -> Result<Session<'_>, Error> {
        let effective = self.rewrite(url)?;
        let name = if effective == *url { url.to_string() } else { format!("{effective} (insteadOf {url})") };
        let shared = self.shared.clone();
        let carrier = match effective.kind() {
            UrlKind::File => {
                let path = base.join(local_path(effective.as_str())?);
                let local = local::Local::new(name, path, shared.clone());
                return Ok(Session::new(Source::Local(Box::new(local)), &shared.options));
            }
            UrlKind::Https | UrlKind::Http => {
                let is_named = is_named || self.names(url) || self.names(&effective);
                Carrier::Http(Arc::new(Wire::new(shared.clone(), name.clone(), effective.to_string(), is_named)))
            }
            UrlKind::Ssh => Carrier::Ssh(Arc::new(ssh::Ssh::new(shared.clone(), name.clone(), effective.to_string()))),
        };
        let remote = remote::Remote::new(name, carrier, shared.clone());
        Ok(Session::new(Source::Remote(Box::new(remote)), &shared.options))
    }

    /// Whether the user has named the host of a URL.
    fn names(&self, url: &GitUrl) -> bool {
        url.host().is_some_and(|host| self.shared.options.named_hosts.contains(&host.to_ascii_lowercase()))
    }

    fn rewrite(&self, url: &GitUrl) -> Result<GitUrl, GitError> {
        match self.shared.config().rewrites.apply(url.as_str()) {
            None => Ok(url.clone()),
            Some(rewritten) => GitUrl::parse(&rewritten).map_err(|source| GitError::Url {
                url: url.to_string(),
                rewritten: foreign::escape(redacted(&rewritten).as_bytes()),
                source,
            }),
        }
    }
}

/// The path of a local repository's url. Only `file://` urls are percent-encoded.
fn local_path(url: &str) -> Result<PathBuf, GitError> {
    let Some(encoded) = url.strip_prefix("file://") else { return Ok(PathBuf::from(url)) };
    gix::path::from_bstring(percent_decoded(encoded)).map_err(|error| GitError::Local {
        path: PathBuf::from(url),
        advice: Some(Advice::Text("write the path as it is, without `file://`".to_owned())),
        source: Cause::of_gix(&error),
    })
}

/// The bytes behind percent escapes.
fn percent_decoded(encoded: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let escaped = (*first == b'%').then(|| after.get(..2)).flatten();
        let escaped =
            escaped.and_then(|hex| std::str::from_utf8(hex).ok()).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(byte) = escaped {
            rest = &after[2..];
            bytes.push(byte);
        } else {
            bytes.push(*first);
        }
    }
    bytes
}
