//! Waiting: polling of cancellation requests, and locks.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a wait checks whether the operation was cancelled.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Locks a mutex whose value is valid even if a thread panicked while it held the lock.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
