//! The shell of this system.

use crate::{Environment, process::Process};
use helix_skills_agent::{
    Pending,
    live::{ProcessOutput, Shell, ShellCommand, Timer},
};
use std::{path::PathBuf, time::Instant};

/// `/bin/sh` of this machine, on Linux and macOS, with the rights of the user that the agent runs as: no sandbox.
///
/// - A skill with `shell: bash` in its frontmatter gets the `bash` of the `PATH`.
/// - Commands see of the agent's environment what [`Environment`] passes on, and have nothing to read.
/// - Both outputs arrive as one text. Over the limit it is left out, and the command goes on.
/// - A command that is over, whose time is up, or that nobody waits for any more is killed with everything it has started and
///   left in its process group, in the background too. What starts a group of its own (`setsid`, `set -m`) escapes.
/// - It waits on a thread of its own, for a command at a time: any executor will do.
///
/// ```
/// use helix_skills_host::{Environment, SystemShell};
/// let shell = SystemShell::new().environment(Environment::new().pass("SSH_AUTH_SOCK"));
/// ```
#[derive(Clone, Debug)]
pub struct SystemShell {
    program: Option<PathBuf>,
    environment: Environment,
}

impl Default for SystemShell {
    fn default() -> Self {
        Self::new()
    }
}

impl SystemShell {
    /// `/bin/sh`, or `bash` for skills that ask for it.
    #[must_use]
    pub fn new() -> Self {
        Self { program: None, environment: Environment::new() }
    }

    /// The `bash` of the `PATH`, for every skill.
    #[must_use]
    pub fn bash() -> Self {
        Self::with_program("bash")
    }

    /// The program at this path, or of this name in the `PATH`, for every skill: it takes `-c -- COMMAND`, and reads it as `sh` does.
    #[must_use]
    pub fn with_program(program: impl Into<PathBuf>) -> Self {
        Self { program: Some(program.into()), environment: Environment::new() }
    }

    /// What commands see of the agent's environment.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    fn program(&self, dialect: Option<&str>) -> PathBuf {
        let usual = || PathBuf::from(if dialect == Some("bash") { "bash" } else { "/bin/sh" });
        self.program.clone().unwrap_or_else(usual)
    }
}

impl Shell for SystemShell {
    fn run<'s>(&'s self, command: ShellCommand<'s>) -> Pending<'s, ProcessOutput> {
        Box::pin(async move {
            let set = command.environment.iter();
            let environment =
                set.fold(self.environment.clone(), |all, (name, value)| all.set(name, value));
            // After `--` a command that begins with a hyphen is no option.
            let process = Process::new(self.program(command.dialect))
                .arguments(["-c", "--", command.text])
                .environment(environment)
                .time_limit(command.time_limit)
                .output_limit(command.output_limit);
            let process = match command.directory {
                Some(directory) => process.directory(directory),
                None => process,
            };
            Ok(process.run().await?)
        })
    }

    fn start_timer(&self) -> Timer {
        let start = Instant::now();
        Box::new(move || start.elapsed())
    }
}
