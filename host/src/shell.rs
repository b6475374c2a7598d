//! The shell of the operating system.

use crate::{Environment, process::Process};
use helix_skills_agent::{
    BoxFuture,
    shell::{ProcessOutput, Shell, ShellCommand},
};
use std::{ffi::OsString, path::PathBuf};

/// Runs commands with `/bin/sh`, with the permissions of the user that the agent runs as and
/// without a sandbox. On Windows, `sh` from the `PATH` is used, such as that of Git for Windows.
///
/// - For skills with `shell: bash` in their frontmatter, `bash` from the `PATH` is used.
/// - Commands get the variables that [`Environment`] passes on, and empty input.
/// - Standard output and standard error are one text. Output over the limit is dropped, and the
///   command continues.
/// - When a command ends or exceeds its time limit, or its future is dropped, it is killed together
///   with everything it started in its process group, also in the background. A process that
///   creates a group of its own (`setsid`, `set -m`) escapes. On Windows the group is a job object,
///   which no process leaves.
/// - Each command is awaited on a separate thread, so that any executor works.
///
/// ```
/// use helix_skills_host::{Environment, SystemShell};
/// let shell = SystemShell::new().environment(Environment::new().pass("SSH_AUTH_SOCK"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct SystemShell {
    program: Option<PathBuf>,
    environment: Environment,
}

impl SystemShell {
    /// Uses `/bin/sh` (`sh` on Windows), or `bash` for skills that ask for it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses this program for every skill: a path, or a name that is searched in `PATH`. It must
    /// accept `-c -- COMMAND` and interpret the command as `sh` does.
    #[must_use]
    pub fn with_program(program: impl Into<PathBuf>) -> Self {
        Self { program: Some(program.into()), environment: Environment::new() }
    }

    /// Sets which environment variables commands get.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    fn program(&self, dialect: Option<&str>) -> PathBuf {
        let default = || match dialect {
            Some("bash") => "bash",
            _ if cfg!(windows) => "sh",
            _ => "/bin/sh",
        };
        self.program.clone().unwrap_or_else(|| default().into())
    }
}

impl Shell for SystemShell {
    fn run<'s>(&'s self, command: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput> {
        Box::pin(async move {
            let set = command.environment.iter();
            let process = Process {
                program: self.program(command.dialect),
                // After `--`, a command that begins with a hyphen is not an option.
                arguments: ["-c", "--", command.text].map(OsString::from).into(),
                directory: command.directory.map(PathBuf::from),
                environment: set
                    .fold(self.environment.clone(), |all, (name, value)| all.set(name, value)),
                time_limit: command.time_limit,
                output_limit: command.output_limit,
            };
            Ok(process.run().await?)
        })
    }
}
