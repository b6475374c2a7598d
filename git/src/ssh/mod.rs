//! Repositories over the user's `ssh` program, with the user's keys, agent and configuration.

mod command;
mod exit;
mod process;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gix::protocol::transport::Protocol;
use gix::protocol::transport::client::git::ConnectMode;
use gix::protocol::transport::client::git::blocking_io::Connection;

use super::error::GitError;
use super::meter::Expected;
use super::shared::Shared;
use super::transport::Transport;
use command::Target;

/// A repository that is accessed over ssh.
pub(super) struct Ssh {
    shared: Arc<Shared>,
    /// The repository's name in messages.
    name: String,
    url: String,
    failure: Mutex<Option<GitError>>,
    /// What the responses contain.
    pub(super) expected: Arc<Expected>,
}

impl Ssh {
    /// Creates the repository. `name` is its name in messages.
    pub(super) fn new(shared: Arc<Shared>, name: String, url: String) -> Self {
        Self { shared, name, url, failure: Mutex::default(), expected: Arc::default() }
    }

    /// Starts `ssh`, which serves all requests of a conversation.
    ///
    /// # Errors
    /// The program does not exist, or does not support what the URL needs.
    pub(super) fn open(self: &Arc<Self>) -> Result<Transport, GitError> {
        self.shared.check()?;
        let target = Target::parse(&self.url).ok_or_else(|| {
            GitError::network(&self.name, "the URL cannot be passed to ssh")
                .with_hint("write `ssh://user@host:port/path` or `user@host:path`")
        })?;
        let (reader, writer) = process::start(self, &target)?;
        let host = None::<(String, Option<u16>)>;
        let connection = Connection::new(
            reader,
            writer,
            Protocol::V2,
            self.url.as_str(),
            host,
            ConnectMode::Process,
            false,
        );
        Ok(Box::new(connection))
    }

    /// Returns why the last request failed, if `ssh` failed.
    pub(super) fn take_failure(&self) -> Option<GitError> {
        self.failure().take()
    }

    fn fail(&self, error: GitError) -> std::io::Error {
        self.failure().get_or_insert(error);
        std::io::Error::other("the request failed")
    }

    fn failure(&self) -> MutexGuard<'_, Option<GitError>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
