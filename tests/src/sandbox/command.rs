//! A run of the program, to be prepared.

use super::{Run, Sandbox, program, schema};
use std::{
    ffi::{OsStr, OsString},
    io::{Read, Write as _},
    path::Path,
    process::{Child, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A program that runs longer is killed and fails its test. Nothing else is asserted about time.
const PATIENCE: Duration = Duration::from_secs(60);

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
    pub(super) fn new<A: AsRef<OsStr>>(sandbox: &'a Sandbox, arguments: impl IntoIterator<Item = A>) -> Self {
        let arguments: Vec<OsString> = arguments.into_iter().map(|a| a.as_ref().to_owned()).collect();
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

    /// Runs the program under another one, whose last argument becomes the program's path. Such a run may leave temporary
    /// files.
    #[must_use]
    pub fn under<A: AsRef<OsStr>>(mut self, tool: &str, arguments: impl IntoIterator<Item = A>) -> Self {
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
        let path = std::env::join_paths(beside.chain(std::env::split_paths(&path))).expect("a PATH");
        let mut outer = std::process::Command::new(env!("CARGO"));
        outer.arg("skills").args(self.inner.get_args()).env_clear();
        outer.envs(self.inner.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("PATH", path);
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
    pub fn run(mut self) -> Run {
        let before = self.sandbox.untouchable();
        // A group of its own, so that whatever it starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut self.inner, 0);
        let child = self.inner.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|why| panic!("cannot run {}: {why}", program().display()));
        let mut stdin = child.stdin.take().expect("a piped input");
        let (mut stdout, mut stderr) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let input = std::mem::take(&mut self.input);
        let (status, out, err) = thread::scope(|scope| {
            scope.spawn(move || drop(stdin.write_all(&input)));
            let out = scope.spawn(move || drain(&mut stdout));
            let err = scope.spawn(move || drain(&mut stderr));
            let status = wait(&mut child);
            (status, out.join().expect("a reader"), err.join().expect("a reader"))
        });
        let run = Run::new(&self.arguments, status, out, err);
        assert!(status.is_some(), "the program did not end in {} s\n{run}", PATIENCE.as_secs());
        let mut after = self.sandbox.untouchable();
        let mut before = before;
        if self.may_leave_temporary_files {
            (before, after) = (before.without(&["tmp"]), after.without(&["tmp"]));
        }
        // The directory itself changes its time when a file comes and goes, which is what it is there for.
        let changes: Vec<_> = after.changes_since(&before).into_iter().filter(|c| c != "touched tmp").collect();
        if run.code == Some(0) && self.arguments.first().is_some_and(|word| word == "sync") {
            schema::check(&self.sandbox.project("."));
        }
        assert!(changes.is_empty(), "touched outside of the project and the cache: {changes:#?}\n{run}");
        run
    }
}

fn drain(pipe: &mut impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    drop(pipe.read_to_end(&mut bytes));
    bytes
}

/// The exit status; nothing when the program had to be killed.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let end = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait().expect("a child to wait for") {
            Some(status) => return Some(status),
            None if Instant::now() < end => thread::sleep(pause),
            None => {
                #[cfg(unix)]
                drop(std::process::Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status());
                drop(child.kill());
                drop(child.wait());
                return None;
            }
        }
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
