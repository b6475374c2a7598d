//! A running `ssh` process: its input, its output and its exit.

use std::io::{Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::Input;
use super::command::{self, Target};
use super::exit::{SshExit, last_lines};
use crate::FetchEvent;
use crate::child::KillOnDrop;
use crate::error::{Cause, ErrorKind, GitError, Retry, WAIT_LONGER};
use crate::meter::Meter;
use crate::packets::PieceReader;
use crate::shared::Origin;
use crate::wait::{POLL_INTERVAL, lock};

/// Bytes per piece of output, and the maximum number of pieces that wait to be read.
const PIECE: usize = 64 << 10;
const PIECES: usize = 16;
/// Number of bytes kept from the end of standard error.
const MAX_STDERR: usize = 8 << 10;
/// How long to wait for the exit and the last messages of an `ssh` that has closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long to wait for an `ssh` to exit when its conversation is over.
const GRACE_PERIOD: Duration = Duration::from_millis(500);
/// A signal from the terminal that kills `ssh` also cancels this program; this is how long that may
/// take.
const SIGNAL_DELAY: Duration = Duration::from_millis(200);

/// Starts `ssh`, and returns its output and input.
///
/// # Errors
/// The program cannot be started.
pub(super) fn start(
    origin: &Arc<Origin>,
    target: &Target,
) -> Result<(impl Read + Send + use<>, Input), GitError> {
    let (mut command, program) = command::prepare(&origin.shared, target, &origin.name)?;
    origin.log(format_args!("{program} {}", target.destination));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        let problem = Cause::new(format!("failed to start `{program}`"));
        let cause = problem.with_cause(Cause::from_error(&error));
        GitError::ssh(&origin.name, ErrorKind::Environment, cause).with_hint(
            "install OpenSSH, or set GIT_SSH_COMMAND or `core.sshCommand` to an ssh program",
        )
    })?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (lines, to_send) = mpsc::channel();
    let (to_read, pieces) = mpsc::sync_channel(PIECES);
    let messages = Arc::new(Mutex::new(Vec::new()));
    let (closed, stderr_closed) = mpsc::channel();
    // All three threads are detached. They end with the pipes, which a process started by `ssh` may
    // hold open.
    thread::spawn(move || write_input(stdin, &to_send));
    thread::spawn(move || read_output(stdout, &to_read));
    let kept = messages.clone();
    thread::spawn(move || keep_stderr(stderr, &kept, closed));
    let process = Arc::new(SshProcess {
        origin: origin.clone(),
        program,
        destination: target.destination.clone(),
        child: Mutex::new(KillOnDrop(child)),
        messages,
        stderr_closed: Mutex::new(stderr_closed),
        meter: Mutex::new(Meter::new(&origin.expected)),
        is_begun: AtomicBool::new(false),
    });
    let mut writer = SshWriter { process: process.clone(), lines };
    // A git conversation ends with a packet, so an end of the output is always premature.
    let reader = PieceReader::new(move || process.next(&pieces).map(Some));
    Ok((reader, Box::new(move |request| writer.send(request))))
}

fn write_input(stdin: Option<ChildStdin>, lines: &Receiver<Vec<u8>>) {
    let Some(mut stdin) = stdin else { return };
    for line in lines {
        // The reader of the responses notices that the process is gone.
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_output(stdout: Option<ChildStdout>, pieces: &SyncSender<Vec<u8>>) {
    let Some(mut stdout) = stdout else { return };
    let mut buffer = vec![0; PIECE];
    while let Ok(count) = stdout.read(&mut buffer) {
        if count == 0 || pieces.send(buffer[..count].to_vec()).is_err() {
            return;
        }
    }
}

/// Keeps the end of standard error. `_closed` is dropped when it is closed.
fn keep_stderr(stderr: Option<ChildStderr>, messages: &Mutex<Vec<u8>>, _closed: Sender<()>) {
    let Some(mut stderr) = stderr else { return };
    let mut buffer = [0; 1024];
    while let Ok(count) = stderr.read(&mut buffer) {
        if count == 0 {
            return;
        }
        let mut messages = lock(messages);
        messages.extend_from_slice(&buffer[..count]);
        let surplus = messages.len().saturating_sub(MAX_STDERR);
        messages.drain(..surplus);
    }
}

/// State shared by input and output.
struct SshProcess {
    origin: Arc<Origin>,
    program: String,
    destination: String,
    child: Mutex<KillOnDrop>,
    /// The end of standard error.
    messages: Arc<Mutex<Vec<u8>>>,
    stderr_closed: Mutex<Receiver<()>>,
    meter: Mutex<Meter>,
    /// Whether the server has sent anything.
    is_begun: AtomicBool,
}

impl SshProcess {
    /// Waits for the next piece of the output.
    fn next(&self, pieces: &Receiver<Vec<u8>>) -> Result<Vec<u8>, GitError> {
        let shared = &self.origin.shared;
        let begun = Instant::now();
        loop {
            shared.check()?;
            match pieces.recv_timeout(POLL_INTERVAL) {
                Ok(piece) => {
                    self.is_begun.store(true, Relaxed);
                    lock(&self.meter).add(piece.len(), &self.origin)?;
                    return Ok(piece);
                }
                Err(RecvTimeoutError::Timeout)
                    if begun.elapsed() < shared.options.stall_timeout => {}
                Err(RecvTimeoutError::Timeout) => return Err(self.fell_silent()),
                Err(RecvTimeoutError::Disconnected) => return Err(self.end()),
            }
        }
    }

    /// Returns why the output has ended.
    fn end(&self) -> GitError {
        let shared = &self.origin.shared;
        let status = lock(&self.child).wait_for(EXIT_TIMEOUT, &shared.options.cancellation);
        // The only event is that the sender is dropped.
        let _ = lock(&self.stderr_closed).recv_timeout(EXIT_TIMEOUT);
        let status = status.and_then(|status| status.code());
        if status.is_none() && shared.pause(SIGNAL_DELAY).is_err() {
            return GitError::Interrupted;
        }
        if let Err(interrupted) = shared.check() {
            return interrupted;
        }
        SshExit {
            url: &self.origin.name,
            program: &self.program,
            destination: &self.destination,
            status,
            stderr: &lock(&self.messages),
            is_begun: self.is_begun.load(Relaxed),
        }
        .into_error()
    }

    /// Returns the error for a process that has sent nothing for too long. Its last messages may
    /// explain why, for example if it prompts for input.
    fn fell_silent(&self) -> GitError {
        lock(&self.child).end();
        let seconds = self.origin.shared.options.stall_timeout.as_secs_f32();
        let text = last_lines(&lock(&self.messages));
        let printed =
            if text.is_empty() { String::new() } else { format!(" (it printed: {text})") };
        let is_begun = self.is_begun.load(Relaxed);
        let hint = if is_begun || printed.is_empty() {
            WAIT_LONGER.to_owned()
        } else {
            format!("it may be waiting for input: try `{} -T {}`", self.program, self.destination)
        };
        let cause = Cause::new(format!("no data received for {seconds} s{printed}"));
        GitError::ssh(&self.origin.name, ErrorKind::Network, cause)
            .with_hint(hint)
            .with_retry(if is_begun { Retry::Soon } else { Retry::Never })
    }
}

impl Drop for SshProcess {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        let _ = child.wait_for(GRACE_PERIOD, &self.origin.shared.options.cancellation);
        child.end();
    }
}

/// The input of the process.
struct SshWriter {
    process: Arc<SshProcess>,
    lines: Sender<Vec<u8>>,
}

impl SshWriter {
    fn send(&mut self, request: Vec<u8>) {
        let origin = &self.process.origin;
        origin.shared.emit(&FetchEvent::Request { url: &origin.name });
        *lock(&self.process.meter) = Meter::new(&origin.expected);
        // If the writing thread has ended, reading the response fails.
        let _ = self.lines.send(request);
    }
}

impl Drop for SshWriter {
    fn drop(&mut self) {
        // A flush packet ends the conversation; otherwise old servers log an error. Dropping the
        // sender then closes the input.
        let _ = self.lines.send(b"0000".to_vec());
    }
}
