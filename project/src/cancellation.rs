//! Interrupting work.

use crate::Error;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A handle that interrupts work, from another thread or a signal handler. Clones share one flag.
///
/// Interrupted work fails with [`Error::Interrupted`] as soon as that is safe: at once while it waits
/// for a server, and only when manifest, lockfile and store are consistent while it writes.
///
/// ```
/// use helix_skills_project::Cancellation;
/// let cancellation = Cancellation::new();
/// let handle = cancellation.clone();
/// std::thread::spawn(move || handle.cancel()).join().unwrap();
/// assert!(cancellation.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// A handle that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Interrupts all work that holds a clone. It cannot be undone.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The flag that [`cancel`](Self::cancel) sets.
    #[cfg(feature = "git")]
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// Fails if work is to be interrupted.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
