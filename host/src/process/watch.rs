//! The thread that runs a program, reads its output and kills its group.

use super::{
    Process, READ_BYTES,
    captured::{CapturedOutput, Read},
    lost,
    system::{DRAIN_TIME, Leader, OutputPipe, ProcessGroup},
};
use crate::{
    Error, ErrorKind,
    error::{Problem, display_path},
};
use helix_skills_agent::shell::{ExitStatus, ProcessOutput};
use helix_skills_format::__internal::find_program;
use std::{
    ffi::OsStr,
    io,
    path::{self, Path},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The shortest and longest interval between checks whether a silent program has ended.
const POLL_INTERVALS: (Duration, Duration) =
    (Duration::from_micros(100), Duration::from_millis(16));

/// Enough reads for the content of any pipe.
const MAX_READS_AFTER_END: usize = 2 * 1024 * 1024 / READ_BYTES;

/// Runs a program and calls `report` with its output, then reaps what was killed.
pub(super) fn watch(
    process: &Process,
    group: &ProcessGroup,
    report: impl FnOnce(Result<ProcessOutput, Error>),
) {
    let begin = Instant::now();
    let (mut leader, mut pipe) = match start(process, group) {
        Ok(Some(started)) => started,
        Ok(None) => return,
        Err(error) => return report(Err(error)),
    };
    let mut captured = CapturedOutput::new(process.output_limit);
    let reason = read_output(process, &mut leader, &mut pipe, &mut captured);
    match reason {
        EndReason::Lost => group.forget(),
        EndReason::Exited | EndReason::TimedOut => group.kill(),
    }
    // Earlier output is still in the pipe. A process that escaped the group may hold the other end,
    // so the number of reads is limited.
    for _ in 0..MAX_READS_AFTER_END {
        if pipe.read(DRAIN_TIME, &mut captured) != Read::Some {
            break;
        }
    }
    drop(pipe);
    let exit = match reason {
        EndReason::TimedOut => Some(ExitStatus::TimedOut),
        EndReason::Exited => leader.wait(),
        EndReason::Lost => None,
    };
    let output = exit.map(|exit| captured.output(exit, begin.elapsed()));
    report(output.ok_or_else(|| lost(&process.program)));
    // Reaping a killed process may take a while, so it is done after reporting.
    let _ = leader.wait();
}

/// Starts the program. Returns it and the pipe for both outputs, or `None` if the run was
/// cancelled.
fn start(process: &Process, group: &ProcessGroup) -> Result<Option<(Leader, OutputPipe)>, Error> {
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
    let variables = process.environment.variables();
    let variable = |name: &str| variables.get(OsStr::new(name)).map_or(OsStr::new(""), |it| it);
    let extensions = if cfg!(windows) { variable("PATHEXT") } else { OsStr::new("") };
    let found = find_program(program, variable("PATH"), extensions, Path::is_file);
    let found = path::absolute(found.unwrap_or_else(|missing| missing)).map_err(failed)?;
    let (reader, writer) = io::pipe().map_err(failed)?;
    let pipe = OutputPipe::new(reader).map_err(failed)?;
    #[expect(clippy::disallowed_methods, reason = "the only place, with a path that was found")]
    let mut command = Command::new(found);
    command
        .args(&process.arguments)
        .env_clear()
        .envs(&variables)
        .stdin(Stdio::null())
        .stdout(writer.try_clone().map_err(failed)?)
        .stderr(writer);
    if let Some(directory) = &process.directory {
        command.current_dir(directory);
    }
    // The group drops `command`, which holds our copies of the writing end. Otherwise the pipe
    // would never be closed.
    let started = group.start(command).transpose().map_err(failed)?;
    Ok(started.map(|leader| (leader, pipe)))
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
    leader: &mut Leader,
    pipe: &mut OutputPipe,
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
        let read = if is_open {
            pipe.read(left, captured)
        } else {
            thread::sleep(left);
            Read::Nothing
        };
        is_open = is_open && read != Read::Closed;
        interval = match read {
            Read::Nothing => POLL_INTERVALS.1.min(interval * 2),
            Read::Some | Read::Closed => POLL_INTERVALS.0,
        };
        match leader.has_exited() {
            Ok(true) => return EndReason::Exited,
            Ok(false) => {}
            Err(_) => return EndReason::Lost,
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return EndReason::TimedOut;
        }
    }
}
