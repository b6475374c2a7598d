//! State that all repositories share: options, the user's configuration, the HTTP client.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use helix_skills_format::__internal::one_line_chain;

use super::GitOptions;
use super::client::Client;
use super::error::GitError;
use super::secret::Secret;
use super::user_config::UserConfig;
use super::wait::{POLL_INTERVAL, lock};
use crate::FetchEvent;

/// State that all repositories share, usable from several threads.
pub(super) struct Shared {
    pub(super) options: GitOptions,
    /// Loaded when first needed.
    pub(super) config: OnceLock<UserConfig>,
    /// Created when first needed.
    client: Mutex<Option<Arc<Client>>>,
}

/// Where the objects of a repository come from.
pub(super) struct Origin {
    /// The repository's name in messages.
    pub(super) name: String,
    pub(super) shared: Arc<Shared>,
    /// What the responses of a server contain.
    pub(super) expected: Expected,
    /// Redirects to report to the user.
    pub(super) redirects: Mutex<Vec<String>>,
    /// The credentials that were sent, in all forms, because a server may repeat them in texts that
    /// are printed. ssh uses its own credentials, which this program never sees.
    pub(super) secrets: Mutex<Vec<Secret>>,
}

/// What the next responses contain, and how many bytes of a pack were read from the current one.
///
/// The transport meters every byte, but only the protocol reader can distinguish a pack from
/// progress text.
#[derive(Debug, Default)]
pub(super) struct Expected {
    is_pack: AtomicBool,
    pack_bytes: AtomicU64,
}

impl Expected {
    /// Announces responses with packs, or with references or capabilities.
    pub(super) fn announce(&self, is_pack: bool) {
        self.is_pack.store(is_pack, Relaxed);
    }

    /// Returns whether responses with packs were announced.
    pub(super) fn is_pack(&self) -> bool {
        self.is_pack.load(Relaxed)
    }

    /// Returns the number of bytes of packs that were read so far.
    pub(super) fn pack_bytes(&self) -> u64 {
        self.pack_bytes.load(Relaxed)
    }

    /// Counts bytes of a pack that were read.
    pub(super) fn add_pack_bytes(&self, count: usize) {
        self.pack_bytes.fetch_add(count as u64, Relaxed);
    }
}

impl Origin {
    pub(super) fn new(name: String, shared: Arc<Shared>) -> Self {
        let (expected, redirects, secrets) = Default::default();
        Self { name, shared, expected, redirects, secrets }
    }

    /// Removes credentials that were sent to the server from a text that it returned.
    pub(super) fn scrub(&self, text: &str) -> String {
        let secrets = lock(&self.secrets);
        let secrets = secrets.iter().map(Secret::expose).filter(|secret| !secret.is_empty());
        secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
    }

    /// Emits a line about this repository for `--verbose`.
    pub(super) fn log(&self, line: impl Display) {
        self.shared.verbose(&format!("{}: {line}", self.name));
    }

    /// Returns the error for a response or a pack that is longer than allowed.
    pub(super) fn too_long(&self) -> GitError {
        let limit = self.shared.options.bytes_per_fetch;
        GitError::limit(&self.name, "bytes in one fetch", "bytesPerFetch", limit)
    }

    /// Returns the error for more objects than allowed.
    pub(super) fn too_many(&self) -> GitError {
        let limit = self.shared.options.objects_per_fetch;
        GitError::limit(&self.name, "objects in one fetch", "objectsPerFetch", limit)
    }
}

impl Shared {
    pub(super) fn new(options: GitOptions) -> Self {
        Self { options, config: OnceLock::new(), client: Mutex::default() }
    }

    /// Returns the user's git configuration. If it cannot be read, it is reported and ignored.
    pub(super) fn config(&self) -> &UserConfig {
        self.config.get_or_init(|| {
            UserConfig::load(&self.options).unwrap_or_else(|cause| {
                self.verbose(&format!(
                    "ignoring the git configuration, which cannot be read: {}",
                    one_line_chain(&cause)
                ));
                UserConfig::default()
            })
        })
    }

    /// Returns the HTTP client, which is created by the first request. `url` is for messages.
    ///
    /// # Errors
    /// The configured proxy cannot be used.
    pub(super) fn client(&self, url: &str) -> Result<Arc<Client>, GitError> {
        let mut slot = lock(&self.client);
        if let Some(client) = &*slot {
            return Ok(client.clone());
        }
        let client = Arc::new(Client::new(&self.options, self.config(), url)?);
        Ok(slot.insert(client).clone())
    }

    /// Emits a line for `--verbose`.
    pub(super) fn verbose(&self, line: &str) {
        self.emit(&FetchEvent::Trace { line });
    }

    pub(super) fn emit(&self, event: &FetchEvent<'_>) {
        (self.options.progress)(event);
    }

    /// Fails if the operation was cancelled.
    pub(super) fn check(&self) -> Result<(), GitError> {
        let is_cancelled = self.options.cancellation.load(Relaxed);
        if is_cancelled { Err(GitError::Interrupted) } else { Ok(()) }
    }

    /// Waits for `time`.
    ///
    /// # Errors
    /// The operation was cancelled.
    pub(super) fn pause(&self, time: Duration) -> Result<(), GitError> {
        let begun = Instant::now();
        loop {
            self.check()?;
            let Some(left) = time.checked_sub(begun.elapsed()).filter(|left| !left.is_zero())
            else {
                return Ok(());
            };
            std::thread::sleep(left.min(POLL_INTERVAL));
        }
    }
}
