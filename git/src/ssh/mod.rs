//! Repositories over the user's `ssh` program, with the user's keys, agent and configuration.

mod command;
mod exit;
mod process;

use std::io::Read;
use std::sync::Arc;

use super::connector::Input;
use super::error::GitError;
use super::meter::Expected;
use super::shared::Shared;
use command::Target;

/// A repository that is accessed over ssh.
pub(super) struct Ssh {
    shared: Arc<Shared>,
    /// The repository's name in messages.
    name: String,
    url: String,
    /// What the responses contain.
    pub(super) expected: Arc<Expected>,
}

impl Ssh {
    /// Creates the repository. `name` is its name in messages.
    pub(super) fn new(shared: Arc<Shared>, name: String, url: String) -> Self {
        Self { shared, name, url, expected: Arc::default() }
    }

    /// Starts `ssh`, which serves all requests of a conversation. Returns its output and input.
    ///
    /// # Errors
    /// The program does not exist, or does not support what the URL needs.
    pub(super) fn open(self: &Arc<Self>) -> Result<(impl Read + Send + use<>, Input), GitError> {
        self.shared.check()?;
        let target = Target::parse(&self.url).ok_or_else(|| {
            GitError::network(&self.name, "the URL cannot be passed to ssh")
                .with_hint("write `ssh://user@host:port/path` or `user@host:path`")
        })?;
        process::start(self, &target)
    }
}
