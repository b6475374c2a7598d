//! A run of the program, to be prepared.

use super::{Run, Running, Sandbox, program};
use std::{
    ffi::{OsStr, OsString},
    path::Path,
    process::Stdio,
};

/// A run of the program with a cleared environment: `PATH`, `HOME`, `HELIX_SKILLS_CACHE`, `TMPDIR`, `GIT_CONFIG_NOSYSTEM`
/// and `HELIX_SKILLS_RETRIES` are all it is given. The last is 0, so that a fault of a server shows at once; journeys about
/// retries take it away.
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

    /// Takes an environment variable away.
    #[must_use]
    pub fn without_env(mut self, name: &str) -> Self {
        self.inner.env_remove(name);
        self
    }

    /// Runs in a directory below the sandbox in place of the project.
    #[must_use]
    pub fn current_dir(mut self, path: impl AsRef<Path>) -> Self {
        self.inner.current_dir(self.sandbox.path(path));
        self
    }

    /// Ends the program before its `number`th change of the disk. Such a run may leave temporary files.
    #[must_use]
    pub fn crash_at(mut self, number: u64) -> Self {
        self.may_leave_temporary_files = true;
        self.env("HELIX_SKILLS_CRASH_AT", number.to_string())
    }

    /// Lets a change of the disk fail: `"3:28"` the third, with the operating system's error 28; `"3..:28"` that and all after
    /// it. Such a run may leave temporary files.
    #[must_use]
    pub fn fail_at(mut self, fault: &str) -> Self {
        self.may_leave_temporary_files = true;
        self.env("HELIX_SKILLS_FAIL_AT", fault)
    }

    /// Runs the program under another one, whose last argument becomes the program's path. Such a run may leave temporary
    /// files.
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

    /// Lets cargo run the program, as somebody does who types `cargo skills`.
    ///
    /// # Panics
    /// When the path of the program cannot be part of `PATH`.
    #[must_use]
    pub fn through_cargo(mut self) -> Self {
        let beside = program().parent().map(Path::to_owned).into_iter();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path =
            std::env::join_paths(beside.chain(std::env::split_paths(&path))).expect("a PATH");
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

    /// Other runs go on meanwhile, so that temporary files may be theirs.
    #[must_use]
    pub fn beside_others(mut self) -> Self {
        self.may_leave_temporary_files = true;
        self
    }

    /// What the program reads from its standard input; without it there is nothing to read.
    #[must_use]
    pub fn input(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.input = bytes.as_ref().to_owned();
        self
    }

    /// Runs the program.
    ///
    /// # Panics
    /// When it does not start, does not end, or touched anything but the project and the cache; and when a sync accepts
    /// a manifest or writes a lock that the published schemas refuse.
    #[must_use = "a run says nothing until its end is checked"]
    pub fn run(self) -> Run {
        self.start().finish()
    }

    /// Starts the program, which then goes on beside the test.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use = "a run says nothing until its end is checked"]
    pub fn start(mut self) -> Running<'a> {
        let before = self.sandbox.untouchable();
        // A group of its own, so that whatever it starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut self.inner, 0);
        let child =
            self.inner.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.unwrap_or_else(|why| panic!("cannot run {}: {why}", program().display()));
        Running::new(
            self.sandbox,
            child,
            self.arguments,
            self.input,
            before,
            self.may_leave_temporary_files,
        )
    }
}
