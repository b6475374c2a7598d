//! Repositories over the user's `ssh` program, with the user's keys, agent and configuration.

mod command;
mod exit;
mod process;

use std::io::Read;
use std::sync::Arc;

use super::error::GitError;
use super::shared::Origin;
use command::Target;

/// Sends a request to a process.
pub(super) type Input = Box<dyn FnMut(Vec<u8>) + Send>;

/// Starts `ssh`, which serves all requests of a conversation. Returns its output and input.
///
/// # Errors
/// The program does not exist, or does not support what the URL needs.
pub(super) fn open(
    origin: &Arc<Origin>,
    url: &str,
) -> Result<(impl Read + Send + use<>, Input), GitError> {
    origin.shared.check()?;
    let target = Target::parse(url).ok_or_else(|| {
        GitError::network(&origin.name, "the URL cannot be passed to ssh")
            .with_hint("write `ssh://user@host:port/path` or `user@host:path`")
    })?;
    process::start(origin, &target)
}
