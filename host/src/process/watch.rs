//! The thread that runs a program, reads its output and kills its group.

use super::{Process, captured::CapturedOutput, group::ProcessGroup, lost};
use crate::{
    Error, ErrorKind,
    error::{Problem, display_path},
};
use helix_skills_agent::shell::{ExitStatus, ProcessOutput};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{Pid, WaitId, WaitIdOptions, waitid},
};
use std::{
    io::{self, PipeReader, Read},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{self, Path},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The shortest and longest interval between checks whether a silent program has ended.
const POLL_INTERVALS: (Duration, Duration) =
    (Duration::from_micros(100), Duration::from_millis(16));

/// Number of bytes per read.
const READ_BYTES: usize = 16 * 1024;

/// Enough reads for the content of any pipe.
const MAX_READS_AFTER_END: usize = 2 * 1024 * 1024 / READ_BYTES;

/// Runs a program and calls `report` with its output, then reaps what was killed.
pub(super) fn watch(
    process: &Process,
    group: &ProcessGroup,
    report: impl FnOnce(Result<ProcessOutput, Error>),
) {
    let begin = Instant::now();
    let (mut child, mut pipe) = match start(process, group) {
        Ok(Some(started)) => started,
        Ok(None) => return,
        Err(error) => return report(Err(error)),
    };
    let mut captured = CapturedOutput::new(process.output_limit);
    let reason = read_output(process, Pid::from_child(&child), &mut pipe, &mut captured);
    match reason {
        EndReason::Lost => group.forget(),
        EndReason::Exited | EndReason::TimedOut => group.kill(),
    }
    // Earlier output is still in the pipe. A process that escaped the group may hold the other end,
    // so the number of reads is limited.
    for _ in 0..MAX_READS_AFTER_END {
        if !is_readable(&pipe, Duration::ZERO) || !read(&mut pipe, &mut captured) {
            break;
        }
    }
    drop(pipe);
    let exit = match reason {
        EndReason::TimedOut => Some(ExitStatus::TimedOut),
        EndReason::Exited => child.wait().ok().and_then(|status| {
            status.code().map(ExitStatus::Code).or_else(|| status.signal().map(ExitStatus::Signal))
        }),
        EndReason::Lost => None,
    };
    let output = exit.map(|exit| captured.output(exit, begin.elapsed()));
    report(output.ok_or_else(|| lost(&process.program)));
    // Reaping a killed process may take a while, so it is done after reporting.
    let _ = child.wait();
}

/// Starts the program. Returns it and the pipe for both outputs, or `None` if the run was
/// cancelled.
fn start(process: &Process, group: &ProcessGroup) -> Result<Option<(Child, PipeReader)>, Error> {
    let program = &process.program;
    let failed = |source| Problem::Start { source }.at(program);
    if let Some(directory) = process.directory.as_deref().filter(|directory| !directory.is_dir()) {
        let (shown, directory) = (display_path(program), display_path(directory));
        let message =
            format!("cannot run `{shown}` in `{directory}`: the directory does not exist");
        let hint = "create it, or use another directory";
        return Err(Problem::other(ErrorKind::NotFound, message, hint).at(program));
    }
    // The system would resolve a relative path in the directory that the program runs in, which may
    // have untrusted files.
    let found = if is_path(program) { path::absolute(program) } else { Ok(program.clone()) };
    let found = found.map_err(failed)?;
    let (reader, writer) = io::pipe().map_err(failed)?;
    let mut command = Command::new(found);
    command
        .args(&process.arguments)
        .env_clear()
        .envs(process.environment.variables())
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(failed)?)
        .stderr(writer)
        .process_group(0);
    if let Some(directory) = &process.directory {
        command.current_dir(directory);
    }
    let started = group.start(|| command.spawn());
    // `command` holds our copies of the writing end, so that the pipe would never be closed.
    drop(command);
    started.transpose().map(|child| child.map(|child| (child, reader))).map_err(failed)
}

/// Returns whether a program is given by its path instead of a name.
fn is_path(program: &Path) -> bool {
    program.as_os_str().as_encoded_bytes().contains(&b'/')
}

/// Why reading the output ended.
#[derive(Clone, Copy, Debug)]
enum EndReason {
    /// The program ended.
    Exited,
    /// It exceeded its time limit.
    TimedOut,
    /// Another part of this process waited for it.
    Lost,
}

/// Reads the output of the program until it ends or its time is up. The program may close its
/// outputs and continue, and it may end while other processes hold them open, so both are checked.
fn read_output(
    process: &Process,
    leader: Pid,
    pipe: &mut PipeReader,
    captured: &mut CapturedOutput,
) -> EndReason {
    // `None` if the deadline overflows `Instant`: no timeout.
    let deadline = Instant::now().checked_add(process.time_limit);
    let mut is_open = true;
    let mut interval = POLL_INTERVALS.0;
    loop {
        let left = deadline.map_or(interval, |deadline| {
            deadline.saturating_duration_since(Instant::now()).min(interval)
        });
        if is_open && is_readable(pipe, left) {
            is_open = read(pipe, captured);
            interval = POLL_INTERVALS.0;
        } else {
            if !is_open {
                thread::sleep(left);
            }
            interval = POLL_INTERVALS.1.min(interval * 2);
        }
        match has_exited(leader) {
            Ok(true) => return EndReason::Exited,
            Ok(false) => {}
            Err(_) => return EndReason::Lost,
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return EndReason::TimedOut;
        }
    }
}

/// Returns whether the leader has ended. Does not wait for it, so that its id is not reused.
fn has_exited(leader: Pid) -> Result<bool, Errno> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(leader), options) {
            Err(Errno::INTR) => {}
            waited => return waited.map(|status| status.is_some()),
        }
    }
}

/// Returns whether there is something to read, or the pipe is closed, within this time.
fn is_readable(pipe: &PipeReader, within: Duration) -> bool {
    let within = Timespec::try_from(within).ok();
    let mut polled = [PollFd::new(pipe, PollFlags::IN)];
    // An interruption counts as a timeout, because the caller retries.
    poll(&mut polled, within.as_ref()).is_ok_and(|ready| ready > 0)
}

/// Reads once. Returns whether there may be more.
fn read(pipe: &mut PipeReader, captured: &mut CapturedOutput) -> bool {
    let mut bytes = [0; READ_BYTES];
    match pipe.read(&mut bytes) {
        Ok(0) => false,
        Ok(len) => {
            captured.push(&bytes[..len]);
            true
        }
        Err(error) => error.kind() == io::ErrorKind::Interrupted,
    }
}
