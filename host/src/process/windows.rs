//! A job object, its first process, and a thread that reads their output.

use super::{
    READ_BYTES,
    captured::{CapturedOutput, Read},
};
use crate::lock::lock;
use helix_skills_agent::shell::ExitStatus;
use process_wrap::std::{ChildWrapper, CommandWrap, JobObject};
use std::{
    io::{self, PipeReader, Read as _},
    mem,
    process::Command,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

/// How long to wait for more output after the job was killed, which takes the system a moment. It
/// closes the pipe.
pub(super) const DRAIN_TIME: Duration = Duration::from_secs(5);

/// How many reads may wait in memory to be captured.
const READS_IN_ADVANCE: usize = 4;

/// A job object. All processes that its leader starts belong to it, and none can leave it.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcessGroup(Arc<Mutex<GroupState>>);

#[derive(Debug, Default)]
struct GroupState {
    /// The leader and its job.
    leader: Option<Box<dyn ChildWrapper>>,
    /// Whether the job was killed, or must not be started any more.
    is_ended: bool,
}

impl ProcessGroup {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Starts the leader. `None` if the group was ended before.
    ///
    /// The leader is suspended until it is in the job, so that nothing that it starts is outside.
    pub(super) fn start(&self, command: Command) -> Option<io::Result<Leader>> {
        let mut state = lock(&self.0);
        if state.is_ended {
            return None;
        }
        let started = CommandWrap::from(command).wrap(JobObject).spawn();
        Some(started.map(|leader| {
            state.leader = Some(leader);
            Leader { group: self.clone(), status: None }
        }))
    }

    /// Kills all processes of the job. Later calls do nothing.
    pub(super) fn kill(&self) {
        let mut state = lock(&self.0);
        let was_ended = mem::replace(&mut state.is_ended, true);
        if let Some(leader) = state.leader.as_mut().filter(|_| !was_ended) {
            // If this fails, there is nothing left to kill.
            let _ = leader.start_kill();
        }
    }

    /// Kills the job: unlike a process group, it has no id that could be reused.
    pub(super) fn forget(&self) {
        self.kill();
    }
}

/// The first process of a job.
#[derive(Debug)]
pub(super) struct Leader {
    group: ProcessGroup,
    status: Option<ExitStatus>,
}

impl Leader {
    /// Returns whether the leader has ended.
    ///
    /// # Errors
    /// The system does not say.
    pub(super) fn has_exited(&mut self) -> io::Result<bool> {
        if let Some(leader) = &mut lock(&self.group.0).leader {
            let status = leader.try_wait()?;
            self.status = status.and_then(|status| status.code()).map(ExitStatus::Code);
        }
        Ok(self.status.is_some())
    }

    /// Returns how the leader ended, if [`has_exited`](Self::has_exited) has found that it did.
    pub(super) fn wait(&mut self) -> Option<ExitStatus> {
        self.status
    }
}

/// The output of a job.
#[derive(Debug)]
pub(super) struct OutputPipe(Receiver<Vec<u8>>);

impl OutputPipe {
    /// Starts a thread that reads, because the system cannot wait for a pipe for a limited time. It
    /// ends with the pipe, or soon after this is dropped.
    pub(super) fn new(mut pipe: PipeReader) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(READS_IN_ADVANCE);
        let read = move || {
            let mut bytes = vec![0; READ_BYTES];
            loop {
                match pipe.read(&mut bytes) {
                    Ok(len) if len > 0 && sender.send(bytes[..len].to_vec()).is_ok() => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    _ => return,
                }
            }
        };
        thread::Builder::new().name("skill output".to_owned()).spawn(read)?;
        Ok(Self(receiver))
    }

    /// Waits for output, for at most this time.
    pub(super) fn read(&mut self, within: Duration, captured: &mut CapturedOutput) -> Read {
        match self.0.recv_timeout(within) {
            Ok(bytes) => {
                captured.push(&bytes);
                Read::Some
            }
            Err(RecvTimeoutError::Timeout) => Read::Nothing,
            Err(RecvTimeoutError::Disconnected) => Read::Closed,
        }
    }
}
