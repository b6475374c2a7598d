//! The one http client of the program.

use std::sync::{Mutex, PoisonError};

use reqwest::blocking::Client;

use super::Options;
use super::error::{Cause, GitError};

/// Forges look for `git/` at the start.
const USER_AGENT: &str = concat!("git/helix-skills-", env!("CARGO_PKG_VERSION"));

/// The one http client, made when the first request needs it: making it reads the machine's certificates.
#[derive(Clone, Default)]
pub(super) struct SharedClient(std::sync::Arc<Mutex<Option<Client>>>);

impl SharedClient {
    /// The client, sharing its connections with all other uses. `url` is for the message.
    ///
    /// # Errors
    /// There are no certificates on this machine.
    pub(super) fn get(&self, options: &Options, url: &str) -> Result<Client, GitError> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = &*slot {
            return Ok(client.clone());
        }
        // An error says that somebody else has chosen one already, which does as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(options.connect_timeout)
            // For each answer to begin, and then for each read of it.
            .timeout(options.stall_timeout)
            // Redirects are followed by `Wire`, which knows where credentials may go.
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .build()
            .map_err(|error| GitError::Network {
                url: url.to_owned(),
                problem: "no http client can be made".to_owned(),
                hint: Some(
                    "install the system's certificates (`ca-certificates`), or name a file of them in SSL_CERT_FILE",
                ),
                source: Some(Cause::of(&error)),
            })?;
        Ok(slot.insert(client).clone())
    }
}
