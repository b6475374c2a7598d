//! Subscriptions to changes of a registry.

use super::{Shared, SharedRegistry};
use helix_skills_agent::{Registry, RegistryChange};
use std::{
    fmt,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

type Callback = dyn Fn(&RegistryChange, &Registry) + Send + Sync;

/// A callback and whether it is still subscribed.
pub(crate) struct Subscriber {
    is_active: AtomicBool,
    callback: Box<Callback>,
}

impl Subscriber {
    /// Calls the callback, unless it was unsubscribed.
    pub(super) fn notify(&self, change: &RegistryChange, registry: &Registry) {
        if self.is_active.load(Ordering::SeqCst) {
            (self.callback)(change, registry);
        }
    }
}

impl SharedRegistry {
    /// Calls `callback` after every change, with the change and the registry right after it, until
    /// the subscription is dropped.
    ///
    /// - Changes are reported once each, in the order in which they were made. A callback is never
    ///   called twice at the same time. An [update](Self::update) without effect is not
    ///   reported.
    /// - No lock is held during a call: a callback may read and change the registry, subscribe and
    ///   unsubscribe. A change that it makes is reported after the current one.
    /// - Callbacks run on a thread that changes the registry, before its call returns. If several
    ///   threads change it at once, one of them reports all changes. A callback should therefore be
    ///   quick, and send a message if there is more to do.
    /// - A callback that owns a clone of the registry keeps it alive while it is subscribed.
    /// - If a callback panics, all others are called first, then the panic continues on that
    ///   thread. The registry stays usable.
    ///
    /// ```
    /// use helix_skills_host::SharedRegistry;
    /// use helix_skills::Skill;
    /// use std::sync::mpsc;
    /// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    ///
    /// let skills = SharedRegistry::new();
    /// let (send, changes) = mpsc::channel();
    /// let subscription = skills.subscribe(move |change, _| drop(send.send(change.clone())));
    /// skills.update(|skills| skills.register(PDF))?;
    /// skills.update(|skills| skills.remove("pdf"));
    /// drop(subscription);
    /// skills.update(|skills| skills.register(PDF))?; // not reported
    ///
    /// let received: Vec<_> =
    ///     changes.iter().map(|change| (change.added.len(), change.removed.len())).collect();
    /// assert_eq!(received, [(1, 0), (0, 1)]);
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    pub fn subscribe(
        &self,
        callback: impl Fn(&RegistryChange, &Registry) + Send + Sync + 'static,
    ) -> Subscription {
        let subscriber =
            Arc::new(Subscriber { is_active: AtomicBool::new(true), callback: Box::new(callback) });
        self.0.write().subscribers.push(Arc::clone(&subscriber));
        Subscription { registry: Arc::downgrade(&self.0), subscriber }
    }
}

/// A subscription, which ends when this is dropped: see [`SharedRegistry::subscribe`]. It does not
/// keep the registry alive.
///
/// After that, the callback is not called any more, except for a call that another thread is just
/// about to make.
#[must_use = "the subscription ends when this is dropped"]
pub struct Subscription {
    registry: Weak<Shared>,
    subscriber: Arc<Subscriber>,
}

impl Subscription {
    /// Keeps the subscription for the lifetime of the registry.
    pub fn keep(mut self) {
        self.registry = Weak::new();
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let Some(registry) = self.registry.upgrade() else { return };
        self.subscriber.is_active.store(false, Ordering::SeqCst);
        let mut state = registry.write();
        let index = state
            .subscribers
            .iter()
            .position(|subscriber| Arc::ptr_eq(subscriber, &self.subscriber));
        let subscriber = index.map(|at| state.subscribers.remove(at));
        drop(state);
        // Dropped without the lock, because destructors of what the callback owns may use the
        // registry.
        drop(subscriber);
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}
