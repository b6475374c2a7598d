//! Delivering changes to subscribers in order, without holding a lock.
//!
//! One thread at a time delivers changes, including those that other threads make meanwhile. In
//! this way, successive calls of a callback always get the registry that their change led to.

use super::{Shared, Subscriber};
use helix_skills_agent::{Registry, RegistryChange};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Arc,
    thread,
};

/// Changes that were not delivered yet.
#[derive(Default)]
pub(super) struct Queue {
    updates: VecDeque<Update>,
    /// Whether a thread is delivering, which then also delivers new changes.
    is_delivering: bool,
}

/// One change, the registry after it, and the subscribers at that time.
struct Update {
    change: RegistryChange,
    registry: Arc<Registry>,
    subscribers: Vec<Arc<Subscriber>>,
}

impl Queue {
    pub(super) fn push(
        &mut self,
        change: RegistryChange,
        registry: Arc<Registry>,
        subscribers: Vec<Arc<Subscriber>>,
    ) {
        self.updates.push_back(Update { change, registry, subscribers });
    }
}

impl Shared {
    /// Delivers all queued changes, unless another thread is doing so, or this thread is, because a
    /// callback has changed the registry.
    pub(super) fn notify(&self) {
        if std::mem::replace(&mut self.write().queue.is_delivering, true) {
            return;
        }
        let mut delivery = Delivery { shared: self, is_done: false };
        let mut panic = None;
        while let Some(update) = delivery.next() {
            for subscriber in &update.subscribers {
                // No lock is held, and the registry is in a consistent state.
                let result = catch_unwind(AssertUnwindSafe(|| {
                    subscriber.notify(&update.change, &update.registry)
                }));
                panic = panic.or(result.err());
            }
        }
        // A second panic would abort the process.
        if let Some(panic) = panic
            && !thread::panicking()
        {
            resume_unwind(panic);
        }
    }
}

/// An ongoing delivery, by the current thread.
struct Delivery<'s> {
    shared: &'s Shared,
    is_done: bool,
}

impl Delivery<'_> {
    /// Returns the next update. If there is none, the delivery ends.
    fn next(&mut self) -> Option<Update> {
        let queue = &mut self.shared.write().queue;
        let next = queue.updates.pop_front();
        (queue.is_delivering, self.is_done) = (next.is_some(), next.is_none());
        next
    }
}

impl Drop for Delivery<'_> {
    /// If a destructor of a subscriber panics, the flag is reset, so that the next change is
    /// delivered.
    fn drop(&mut self) {
        if !self.is_done {
            self.shared.write().queue.is_delivering = false;
        }
    }
}
