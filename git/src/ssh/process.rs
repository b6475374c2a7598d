//! A running `ssh`: what is said to it, what it says, and its end.

use std::io::{self, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Ssh;
use super::command::{self, Target};
use super::exit::{SshExit, last_lines};
use crate::FetchEvent;
use crate::child::KillOnDrop;
use crate::error::{Advice, Cause, ErrorKind, GitError, Retry};
use crate::meter::Meter;
use crate::wait::POLL_INTERVAL;

/// Bytes of one piece of an answer, and how many pieces may wait to be read.
const PIECE: usize = 64 << 10;
const PIECES: usize = 16;
/// Bytes that are kept of what it says on its standard error: the last ones.
const MOST_WORDS: usize = 8 << 10;
/// For an `ssh` that has closed its output to end, and for its last words to arrive.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// For an `ssh` whose conversation is over to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);
/// A signal that ends `ssh` ends us, too, when it came from the terminal: as soon as we hear of it.
const SAME_SIGNAL: Duration = Duration::from_millis(200);

/// Starts `ssh`, and gives both sides of the conversation.
///
/// # Errors
/// It cannot be started.
pub(super) fn start(ssh: &Arc<Ssh>, target: &Target) -> Result<(SshReader, SshWriter), GitError> {
    let (mut command, program) = command::prepare(&ssh.shared, target, &ssh.name)?;
    ssh.shared.verbose(&format!("{}: {program} {}", ssh.name, target.destination));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| GitError::Ssh {
        url: ssh.name.clone(),
        source: Cause::new(format!("cannot start `{program}`"))
            .with_cause(Cause::from_error(&error)),
        advice: Some(Advice::Text(
            "install OpenSSH, or name an ssh in GIT_SSH_COMMAND or `core.sshCommand`".to_owned(),
        )),
        retry: Retry::Never,
        kind: ErrorKind::Environment,
    })?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (lines, to_send) = mpsc::channel();
    let (pieces, heard) = mpsc::sync_channel(PIECES);
    let words = Arc::new(Mutex::new(Vec::new()));
    let (silent, is_silent) = mpsc::channel();
    // Detached, all three: they end with the pipes, which something that `ssh` has started may hold open.
    thread::spawn(move || speak(stdin, &to_send));
    thread::spawn(move || hear(stdout, &pieces));
    let heard_words = words.clone();
    thread::spawn(move || note(stderr, &heard_words, silent));
    let process = Arc::new(SshProcess {
        ssh: ssh.clone(),
        program,
        destination: target.destination.clone(),
        child: Mutex::new(KillOnDrop(child)),
        words,
        is_silent: Mutex::new(is_silent),
        meter: Mutex::new(Meter::new(&ssh.expected)),
        is_begun: AtomicBool::new(false),
    });
    let reader = SshReader { process: process.clone(), heard, piece: Vec::new(), taken: 0 };
    Ok((reader, SshWriter { process, lines, line: Vec::new() }))
}

fn speak(stdin: Option<ChildStdin>, lines: &Receiver<Vec<u8>>) {
    let Some(mut stdin) = stdin else { return };
    for line in lines {
        // Whoever reads its answers learns that it has gone.
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn hear(stdout: Option<ChildStdout>, pieces: &SyncSender<Vec<u8>>) {
    let Some(mut stdout) = stdout else { return };
    let mut buffer = vec![0; PIECE];
    while let Ok(count) = stdout.read(&mut buffer) {
        if count == 0 || pieces.send(buffer[..count].to_vec()).is_err() {
            return;
        }
    }
}

/// Keeps the last of what is said. `_silent` is dropped when it is over.
fn note(stderr: Option<ChildStderr>, words: &Mutex<Vec<u8>>, _silent: Sender<()>) {
    let Some(mut stderr) = stderr else { return };
    let mut buffer = [0; 1024];
    while let Ok(count) = stderr.read(&mut buffer) {
        if count == 0 {
            return;
        }
        let mut words = lock(words);
        words.extend_from_slice(&buffer[..count]);
        let surplus = words.len().saturating_sub(MOST_WORDS);
        words.drain(..surplus);
    }
}

/// What both sides of a conversation share.
struct SshProcess {
    ssh: Arc<Ssh>,
    program: String,
    destination: String,
    child: Mutex<KillOnDrop>,
    words: Arc<Mutex<Vec<u8>>>,
    is_silent: Mutex<Receiver<()>>,
    meter: Mutex<Meter>,
    /// Whether the server's side has said anything.
    is_begun: AtomicBool,
}

impl SshProcess {
    /// Why its output is at its end.
    fn end(&self) -> GitError {
        let status = lock(&self.child).wait_for(LAST_WORDS);
        // Nothing but its end ever comes of it.
        let _ = lock(&self.is_silent).recv_timeout(LAST_WORDS);
        let status = status.and_then(|status| status.code());
        if status.is_none() && self.ssh.shared.pause(SAME_SIGNAL).is_err() {
            return GitError::Interrupted;
        }
        if let Err(interrupted) = self.ssh.shared.check() {
            return interrupted;
        }
        SshExit {
            url: &self.ssh.name,
            program: &self.program,
            destination: &self.destination,
            status,
            words: &lock(&self.words),
            is_begun: self.is_begun.load(Relaxed),
        }
        .into_error()
    }

    /// It has been silent for too long. What it said until then may tell why, such as a question that nobody answers.
    fn fell_silent(&self) -> GitError {
        lock(&self.child).end();
        let seconds = self.ssh.shared.options.stall_timeout.as_secs_f32();
        let words = last_lines(&lock(&self.words));
        let said = if words.is_empty() { String::new() } else { format!(" (it said: {words})") };
        let is_begun = self.is_begun.load(Relaxed);
        let advice = if is_begun || said.is_empty() {
            Advice::WaitLonger
        } else {
            Advice::Text(format!(
                "it may wait for an answer: try `{} -T {}`",
                self.program, self.destination
            ))
        };
        GitError::Ssh {
            url: self.ssh.name.clone(),
            source: Cause::new(format!("nothing arrived for {seconds} s{said}")),
            advice: Some(advice),
            retry: if is_begun { Retry::Soon } else { Retry::Never },
            kind: ErrorKind::Network,
        }
    }
}

impl Drop for SshProcess {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        if !self.ssh.shared.is_cancelled() {
            let _ = child.wait_for(FAREWELL);
        }
        child.end();
    }
}

/// What the server's side says.
pub(super) struct SshReader {
    process: Arc<SshProcess>,
    heard: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    /// So much of the piece was read already.
    taken: usize,
}

impl SshReader {
    fn next(&mut self) -> Result<Vec<u8>, GitError> {
        let process = &*self.process;
        let shared = &process.ssh.shared;
        let begun = Instant::now();
        loop {
            shared.check()?;
            match self.heard.recv_timeout(POLL_INTERVAL) {
                Ok(piece) => {
                    process.is_begun.store(true, Relaxed);
                    lock(&process.meter).add(
                        piece.len(),
                        &process.ssh.expected,
                        &process.ssh.name,
                        shared,
                    )?;
                    return Ok(piece);
                }
                Err(RecvTimeoutError::Timeout)
                    if begun.elapsed() < shared.options.stall_timeout => {}
                Err(RecvTimeoutError::Timeout) => return Err(process.fell_silent()),
                Err(RecvTimeoutError::Disconnected) => return Err(process.end()),
            }
        }
    }
}

impl Read for SshReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken >= self.piece.len() {
            // git's conversations end with a packet that says so: an end of the output always comes too early.
            self.piece = self.next().map_err(|error| self.process.ssh.fail(error))?;
            self.taken = 0;
        }
        let rest = &self.piece[self.taken..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}

/// What is said to the server's side.
pub(super) struct SshWriter {
    process: Arc<SshProcess>,
    lines: Sender<Vec<u8>>,
    line: Vec<u8>,
}

impl Write for SshWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// A request is complete.
    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            let ssh = &self.process.ssh;
            ssh.shared.emit(&FetchEvent::Request { url: &ssh.name });
            *lock(&self.process.meter) = Meter::new(&ssh.expected);
            // An end of the writing thread shows as an end of the answers.
            let _ = self.lines.send(std::mem::take(&mut self.line));
        }
        Ok(())
    }
}

impl Drop for SshWriter {
    fn drop(&mut self) {
        // "Nothing more": else an old server complains in its log. Then its input ends.
        let _ = self.lines.send(b"0000".to_vec());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
