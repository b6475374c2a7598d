//! Programs that run beside the agent, each ended with everything that it has started.
//!
//! A program gets its arguments as they are, without a shell between; nothing to read; of the agent's environment what
//! [`Environment`] passes on; and a process group of its own ([`group`]). What it says, on both outputs, arrives through one
//! pipe in the order it was said. Over the limit it is read and thrown away: the program goes on as if somebody listened,
//! and ends as it would have ended.
//!
//! Of every run that is over, for whatever reason, the whole group is killed: the program has ended (what it left in the background
//! goes, too), its time is up, or nobody waits for it any more. There is no polite signal before: what may be killed at any moment
//! by a crash has to bear it. Who leaves the group on purpose (`setsid`, `set -m`) escapes, and is not waited for.

#![cfg_attr(not(unix), allow(dead_code, reason = "nothing is run"))]

#[cfg(unix)]
mod captured;
mod environment;
mod error;
#[cfg(unix)]
mod group;
#[cfg(unix)]
mod watch;

pub use environment::Environment;
pub use error::ProcessError;

use helix_skills_agent::live::ProcessOutput;
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// How long one may run, unless somebody says otherwise.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(10);

/// How many bytes of what it says are kept, unless somebody says otherwise.
pub(crate) const OUTPUT_LIMIT: usize = 30_000;

/// A program to run: what, where, with which environment, and for how long at most.
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
    /// The program at a path, or of a name that is looked for in `PATH`; a relative path begins in the agent's directory, wherever the
    /// program is to run. It runs in the agent's directory, for 10 seconds and 30,000 bytes at
    /// most.
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

    /// With these arguments, behind those that were given before.
    pub(crate) fn arguments<A: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// In this directory.
    pub(crate) fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// With this environment.
    pub(crate) fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// For so long at most.
    pub(crate) fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// So many bytes of what it says are kept.
    pub(crate) fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// Runs it on a thread of its own, and waits without keeping a thread of the caller: any executor will do. A future that is
    /// dropped kills what runs before `drop` returns.
    ///
    /// # Errors
    /// When it cannot be started. How it ended is no error but part of the [output](ProcessOutput::exit).
    #[cfg(unix)]
    pub(crate) async fn run(self) -> Result<ProcessOutput, ProcessError> {
        let (sender, receiver) = futures_channel::oneshot::channel();
        let group = group::Group::new();
        let _ended = group.ended_on_drop();
        let program = self.program.clone();
        let thread = std::thread::Builder::new().name("skill process".to_owned());
        let started =
            thread.spawn(move || watch::watch(&self, &group, |outcome| drop(sender.send(outcome))));
        started.map_err(|source| ProcessError::Start { program: program.clone(), source })?;
        receiver.await.unwrap_or(Err(ProcessError::Lost { program }))
    }

    /// There is no such thing here.
    #[cfg(not(unix))]
    pub(crate) async fn run(self) -> Result<ProcessOutput, ProcessError> {
        Err(ProcessError::Unsupported { program: self.program })
    }
}
