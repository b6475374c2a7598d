//! The handle that interrupts work.

use crate::Error;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A handle that interrupts work from another thread or a signal handler. Clones share one flag.
///
/// Interrupted work fails with [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted) as soon as
/// it is safe. Until a sync renames the first file into place, it stops at once and removes its
/// temporary files; from then on it finishes.
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
    /// Creates a handle that is not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Interrupts all work that holds a clone. It cannot be undone.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Returns whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Returns the flag that [`cancel`](Self::cancel) sets.
    #[cfg(feature = "git")]
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// Returns [`Error::interrupted`] if [`cancel`](Self::cancel) was called.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() { Err(Error::interrupted()) } else { Ok(()) }
    }
}
