//! The thread that stays with a program until it is over.

use super::{Process, ProcessError, captured::CapturedOutput, group::Group};
use helix_skills_agent::live::{ExitStatus, ProcessOutput};
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

/// So often is looked whether the program has ended while it says nothing: at first, and at last.
const TICKS: (Duration, Duration) = (Duration::from_micros(100), Duration::from_millis(16));

/// What one read takes.
const READ: usize = 16 * 1024;

/// More than any pipe holds.
const MAX_READS_AFTER_THE_END: usize = 2 * 1024 * 1024 / READ;

/// Runs a program and tells `tell` how it went; then waits for what was killed.
pub(super) fn watch(
    process: &Process,
    group: &Group,
    tell: impl FnOnce(Result<ProcessOutput, ProcessError>),
) {
    let (mut child, mut pipe) = match start(process, group) {
        Ok(Some(started)) => started,
        Ok(None) => return,
        Err(error) => return tell(Err(error)),
    };
    let mut said = CapturedOutput::new(process.output_limit);
    let end = listen(process, Pid::from_child(&child), &mut pipe, &mut said);
    match end {
        End::Lost => group.forget(),
        End::Exited | End::TimedOut => group.end(),
    }
    // What was said before lies in the pipe. Who escaped the group may hold its other end: nobody waits for that, however much it says.
    for _ in 0..MAX_READS_AFTER_THE_END {
        if !is_readable(&pipe, Duration::ZERO) || !read(&mut pipe, &mut said) {
            break;
        }
    }
    drop(pipe);
    let exit = match end {
        End::TimedOut => Some(ExitStatus::TimedOut),
        End::Exited => child.wait().ok().and_then(|status| {
            status.code().map(ExitStatus::Code).or_else(|| status.signal().map(ExitStatus::Signal))
        }),
        End::Lost => None,
    };
    let lost = || ProcessError::Lost { program: process.program.clone() };
    tell(exit.map(|exit| said.output(exit)).ok_or_else(lost));
    // What was killed may take its time in the system, and nobody has to wait for that.
    let _ = child.wait();
}

/// The program, and the one pipe that both of its outputs are; none if nobody waits for it any more.
fn start(process: &Process, group: &Group) -> Result<Option<(Child, PipeReader)>, ProcessError> {
    let program = || process.program.clone();
    let failed = |source| ProcessError::Start { program: program(), source };
    if let Some(directory) = process.directory.as_deref().filter(|directory| !directory.is_dir()) {
        return Err(ProcessError::NoDirectory {
            program: program(),
            directory: directory.to_owned(),
        });
    }
    // The system would begin where the program is to run: with a stranger's files.
    let found =
        if is_path(&process.program) { path::absolute(&process.program) } else { Ok(program()) };
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
    // It has our ends of the pipe, which would never be closed.
    drop(command);
    started.transpose().map(|child| child.map(|child| (child, reader))).map_err(failed)
}

/// Whether a program is named by a path, and not by a name that is looked for.
fn is_path(program: &Path) -> bool {
    program.as_os_str().as_encoded_bytes().contains(&b'/')
}

/// Why the program is no longer listened to.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The program has ended.
    Exited,
    /// Its time was up.
    TimedOut,
    /// Somebody else has waited for it.
    Lost,
}

/// Reads what the program says until it has ended, or its time is up. It may close its outputs and live on, and it may end while
/// others still hold them: both are looked for.
fn listen(process: &Process, leader: Pid, pipe: &mut PipeReader, said: &mut CapturedOutput) -> End {
    // None: too far away for a clock.
    let deadline = Instant::now().checked_add(process.time_limit);
    let mut is_open = true;
    let mut tick = TICKS.0;
    loop {
        let left = deadline
            .map_or(tick, |deadline| deadline.saturating_duration_since(Instant::now()).min(tick));
        if is_open && is_readable(pipe, left) {
            is_open = read(pipe, said);
            tick = TICKS.0;
        } else {
            if !is_open {
                thread::sleep(left);
            }
            tick = TICKS.1.min(tick * 2);
        }
        match has_exited(leader) {
            Ok(true) => return End::Exited,
            Ok(false) => {}
            Err(_) => return End::Lost,
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return End::TimedOut;
        }
    }
}

/// Whether the leader has ended. It is not waited for: until it is, its id is its own.
fn has_exited(leader: Pid) -> Result<bool, Errno> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(leader), options) {
            Err(Errno::INTR) => {}
            waited => return waited.map(|status| status.is_some()),
        }
    }
}

/// Whether there is something to read, or never will be any more, within this time.
fn is_readable(pipe: &PipeReader, within: Duration) -> bool {
    let within = Timespec::try_from(within).ok();
    let mut polled = [PollFd::new(pipe, PollFlags::IN)];
    // An interruption is as good as no time: the caller asks again.
    poll(&mut polled, within.as_ref()).is_ok_and(|ready| ready > 0)
}

/// Reads once what there is. Whether there may be more.
fn read(pipe: &mut PipeReader, said: &mut CapturedOutput) -> bool {
    let mut bytes = [0; READ];
    match pipe.read(&mut bytes) {
        Ok(0) => false,
        Ok(len) => {
            said.push(&bytes[..len]);
            true
        }
        Err(error) => error.kind() == io::ErrorKind::Interrupted,
    }
}
