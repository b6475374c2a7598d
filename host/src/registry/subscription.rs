//! Who is told of changes.

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

/// A callback, for as long as it is wanted.
pub(crate) struct Subscriber {
    is_wanted: AtomicBool,
    callback: Box<Callback>,
}

impl Subscriber {
    /// Tells of a change, if that is still wanted.
    pub(super) fn tell(&self, change: &RegistryChange, registry: &Registry) {
        if self.is_wanted.load(Ordering::SeqCst) {
            (self.callback)(change, registry);
        }
    }
}

impl SharedRegistry {
    /// Calls `callback` after every change, with what is other than before and with all skills as they were right after it,
    /// until the subscription is dropped.
    ///
    /// - Every change is told once, in the order in which they were made, one after the other: a callback is never called
    ///   twice at once. What changes nothing, such as [`replace`](Self::replace) with an equal skill, is not told.
    /// - No lock is held: a callback may use the registry, change it, subscribe and unsubscribe. A change that it makes is told
    ///   after the one that it is told of.
    /// - It is called by a thread that changes the registry, before that goes on; if several do so at once, one of them tells
    ///   what all of them did. So it should be quick: whoever has more to do sends a message.
    /// - A callback that owns a clone of the registry keeps it alive while it is subscribed.
    /// - If it panics, all others are told first, and then the panic goes on in that thread. The registry works as before.
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
    /// skills.register(PDF)?;
    /// skills.remove("pdf");
    /// drop(subscription);
    /// skills.register(PDF)?; // nobody is told
    ///
    /// let told: Vec<_> = changes.iter().map(|change| (change.added.len(), change.removed.len())).collect();
    /// assert_eq!(told, [(1, 0), (0, 1)]);
    /// # Ok::<(), helix_skills::registry::NameTaken>(())
    /// ```
    pub fn subscribe(
        &self,
        callback: impl Fn(&RegistryChange, &Registry) + Send + Sync + 'static,
    ) -> Subscription {
        let subscriber =
            Arc::new(Subscriber { is_wanted: AtomicBool::new(true), callback: Box::new(callback) });
        self.0.write().subscribers.push(Arc::clone(&subscriber));
        Subscription { registry: Arc::downgrade(&self.0), subscriber }
    }
}

/// Ends a subscription when it is dropped: [`SharedRegistry::subscribe`]. It keeps no registry alive.
///
/// No call begins afterwards, but for one that another thread is about to make at that very moment.
#[must_use = "the subscription ends when this is dropped"]
pub struct Subscription {
    registry: Weak<Shared>,
    subscriber: Arc<Subscriber>,
}

impl Subscription {
    /// Goes on for as long as there is a registry.
    pub fn keep(mut self) {
        self.registry = Weak::new();
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let Some(registry) = self.registry.upgrade() else { return };
        self.subscriber.is_wanted.store(false, Ordering::SeqCst);
        let mut state = registry.write();
        let place = state
            .subscribers
            .iter()
            .position(|subscriber| Arc::ptr_eq(subscriber, &self.subscriber));
        let subscriber = place.map(|at| state.subscribers.remove(at));
        drop(state);
        // What the callback has may use the registry when it ends.
        drop(subscriber);
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}
