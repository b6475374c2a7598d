//! Running programs, each of which is killed together with everything it has started.
//!
//! A program gets its arguments unchanged, without a shell, empty input, the environment variables
//! that [`Environment`] passes on, and its own process group, which on Windows is a job object.
//! Standard output and standard error arrive through one pipe, in the order of writing. Output over
//! the limit is read and dropped, because killing the program would change what it does; it
//! continues and ends as it would otherwise.
//!
//! The whole group is killed when the program ends (including what it left in the background), when
//! its time is up, or when its future is dropped. It is killed without a prior signal, because a
//! program must survive being killed by a crash anyway. On Unix, a process that leaves the group
//! (`setsid`, `set -m`) escapes and is not waited for; no process leaves a job.

mod captured;
mod environment;
#[cfg(test)]
mod tests;
#[cfg(unix)]
mod unix;
mod watch;
#[cfg(windows)]
mod windows;

pub use environment::Environment;

#[cfg(unix)]
use self::unix as system;
#[cfg(windows)]
use self::windows as system;

use crate::{
    Error, ErrorKind,
    error::{Problem, display_path},
};
use helix_skills_agent::shell::ProcessOutput;
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// Number of bytes per read.
const READ_BYTES: usize = 16 * 1024;

/// A program to run.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// A path, or a name that is searched in `PATH`. A relative path is resolved in the agent's
    /// directory, wherever the program runs.
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// The working directory; if `None`, the agent's.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) environment: Environment,
    pub(crate) time_limit: Duration,
    /// Number of output bytes that are kept.
    pub(crate) output_limit: usize,
}

impl Process {
    /// Runs the program and waits for it on a separate thread, so that any executor works. Dropping
    /// the future kills the process group before `drop` returns.
    ///
    /// # Errors
    /// If it cannot be started. How it ended is part of the [output](ProcessOutput::exit), not an
    /// error.
    pub(crate) async fn run(self) -> Result<ProcessOutput, Error> {
        let (sender, receiver) = futures_channel::oneshot::channel();
        let group = system::ProcessGroup::new();
        let _kill_on_drop = KillOnDrop(group.clone());
        let program = self.program.clone();
        let thread = std::thread::Builder::new().name("skill process".to_owned());
        let started =
            thread.spawn(move || watch::watch(&self, &group, |outcome| drop(sender.send(outcome))));
        started.map_err(|source| Problem::Start { source }.at(&program))?;
        receiver.await.unwrap_or_else(|_| Err(lost(&program)))
    }
}

/// A guard that kills a group on drop. After that, nothing can be started in it.
struct KillOnDrop(system::ProcessGroup);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.0.kill();
    }
}

/// Returns the error for an exit status that was lost: another part of this process waited for it,
/// or a thread panicked.
fn lost(program: &std::path::Path) -> Error {
    let shown = display_path(program);
    let message = format!(
        "failed to get the exit status of `{shown}`: another part of this program has waited for it"
    );
    let hint = "make sure that nothing in this process waits for all children or ignores `SIGCHLD`";
    Problem::other(ErrorKind::Failed, message, hint).at(program)
}
