//! A process group, its leader, and a pipe that is polled.

use super::captured::{CapturedOutput, Read};
use crate::lock::lock;
use helix_skills_agent::shell::ExitStatus;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid},
};
use std::{
    io::{self, PipeReader, Read as _},
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Child, Command},
    sync::{Arc, Mutex},
    time::Duration,
};

/// How long to wait for more output after the group was killed. What it wrote is in the pipe.
pub(super) const DRAIN_TIME: Duration = Duration::ZERO;

/// A process group whose leader has not been waited for. Until then, its id cannot be reused, so
/// that a signal cannot reach another process.
#[derive(Clone, Debug)]
pub(super) struct ProcessGroup(Arc<Mutex<GroupState>>);

#[derive(Clone, Copy, Debug)]
enum GroupState {
    /// The leader has not been started.
    NotStarted,
    Running(Pid),
    /// The group was killed, or must not be started any more.
    Ended,
}

impl ProcessGroup {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(GroupState::NotStarted)))
    }

    /// Starts the leader. `None` if the group was ended before.
    pub(super) fn start(&self, mut command: Command) -> Option<io::Result<Leader>> {
        let mut state = lock(&self.0);
        if matches!(*state, GroupState::Ended) {
            return None;
        }
        let started = command.process_group(0).spawn();
        if let Ok(child) = &started {
            *state = GroupState::Running(Pid::from_child(child));
        }
        Some(started.map(Leader))
    }

    /// Kills all processes of the group. Must be called before the leader is waited for. Later
    /// calls do nothing.
    pub(super) fn kill(&self) {
        let mut state = lock(&self.0);
        if let GroupState::Running(leader) = *state {
            // If this fails, there is nothing left to kill: macOS fails if only an exited leader is
            // left.
            let _ = kill_process_group(leader, Signal::KILL);
            // The leader may have joined another group, and is going to be waited for.
            let _ = kill_process(leader, Signal::KILL);
        }
        *state = GroupState::Ended;
    }

    /// Gives up the group without killing it: the leader was waited for elsewhere, so its id may be
    /// reused.
    pub(super) fn forget(&self) {
        *lock(&self.0) = GroupState::Ended;
    }
}

/// The first process of a group.
#[derive(Debug)]
pub(super) struct Leader(Child);

impl Leader {
    /// Returns whether the leader has ended. Does not wait for it, so that its id is not reused.
    ///
    /// # Errors
    /// Another part of this process has waited for it.
    pub(super) fn has_exited(&mut self) -> io::Result<bool> {
        let leader = Pid::from_child(&self.0);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            match waitid(WaitId::Pid(leader), options) {
                Err(Errno::INTR) => {}
                waited => return Ok(waited?.is_some()),
            }
        }
    }

    /// Waits for the leader. Returns how it ended, unless that is lost.
    pub(super) fn wait(&mut self) -> Option<ExitStatus> {
        let status = self.0.wait().ok()?;
        status.code().map(ExitStatus::Code).or_else(|| status.signal().map(ExitStatus::Signal))
    }
}

/// The output of a group.
#[derive(Debug)]
pub(super) struct OutputPipe(PipeReader);

impl OutputPipe {
    pub(super) fn new(pipe: PipeReader) -> io::Result<Self> {
        Ok(Self(pipe))
    }

    /// Waits for output, for at most this time, and reads once.
    pub(super) fn read(&mut self, within: Duration, captured: &mut CapturedOutput) -> Read {
        if !self.is_readable(within) {
            return Read::Nothing;
        }
        let mut bytes = [0; super::READ_BYTES];
        match self.0.read(&mut bytes) {
            Ok(0) => Read::Closed,
            Ok(len) => {
                captured.push(&bytes[..len]);
                Read::Some
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Read::Some,
            Err(_) => Read::Closed,
        }
    }

    /// Returns whether there is something to read, or the pipe is closed, within this time.
    fn is_readable(&self, within: Duration) -> bool {
        let within = Timespec::try_from(within).ok();
        let mut polled = [PollFd::new(&self.0, PollFlags::IN)];
        // An interruption counts as a timeout, because the caller retries.
        poll(&mut polled, within.as_ref()).is_ok_and(|ready| ready > 0)
    }
}
