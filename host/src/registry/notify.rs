//! Changes are told in their order, without a lock.

use super::{Shared, Subscriber};
use helix_skills_agent::{Registry, RegistryChange};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Arc,
    thread,
};

/// What was not told yet.
#[derive(Default)]
pub(super) struct Queue {
    updates: VecDeque<Update>,
    /// Whether a thread is telling: then it tells what comes meanwhile, too.
    is_served: bool,
}

/// One change, what it led to, and who had subscribed by then.
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
    /// Tells what has changed, unless somebody does already: another thread, or this one, if a callback has changed
    /// something.
    pub(super) fn tell(&self) {
        if std::mem::replace(&mut self.write().queue.is_served, true) {
            return;
        }
        let mut service = Service { shared: self, is_over: false };
        let mut panic = None;
        while let Some(update) = service.next() {
            for subscriber in &update.subscribers {
                // No lock is held, and nothing of the registry is half done.
                let told = catch_unwind(AssertUnwindSafe(|| {
                    subscriber.tell(&update.change, &update.registry)
                }));
                panic = panic.or(told.err());
            }
        }
        // Two at once would end the program.
        if let Some(panic) = panic
            && !thread::panicking()
        {
            resume_unwind(panic);
        }
    }
}

/// The thread that tells.
struct Service<'s> {
    shared: &'s Shared,
    is_over: bool,
}

impl Service<'_> {
    /// What is to be told next. With the last one the service ends.
    fn next(&mut self) -> Option<Update> {
        let queue = &mut self.shared.write().queue;
        let next = queue.updates.pop_front();
        (queue.is_served, self.is_over) = (next.is_some(), next.is_none());
        next
    }
}

impl Drop for Service<'_> {
    /// Where something of a subscriber panicked beside its call, when it ended, the next change finds a queue that nobody serves.
    fn drop(&mut self) {
        if !self.is_over {
            self.shared.write().queue.is_served = false;
        }
    }
}
