//! The process group of one run.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::{
    io,
    process::Child,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

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

    /// Returns a guard that kills the group when it is dropped. After that, nothing can be started.
    pub(super) fn kill_on_drop(&self) -> KillOnDrop {
        KillOnDrop(self.clone())
    }

    /// Starts the leader. `None` if the group was ended before.
    pub(super) fn start(
        &self,
        start: impl FnOnce() -> io::Result<Child>,
    ) -> Option<io::Result<Child>> {
        let mut state = self.state();
        if matches!(*state, GroupState::Ended) {
            return None;
        }
        let started = start();
        if let Ok(child) = &started {
            *state = GroupState::Running(Pid::from_child(child));
        }
        Some(started)
    }

    /// Kills all processes of the group. Must be called before the leader is waited for. Later
    /// calls do nothing.
    pub(super) fn kill(&self) {
        let mut state = self.state();
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
        *self.state() = GroupState::Ended;
    }

    fn state(&self) -> MutexGuard<'_, GroupState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guard that kills a group on drop.
#[derive(Debug)]
pub(super) struct KillOnDrop(ProcessGroup);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.0.kill();
    }
}
