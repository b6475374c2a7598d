//! A configured run of the program that has not started yet.

use super::{Run, Running, Sandbox, program, running::Connected};
use std::{
    ffi::{OsStr, OsString},
    io,
    path::Path,
    process::Stdio,
};

/// A run of the program with a cleared environment.
///
/// Only `PATH`, `HOME`, `HELIX_SKILLS_CACHE`, `TMPDIR`, `GIT_CONFIG_NOSYSTEM` and
/// `HELIX_SKILLS_RETRIES` are set. The last is 0, so that a server fault shows at once; tests of
/// retries remove it.
#[derive(Debug)]
pub struct Command<'a> {
    sandbox: &'a Sandbox,
    inner: std::process::Command,
    arguments: Vec<OsString>,
    input: Vec<u8>,
    may_leave_temporary_files: bool,
}

impl<'a> Command<'a> {
    pub(super) fn new<A: AsRef<OsStr>>(
        sandbox: &'a Sandbox,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments: Vec<OsString> =
            arguments.into_iter().map(|a| a.as_ref().to_owned()).collect();
        let mut inner = std::process::Command::new(program());
        inner.args(&arguments).current_dir(sandbox.path("project")).env_clear();
        inner.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        inner.env("HOME", sandbox.path("home")).env("HELIX_SKILLS_CACHE", sandbox.path("cache"));
        inner.env("TMPDIR", sandbox.path("tmp")).env("GIT_CONFIG_NOSYSTEM", "1");
        inner.env("HELIX_SKILLS_RETRIES", "0");
        Self { sandbox, inner, arguments, input: Vec::new(), may_leave_temporary_files: false }
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.inner.env(name, value);
        self
    }

    /// Removes an environment variable.
    #[must_use]
    pub fn without_env(mut self, name: &str) -> Self {
        self.inner.env_remove(name);
        self
    }

    /// Runs in a directory of the sandbox instead of the project.
    #[must_use]
    pub fn current_dir(mut self, path: impl AsRef<Path>) -> Self {
        self.inner.current_dir(self.sandbox.path(path));
        self
    }

    /// Aborts the program before its `number`th change to the disk. The run may leave temporary
    /// files.
    #[must_use]
    pub fn crash_at(mut self, number: u64) -> Self {
        self.may_leave_temporary_files = true;
        self.env("HELIX_SKILLS_CRASH_AT", number.to_string())
    }

    /// Makes changes to the disk fail: `"3:28"` fails the third with OS error 28, `"3..:28"` the
    /// third and all later ones. The run may leave temporary files.
    #[must_use]
    pub fn fail_at(mut self, fault: &str) -> Self {
        self.may_leave_temporary_files = true;
        self.env("HELIX_SKILLS_FAIL_AT", fault)
    }

    /// Runs the program under `tool`, which gets the program's path and arguments as its last
    /// arguments. The run may leave temporary files.
    #[must_use]
    pub fn under<A: AsRef<OsStr>>(
        mut self,
        tool: &str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let mut outer = std::process::Command::new(tool);
        outer.args(arguments).arg(program()).args(self.inner.get_args()).env_clear();
        outer.envs(self.inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(directory) = self.inner.get_current_dir() {
            outer.current_dir(directory);
        }
        self.inner = outer;
        self.may_leave_temporary_files = true;
        self
    }

    /// Runs the program as the cargo subcommand `cargo skills`.
    ///
    /// # Panics
    /// If the program's path cannot be part of `PATH`.
    #[must_use]
    pub fn via_cargo(self) -> Self {
        self.via_cargo_in(&std::env::var_os("PATH").unwrap_or_default())
    }

    /// Like [`via_cargo`](Self::via_cargo), with another `PATH`, after whose first directory that
    /// of the program is searched.
    #[must_use]
    pub fn via_cargo_in(mut self, path: &OsStr) -> Self {
        let directory = program().parent().map(Path::to_owned);
        let mut directories = std::env::split_paths(path);
        let first = directories.next().into_iter();
        let directories = first.chain(directory).chain(directories);
        let path = std::env::join_paths(directories).expect("a PATH");
        let mut outer = std::process::Command::new(env!("CARGO"));
        outer.arg("skills").args(self.inner.get_args()).env_clear();
        outer
            .envs(self.inner.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .env("PATH", path);
        if let Some(directory) = self.inner.get_current_dir() {
            outer.current_dir(directory);
        }
        self.inner = outer;
        self
    }

    /// Allows temporary files of other runs that are in progress at the same time.
    #[must_use]
    pub fn alongside_others(mut self) -> Self {
        self.may_leave_temporary_files = true;
        self
    }

    /// Sets the standard input, which is empty by default.
    #[must_use]
    pub fn input(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.input = bytes.as_ref().to_owned();
        self
    }

    /// Runs the program to its end.
    ///
    /// # Panics
    /// If it does not start, does not end, or changes anything except the project and the cache; or
    /// if a successful sync leaves a manifest or lockfile that the published schemas reject.
    #[must_use = "check the result of the run"]
    pub fn run(self) -> Run {
        self.start().finish()
    }

    /// Starts the program without waiting for its end.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use = "check the result of the run"]
    pub fn start(self) -> Running<'a> {
        self.spawn(|command| {
            let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.stderr(Stdio::piped()).spawn()?;
            let stdin = child.stdin.take().expect("a piped input");
            let stdout = child.stdout.take().expect("a piped output");
            let stderr = child.stderr.take().expect("a piped output");
            Ok(Connected {
                child,
                input: Box::new(stdin),
                is_terminal: false,
                output: [Box::new(stdout), Box::new(stderr)],
            })
        })
    }

    /// Starts the program in a terminal of this width, which its input and outputs are connected
    /// to. All that the terminal gets is in the run's `stdout`, with LF as line ends.
    ///
    /// # Panics
    /// If it does not start.
    #[cfg(unix)]
    #[must_use = "check the result of the run"]
    pub fn in_terminal(self, columns: u16) -> Running<'a> {
        self.env("TERM", "xterm").spawn(|command| super::terminal::spawn(command, columns))
    }

    fn spawn(
        mut self,
        spawn: impl FnOnce(&mut std::process::Command) -> io::Result<Connected>,
    ) -> Running<'a> {
        let before = self.sandbox.protected_files();
        // A process group of its own, so that its child processes can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut self.inner, 0);
        let connected = spawn(&mut self.inner);
        let connected =
            connected.unwrap_or_else(|why| panic!("failed to run {}: {why}", program().display()));
        // The terminal's other end closes with the last copy of its descriptor.
        self.inner.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Running::new(
            self.sandbox,
            connected,
            self.arguments,
            self.input,
            before,
            self.may_leave_temporary_files,
        )
    }
}
