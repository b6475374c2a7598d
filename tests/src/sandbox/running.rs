//! A run of the program that is in progress.

use super::{Run, Sandbox, Snapshot, schema};
use std::{
    ffi::OsString,
    fmt,
    io::{Read, Write},
    process::{Child, Command, ExitStatus},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Maximum run time: a program that runs longer is killed and fails its test. No test asserts on
/// time otherwise.
const RUN_TIMEOUT: Duration = Duration::from_secs(60);

/// A started program with its input and outputs.
pub(super) struct Connected {
    pub(super) child: Child,
    pub(super) input: Box<dyn Write + Send>,
    pub(super) is_terminal: bool,
    /// Standard output and standard error; of a terminal, its screen and nothing.
    pub(super) output: [Box<dyn Read + Send>; 2],
}

/// A run of the program that is in progress. It is killed on drop.
pub struct Running<'a> {
    sandbox: &'a Sandbox,
    child: Child,
    /// The terminal's keyboard; `None` if the input is a pipe, which was closed after the input.
    keyboard: Option<Box<dyn Write + Send>>,
    output: [Pipe; 2],
    arguments: Vec<OsString>,
    before: Snapshot,
    may_leave_temporary_files: bool,
}

impl<'a> Running<'a> {
    pub(super) fn new(
        sandbox: &'a Sandbox,
        Connected { child, input: mut stdin, is_terminal, output }: Connected,
        arguments: Vec<OsString>,
        typed: Vec<u8>,
        before: Snapshot,
        may_leave_temporary_files: bool,
    ) -> Self {
        let keyboard = if is_terminal {
            Some(stdin)
        } else {
            thread::spawn(move || drop(stdin.write_all(&typed)));
            None
        };
        let output = output.map(Pipe::drain);
        Self { sandbox, child, keyboard, output, arguments, before, may_leave_temporary_files }
    }

    /// Types text in the terminal.
    ///
    /// # Panics
    /// If the program does not run in a terminal.
    pub fn types(&mut self, text: &str) {
        let keyboard = self.keyboard.as_mut().expect("a terminal");
        keyboard.write_all(text.as_bytes()).expect("a terminal that is open");
    }

    /// Waits until the terminal shows `text`.
    ///
    /// # Panics
    /// If it never does, or the program ends before.
    pub fn wait_for_screen(&mut self, text: &str) {
        let said = Arc::clone(&self.output[0].bytes);
        let has_said = || String::from_utf8_lossy(&said.lock().expect("a reader")).contains(text);
        self.wait_until(&format!("the screen has `{text}`"), has_said);
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
            assert!(!has_ended || is_so(), "the program ended before: {what}\n{}", self.said());
            let seconds = RUN_TIMEOUT.as_secs();
            assert!(Instant::now() < end, "not in {seconds} s: {what}\n{}", self.said());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Returns what the program has printed so far.
    fn said(&self) -> String {
        let pipes = self.output.each_ref().map(|pipe| pipe.bytes.lock().expect("a reader").clone());
        pipes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).join("\n")
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
        let mut run = Run::new(&self.arguments, status, stdout, stderr);
        if self.keyboard.is_some() {
            run.stdout = run.stdout.replace("\r\n", "\n");
        }
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

impl fmt::Debug for Running<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("arguments", &self.arguments).finish_non_exhaustive()
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
