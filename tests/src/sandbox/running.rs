//! A run of the program that goes on.

use super::{Run, Sandbox, Snapshot, schema};
use std::{
    ffi::OsString,
    io::{Read, Write as _},
    process::{Child, Command, ExitStatus},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// A program that runs longer is killed and fails its test. Nothing else is asserted about time.
const PATIENCE: Duration = Duration::from_secs(60);

/// A run of the program that goes on. One that is dropped is killed.
#[derive(Debug)]
pub struct Running<'a> {
    sandbox: &'a Sandbox,
    child: Child,
    pipes: Option<[JoinHandle<Vec<u8>>; 2]>,
    arguments: Vec<OsString>,
    before: Snapshot,
    may_leave_temporary_files: bool,
}

impl<'a> Running<'a> {
    pub(super) fn new(
        sandbox: &'a Sandbox,
        mut child: Child,
        arguments: Vec<OsString>,
        input: Vec<u8>,
        before: Snapshot,
        may_leave_temporary_files: bool,
    ) -> Self {
        let mut stdin = child.stdin.take().expect("a piped input");
        thread::spawn(move || drop(stdin.write_all(&input)));
        let (stdout, stderr) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let pipes = Some([thread::spawn(move || drain(stdout)), thread::spawn(move || drain(stderr))]);
        Self { sandbox, child, pipes, arguments, before, may_leave_temporary_files }
    }

    /// Sends the program a signal, such as `INT`; to itself, not to what it has started.
    ///
    /// # Panics
    /// When it has ended.
    pub fn signal(&mut self, name: &str) {
        assert!(self.child.try_wait().expect("a child to wait for").is_none(), "the program has ended");
        let status = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(status.expect("kill runs").success(), "the program can be signalled");
    }

    /// Waits until something is so while the program runs.
    ///
    /// # Panics
    /// When it does not become so, or the program ends before.
    pub fn wait_until(&mut self, what: &str, is_so: impl Fn() -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_so() {
            assert!(self.child.try_wait().expect("a child to wait for").is_none(), "the program ended before {what}");
            assert!(Instant::now() < end, "not in {} s: {what}", PATIENCE.as_secs());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for the end of the program.
    ///
    /// # Panics
    /// When it does not end, or touched anything but the project and the cache; and when a sync accepts a manifest or
    /// writes a lock that the published schemas refuse.
    #[must_use = "a run says nothing until its end is checked"]
    pub fn finish(mut self) -> Run {
        let status = wait(&mut self.child);
        let pipes = self.pipes.take().expect("the pipes of a run that goes on");
        let [stdout, stderr] = pipes.map(|pipe| pipe.join().expect("a reader"));
        let run = Run::new(&self.arguments, status, stdout, stderr);
        assert!(status.is_some(), "the program did not end in {} s\n{run}", PATIENCE.as_secs());
        let (mut before, mut after) = (std::mem::take(&mut self.before), self.sandbox.untouchable());
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

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            kill(&mut self.child);
        }
    }
}

fn drain(mut pipe: impl Read) -> Vec<u8> {
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
                kill(child);
                return None;
            }
        }
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Ends a program and what it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    drop(Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status());
    drop(child.kill());
    drop(child.wait());
}
