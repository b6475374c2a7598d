//! A run of the program that is in progress.

use super::{Run, Sandbox, Snapshot, schema};
use std::{
    ffi::OsString,
    io::{Read, Write as _},
    process::{Child, Command, ExitStatus},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Maximum run time: a program that runs longer is killed and fails its test. No test asserts on
/// time otherwise.
const RUN_TIMEOUT: Duration = Duration::from_secs(60);

/// A run of the program that is in progress. It is killed on drop.
#[derive(Debug)]
pub struct Running<'a> {
    sandbox: &'a Sandbox,
    child: Child,
    output: [Pipe; 2],
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
        let output = [
            Pipe::drain(child.stdout.take().expect("a piped output")),
            Pipe::drain(child.stderr.take().expect("a piped output")),
        ];
        Self { sandbox, child, output, arguments, before, may_leave_temporary_files }
    }

    /// Sends the program, but not its child processes, a signal such as `INT`. Does nothing if the
    /// program has ended.
    ///
    /// # Panics
    /// If signals cannot be sent.
    pub fn signal(&mut self, name: &str) {
        // The process id stays valid until the process is waited for.
        let status =
            Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(status.expect("kill runs").success(), "failed to send a signal");
    }

    /// Waits until stderr contains `text`.
    ///
    /// # Panics
    /// If it never does, or the program ends before.
    pub fn wait_for_stderr(&mut self, text: &str) {
        let said = Arc::clone(&self.output[1].bytes);
        let has_said = || String::from_utf8_lossy(&said.lock().expect("a reader")).contains(text);
        self.wait_until(&format!("it says `{text}`"), has_said);
    }

    /// Waits until `is_so` returns `true` while the program runs.
    ///
    /// # Panics
    /// If it never does, or the program ends before.
    pub fn wait_until(&mut self, what: &str, is_so: impl Fn() -> bool) {
        let end = Instant::now() + RUN_TIMEOUT;
        while !is_so() {
            let has_ended = self.child.try_wait().expect("a child to wait for").is_some();
            assert!(!has_ended || is_so(), "the program ended before: {what}");
            assert!(Instant::now() < end, "not in {} s: {what}", RUN_TIMEOUT.as_secs());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for the end of the program.
    ///
    /// # Panics
    /// If it does not end, or changes anything except the project and the cache; or if a successful
    /// sync leaves a manifest or lockfile that the published schemas reject.
    #[must_use = "check the result of the run"]
    pub fn finish(mut self) -> Run {
        let status = wait(&mut self.child);
        let [stdout, stderr] = self.output.each_mut().map(Pipe::take);
        let run = Run::new(&self.arguments, status, stdout, stderr);
        assert!(status.is_some(), "the program did not end in {} s\n{run}", RUN_TIMEOUT.as_secs());
        let (mut before, mut after) =
            (std::mem::take(&mut self.before), self.sandbox.protected_files());
        if self.may_leave_temporary_files {
            (before, after) = (before.without(&["tmp"]), after.without(&["tmp"]));
        }
        // Temporary files change the modification time of their directory; that is allowed.
        let changes: Vec<_> =
            after.changes_since(&before).into_iter().filter(|c| c != "touched tmp").collect();
        if run.code == Some(0) && self.arguments.first().is_some_and(|word| word == "sync") {
            schema::check(&self.sandbox.project("."));
        }
        assert!(
            changes.is_empty(),
            "changes outside the project and the cache: {changes:#?}\n{run}"
        );
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

/// The output of a program, read by a thread.
#[derive(Debug)]
struct Pipe {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Pipe {
    fn drain(mut pipe: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let mut some = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut some) {
                all.lock().expect("no reader panics").extend(&some[..count]);
            }
        });
        Self { bytes, reader: Some(reader) }
    }

    /// Waits for the end of the output and returns all of it.
    fn take(&mut self) -> Vec<u8> {
        if let Some(reader) = self.reader.take() {
            reader.join().expect("a reader");
        }
        std::mem::take(&mut self.bytes.lock().expect("no reader panics"))
    }
}

/// Waits for the program and returns its exit status, or `None` if it had to be killed.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let end = Instant::now() + RUN_TIMEOUT;
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

/// Kills a program and its child processes.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    drop(Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status());
    drop(child.kill());
    drop(child.wait());
}
