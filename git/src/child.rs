//! Runs programs that read an input and print one answer, with a time limit.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::wait::POLL_INTERVAL;

/// How often to check whether a program has exited.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Why a program gave no answer.
#[derive(Debug)]
pub(super) enum ChildError {
    /// The program could not be started.
    Start(io::Error),
    /// The program exceeded the time limit and was killed.
    TimedOut,
    /// The operation was cancelled and the program killed.
    Cancelled,
}

/// Runs a program with `input`, and returns its exit status and at most `most` bytes of its output.
///
/// # Errors
/// The program cannot be started or takes longer than `limit`, or the operation was cancelled.
pub(super) fn run(
    command: &mut Command,
    input: Vec<u8>,
    most: u64,
    limit: Duration,
    cancellation: &AtomicBool,
) -> Result<(ExitStatus, Vec<u8>), ChildError> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = KillOnDrop(command.spawn().map_err(ChildError::Start)?);
    let (stdin, stdout) = (child.0.stdin.take(), child.0.stdout.take());
    // Detached, because processes that the program has started may keep the pipes open.
    thread::spawn(move || {
        // A program that does not read its input is not an error.
        stdin.map(|mut stdin| stdin.write_all(&input))
    });
    let (done, heard) = mpsc::channel();
    thread::spawn(move || {
        let mut output = Vec::new();
        // Output before an error is used like any other.
        let _ = stdout.map(|stdout| stdout.take(most).read_to_end(&mut output));
        // The receiver is gone if the program took too long.
        let _ = done.send(output);
    });
    let begun = Instant::now();
    let output = loop {
        if cancellation.load(Ordering::Relaxed) {
            return Err(ChildError::Cancelled);
        }
        match heard.recv_timeout(POLL_INTERVAL) {
            Ok(output) => break output,
            Err(RecvTimeoutError::Timeout) if begun.elapsed() < limit => {}
            Err(_) => return Err(ChildError::TimedOut),
        }
    };
    match child.wait_for(limit.saturating_sub(begun.elapsed()), cancellation) {
        Some(status) => Ok((status, output)),
        None if cancellation.load(Ordering::Relaxed) => Err(ChildError::Cancelled),
        None => Err(ChildError::TimedOut),
    }
}

/// A child process that is killed on drop.
pub(super) struct KillOnDrop(pub(super) Child);

impl KillOnDrop {
    /// Waits for at most `time`, or until `cancellation` is set, for the process to exit.
    pub(super) fn wait_for(
        &mut self,
        time: Duration,
        cancellation: &AtomicBool,
    ) -> Option<ExitStatus> {
        let begun = Instant::now();
        loop {
            match self.0.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if begun.elapsed() < time && !cancellation.load(Ordering::Relaxed) => {
                    thread::sleep(EXIT_POLL_INTERVAL)
                }
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Kills the process.
    pub(super) fn end(&mut self) {
        // It may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shell(script: &str, limit: Duration) -> Result<(ExitStatus, Vec<u8>), ChildError> {
        let mut command = Command::new("sh");
        run(command.args(["-c", script]), b"in\n".to_vec(), 100, limit, &AtomicBool::new(false))
    }

    #[test]
    fn programs_are_read_and_killed() {
        let long = Duration::from_secs(20);
        let (status, output) = shell("read a; echo got $a; exit 3", long).unwrap();
        assert_eq!((status.code(), output), (Some(3), b"got in\n".to_vec()));
        assert_eq!(shell("yes | head -c 100000", long).unwrap().1.len(), 100);
        assert!(matches!(
            shell("exec sleep 30", Duration::from_millis(100)),
            Err(ChildError::TimedOut)
        ));
        assert!(matches!(
            shell("exec >&-; exec sleep 30", Duration::from_millis(100)),
            Err(ChildError::TimedOut)
        ));
        let stopped = AtomicBool::new(true);
        let mut command = Command::new("sleep");
        assert!(matches!(
            run(command.arg("30"), Vec::new(), 1, long, &stopped),
            Err(ChildError::Cancelled)
        ));
        assert!(matches!(
            run(
                &mut Command::new("/nonexistent/program"),
                Vec::new(),
                1,
                long,
                &AtomicBool::new(false)
            ),
            Err(ChildError::Start(_))
        ));
    }
}
