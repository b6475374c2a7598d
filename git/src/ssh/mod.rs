//! Repositories behind the `ssh` program: the user's own, with the user's keys, agent and configuration.

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

/// The way to one repository over ssh.
pub(super) struct Ssh {
    shared: Arc<Shared>,
    /// For messages.
    name: String,
    url: String,
    failure: Mutex<Option<GitError>>,
    /// What the answers hold.
    pub(super) expected: Arc<Expected>,
}

impl Ssh {
    /// `name` is how messages call the repository.
    pub(super) fn new(shared: Arc<Shared>, name: String, url: String) -> Self {
        Self { shared, name, url, failure: Mutex::default(), expected: Arc::default() }
    }

    /// Starts `ssh`. One serves all requests of a conversation.
    ///
    /// # Errors
    /// There is no such program, or the url asks of it what it cannot do.
    pub(super) fn open(self: &Arc<Self>) -> Result<Transport, GitError> {
        self.shared.check()?;
        let target = Target::parse(&self.url).ok_or_else(|| {
            GitError::network(&self.name, "the url cannot be given to ssh")
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

    /// Why the last request failed, if it was ssh that did.
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
