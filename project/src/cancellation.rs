//! Asking work to stop.

use crate::Error;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Asks work to stop, from another thread or a signal handler. Clones are one and the same.
///
/// What was asked to stop ends with [`Error::Interrupted`] as soon as that is safe: while it waits for a server at once,
/// while it writes into a project when manifest, lock and store are whole.
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
    /// Nothing was asked yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everything that holds a clone to stop. There is no way back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// The flag that [`cancel`](Self::cancel) sets.
    #[cfg(feature = "git")]
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// An error, if somebody asked.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
