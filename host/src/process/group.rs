//! The processes of one run, as long as there is anything to end.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::{
    io,
    process::Child,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A process group whose leader nobody has waited for: until then its id is nobody else's, and a signal reaches nobody else.
#[derive(Clone, Debug)]
pub(super) struct Group(Arc<Mutex<State>>);

#[derive(Clone, Copy, Debug)]
enum State {
    /// Not yet, and not any more once it runs.
    Idle,
    Running(Pid),
    /// Nothing is to run, or nothing does.
    Over,
}

impl Group {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(State::Idle)))
    }

    /// Ends everything as soon as what is returned is dropped, and lets nothing start after that.
    pub(super) fn ended_on_drop(&self) -> EndedOnDrop {
        EndedOnDrop(self.clone())
    }

    /// Starts the leader; none if it is over before it began.
    pub(super) fn start(
        &self,
        start: impl FnOnce() -> io::Result<Child>,
    ) -> Option<io::Result<Child>> {
        let mut state = self.state();
        if matches!(*state, State::Over) {
            return None;
        }
        let started = start();
        if let Ok(child) = &started {
            *state = State::Running(Pid::from_child(child));
        }
        Some(started)
    }

    /// Kills all of it. To be called before the leader is waited for; afterwards nothing is done any more.
    pub(super) fn end(&self) {
        let mut state = self.state();
        if let State::Running(leader) = *state {
            // Nothing is left to kill where this fails: of a group of which only an exited leader is left, macOS says so.
            let _ = kill_process_group(leader, Signal::KILL);
            // The leader may have gone over to another group of its own making, and somebody is going to wait for it.
            let _ = kill_process(leader, Signal::KILL);
        }
        *state = State::Over;
    }

    /// Forgets it: somebody else has waited for the leader, and its id may be anybody's.
    pub(super) fn forget(&self) {
        *self.state() = State::Over;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What ends a group.
#[derive(Debug)]
pub(super) struct EndedOnDrop(Group);

impl Drop for EndedOnDrop {
    fn drop(&mut self) {
        self.0.end();
    }
}
