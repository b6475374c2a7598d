//! Reading git repositories: over https with as few requests and bytes as possible, or on this machine.
//!
//! [`Git`] holds what all repositories share: connections, credentials, the user's configuration. A [`Session`] is one
//! repository; it fetches objects into memory and hashes each one. There is no work tree, no repository on disk, no `git`
//! executable, and no negotiation: a session knows exactly what it wants.

mod answer;
mod body;
mod client;
mod credentials;
mod delta;
mod error;
mod foreign;
mod http;
mod local;
mod netrc;
mod objects;
mod pack;
mod policy;
mod remote;
mod session;
mod user_config;
mod wire;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use helix_skills_format::{GitUrl, UrlKind, redacted};

pub(crate) use credentials::Environment;
pub(crate) use error::{GitError, GitErrorKind};
pub(crate) use objects::Commit;
pub(crate) use session::{Reference, Session};

use client::SharedClient;
use error::Cause;
use session::Source;
use user_config::Rewrites;

/// Takes lines for `--verbose`.
pub(crate) type Verbose = dyn Fn(&str) + Send + Sync;

/// Limits, timeouts and surroundings of all git work.
pub(crate) struct Options {
    /// `limits.objectsPerFetch`
    pub(crate) objects_per_fetch: u64,
    /// `limits.bytesPerFetch`: of one pack, as it is sent.
    pub(crate) bytes_per_fetch: u64,
    /// `limits.bytesPerFile`: of one file. Larger ones fail only when their bytes are asked for.
    pub(crate) bytes_per_object: u64,
    /// For a connection to come about.
    pub(crate) connect_timeout: Duration,
    /// How long a server may stay silent.
    pub(crate) stall_timeout: Duration,
    /// Refuse everything that needs the network. Local repositories still work.
    pub(crate) offline: bool,
    /// Tokens and directories.
    pub(crate) environment: Environment,
    /// Takes a line for each request, redirect and fallback. No secrets, nothing to escape.
    pub(crate) verbose: Arc<Verbose>,
}

/// What all repositories share. One for the whole program; threads may use it at once.
pub(crate) struct Git {
    options: Arc<Options>,
    client: SharedClient,
    rewrites: OnceLock<Rewrites>,
}

impl Git {
    /// No IO.
    pub(crate) fn new(options: Options) -> Self {
        Self { options: Arc::new(options), client: SharedClient::default(), rewrites: OnceLock::new() }
    }

    /// Prepares to read a repository; connects and opens nothing yet. `base` is the directory that relative paths start
    /// from. `insteadOf` of the user's git configuration is obeyed.
    ///
    /// # Errors
    /// `insteadOf` makes a url that is not allowed; the url needs ssh.
    pub(crate) fn session(&self, url: &GitUrl, base: &Path) -> Result<Session<'_>, GitError> {
        let effective = self.rewrite(url)?;
        let name = if effective == *url { url.to_string() } else { format!("{effective} (insteadOf {url})") };
        match effective.kind() {
            UrlKind::File => {
                let path = base.join(local_path(effective.as_str())?);
                Ok(Session::new(Source::Local(Box::new(local::Local::new(name, path, self.options.clone())))))
            }
            UrlKind::Https | UrlKind::Http => {
                let remote = remote::Remote::new(name, effective.to_string(), &self.client, self.options.clone());
                Ok(Session::new(Source::Remote(Box::new(remote))))
            }
            UrlKind::Ssh => Err(GitError::Unsupported {
                url: name,
                problem: "ssh is not supported yet",
                hint: Some("use the https url of the repository; a token or ~/.netrc gives access to private ones"),
            }),
        }
    }

    fn rewrite(&self, url: &GitUrl) -> Result<GitUrl, GitError> {
        let rewrites = self.rewrites.get_or_init(|| {
            Rewrites::load().unwrap_or_else(|cause| {
                (self.options.verbose)(&format!("the git configuration cannot be read and is ignored: {cause}"));
                Rewrites::default()
            })
        });
        match rewrites.apply(url.as_str()) {
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
    gix::path::from_bstring(bytes).map_err(|error| GitError::Local {
        path: PathBuf::from(url),
        hint: None,
        source: Cause::of_gix(&error),
    })
}
