//! Programs that answer in one go: given an input, listened to until they end, and ended when they take too long.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::wait::POLL_INTERVAL;

/// How often somebody who waits for a program's end looks.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Why a program gave no answer.
#[derive(Debug)]
pub(super) enum ChildError {
    /// It could not be started.
    Start(io::Error),
    /// It took longer than allowed and was ended.
    TimedOut,
    /// Somebody asked to stop, and it was ended.
    Cancelled,
}

/// Starts a program, writes `input` to it, and gives how it ended with at most `most` bytes of what it wrote.
///
/// # Errors
/// It cannot be started, takes longer than `limit`, or somebody asks to stop.
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
    // Detached: what the program has started itself may hold the pipes open for as long as it likes.
    thread::spawn(move || {
        // A program that does not want to know is no error.
        stdin.map(|mut stdin| stdin.write_all(&input))
    });
    let (done, heard) = mpsc::channel();
    thread::spawn(move || {
        let mut output = Vec::new();
        // What came before an error is looked at like any other answer.
        let _ = stdout.map(|stdout| stdout.take(most).read_to_end(&mut output));
        // Nobody listens any more when it took too long.
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
    loop {
        if cancellation.load(Ordering::Relaxed) {
            return Err(ChildError::Cancelled);
        }
        match child.0.try_wait() {
            Ok(Some(status)) => return Ok((status, output)),
            Ok(None) if begun.elapsed() < limit => thread::sleep(EXIT_POLL_INTERVAL),
            Ok(None) | Err(_) => return Err(ChildError::TimedOut),
        }
    }
}

/// A program that is ended when nobody waits for it any more.
pub(super) struct KillOnDrop(pub(super) Child);

impl KillOnDrop {
    /// Waits a little for an end that is near.
    pub(super) fn wait_for(&mut self, time: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        loop {
            match self.0.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if begun.elapsed() < time => thread::sleep(EXIT_POLL_INTERVAL),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Ends it.
    pub(super) fn end(&mut self) {
        // It may have ended by itself.
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
    fn programs_are_heard_and_ended() {
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
