//! Limits the work of reading trees for each source.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::GitError;

/// Steps that a source may take per object of `objects_per_fetch`. A source is read about four
/// times (to find its skills, to plan the fetch, to check completeness, to read the files), and
/// once more for each link in a chain.
pub(super) const STEPS_PER_OBJECT: u64 = 16;

/// Each further step covers this number of bytes of a name, a path or a link's target.
const BYTES_PER_STEP: usize = 64;

/// Counts the work for each source of a repository: parsed tree entries, and path components that
/// are looked up.
///
/// A few kilobytes of objects can refer to each other so often that reading them never ends; a step
/// is a bounded amount of work, however the objects are nested.
#[derive(Default)]
pub(super) struct Steps {
    /// Maximum number of steps of one source.
    limit: u64,
    cancellation: Arc<AtomicBool>,
    /// The current source.
    source: RefCell<String>,
    /// Steps of the current source so far.
    taken: Cell<u64>,
    /// Steps of the other sources.
    others: RefCell<HashMap<String, u64>>,
}

impl Steps {
    pub(super) fn new(objects_per_fetch: u64, cancellation: Arc<AtomicBool>) -> Self {
        let limit = objects_per_fetch.saturating_mul(STEPS_PER_OBJECT);
        Self { limit, cancellation, ..Self::default() }
    }

    /// Makes `source` the current source.
    pub(super) fn count_steps_for(&self, source: &str) {
        let before = self.source.replace(source.to_owned());
        let mut others = self.others.borrow_mut();
        others.insert(before, self.taken.get());
        self.taken.set(others.remove(source).unwrap_or_default());
    }

    /// Counts `steps`, plus one for each 64 bytes of `text`.
    ///
    /// # Errors
    /// The source has used up its steps, or the operation was cancelled.
    pub(super) fn take(&self, steps: u64, text: usize) -> Result<(), GitError> {
        if self.cancellation.load(Ordering::Relaxed) {
            return Err(GitError::Interrupted);
        }
        let taken = self.taken.get().saturating_add(steps + (text / BYTES_PER_STEP) as u64);
        if taken > self.limit {
            return Err(GitError::Steps { key: self.source.borrow().clone(), limit: self.limit });
        }
        self.taken.set(taken);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn steps_are_counted_per_source() {
        let steps = Steps::new(1, Arc::default());
        steps.count_steps_for("a");
        (0..16).for_each(|_| steps.take(1, 0).unwrap());
        steps.count_steps_for("b");
        steps.take(1, 15 * BYTES_PER_STEP).unwrap();
        steps.count_steps_for("a");
        assert_eq!(steps.take(1, 0).unwrap_err().kind(), ErrorKind::Limit);
        steps.count_steps_for("b");
        let error = steps.take(1, 0).unwrap_err();
        assert!(error.to_string().contains("`b`"), "{error}");
        assert!(error.hint().unwrap().contains("`limits.objectsPerFetch`"));
    }

    #[test]
    fn a_step_fails_after_an_interrupt() {
        let cancellation = Arc::new(AtomicBool::new(false));
        let steps = Steps::new(1, cancellation.clone());
        steps.take(1, 0).unwrap();
        cancellation.store(true, Ordering::Relaxed);
        assert_eq!(steps.take(1, 0).unwrap_err().kind(), ErrorKind::Interrupted);
    }
}
