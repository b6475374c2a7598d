//! Running programs, each of which is killed together with everything it has started.
//!
//! A program gets its arguments unchanged, without a shell, empty input, the environment variables
//! that [`Environment`] passes on, and its own process group ([`group`]). Standard output and
//! standard error arrive through one pipe, in the order of writing. Output over the limit is read
//! and dropped, because killing the program would change what it does; it continues and ends as it
//! would otherwise.
//!
//! The whole group is killed when the program ends (including what it left in the background), when
//! its time is up, or when its future is dropped. It is killed without a prior signal, because a
//! program must survive being killed by a crash anyway. A process that leaves the group (`setsid`,
//! `set -m`) escapes and is not waited for.

#![cfg_attr(not(unix), allow(dead_code, reason = "programs only run on Unix"))]

#[cfg(unix)]
mod captured;
mod environment;
mod error;
#[cfg(unix)]
mod group;
#[cfg(unix)]
mod watch;

pub use environment::Environment;
pub(crate) use error::ProcessProblem;

use helix_skills_agent::shell::ProcessOutput;
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// Default time limit.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Default number of output bytes that are kept.
pub(crate) const OUTPUT_LIMIT: usize = 30_000;

/// A program to run, with its arguments, directory, environment and limits.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    program: PathBuf,
    arguments: Vec<OsString>,
    directory: Option<PathBuf>,
    environment: Environment,
    time_limit: Duration,
    output_limit: usize,
}

impl Process {
    /// Creates a process for a program: a path, or a name that is searched in `PATH`. A relative
    /// path is resolved in the agent's directory, wherever the program runs. By default, it runs in
    /// the agent's directory, for at most 10 seconds, and 30,000 bytes of output are kept.
    pub(crate) fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            directory: None,
            environment: Environment::new(),
            time_limit: TIME_LIMIT,
            output_limit: OUTPUT_LIMIT,
        }
    }

    /// Appends arguments.
    pub(crate) fn arguments<A: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets the working directory.
    pub(crate) fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// Sets the environment.
    pub(crate) fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// Sets the time limit.
    pub(crate) fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Sets how many bytes of output are kept.
    pub(crate) fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// Runs the program and waits for it on a separate thread, so that any executor works. Dropping
    /// the future kills the process group before `drop` returns.
    ///
    /// # Errors
    /// If it cannot be started. How it ended is part of the [output](ProcessOutput::exit), not an
    /// error.
    #[cfg(unix)]
    pub(crate) async fn run(self) -> Result<ProcessOutput, ProcessProblem> {
        let (sender, receiver) = futures_channel::oneshot::channel();
        let group = group::ProcessGroup::new();
        let _kill_on_drop = group.kill_on_drop();
        let program = self.program.clone();
        let thread = std::thread::Builder::new().name("skill process".to_owned());
        let started =
            thread.spawn(move || watch::watch(&self, &group, |outcome| drop(sender.send(outcome))));
        started.map_err(|source| ProcessProblem::Start { program: program.clone(), source })?;
        receiver.await.unwrap_or(Err(ProcessProblem::Lost { program }))
    }

    /// Fails, because programs only run on Unix.
    #[cfg(not(unix))]
    pub(crate) async fn run(self) -> Result<ProcessOutput, ProcessProblem> {
        Err(ProcessProblem::Unsupported { program: self.program })
    }
}
