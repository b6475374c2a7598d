//! What all repositories share: options, the user's configuration, the http client.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use helix_skills_format::__internal::one_line_chain;

use super::GitOptions;
use super::client::Client;
use super::error::GitError;
use super::user_config::UserConfig;
use super::wait::POLL_INTERVAL;
use crate::FetchEvent;

/// What all repositories share. Threads may use it at once.
pub(super) struct Shared {
    pub(super) options: GitOptions,
    /// Read when first needed.
    pub(super) config: OnceLock<UserConfig>,
    /// Made when first needed.
    client: Mutex<Option<Arc<Client>>>,
}

impl Shared {
    pub(super) fn new(options: GitOptions) -> Self {
        Self { options, config: OnceLock::new(), client: Mutex::default() }
    }

    /// The user's git configuration. One that cannot be read is mentioned and ignored.
    pub(super) fn config(&self) -> &UserConfig {
        self.config.get_or_init(|| {
            UserConfig::load(&self.options).unwrap_or_else(|cause| {
                self.verbose(&format!(
                    "the git configuration cannot be read and is ignored: {}",
                    one_line_chain(&cause)
                ));
                UserConfig::default()
            })
        })
    }

    /// The http client, made by the first request: making it reads the machine's certificates. `url` is for the message.
    ///
    /// # Errors
    /// There are no certificates on this machine, or the configured proxy or certificates cannot be used.
    pub(super) fn client(&self, url: &str) -> Result<Arc<Client>, GitError> {
        let mut slot = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = &*slot {
            return Ok(client.clone());
        }
        let client = Arc::new(Client::new(&self.options, self.config(), url)?);
        Ok(slot.insert(client).clone())
    }

    /// A line for `--verbose`.
    pub(super) fn verbose(&self, line: &str) {
        self.emit(&FetchEvent::Trace { line });
    }

    pub(super) fn emit(&self, event: &FetchEvent<'_>) {
        self.options.progress.on(event);
    }

    /// Whether the caller asked to stop.
    pub(super) fn is_cancelled(&self) -> bool {
        self.options.cancellation.load(Ordering::Relaxed)
    }

    /// # Errors
    /// Somebody asked to stop.
    pub(super) fn check(&self) -> Result<(), GitError> {
        if self.is_cancelled() { Err(GitError::Interrupted) } else { Ok(()) }
    }

    /// Waits.
    ///
    /// # Errors
    /// Somebody asked to stop.
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
