//! How much reading of trees each source may cause.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::GitError;

/// Steps that a source may take for each object of `objects_per_fetch`. A source is read about four times (to find its
/// skills, to plan the fetch, to see that nothing is missing, to take the files), and once more for each link in a chain.
pub(super) const STEPS_PER_OBJECT: u64 = 16;

/// Bytes of a name, a path or a link's target that are one step more.
const BYTES_PER_STEP: usize = 64;

/// Counts what is done for each source of a repository: entries of trees that are parsed, and parts of paths that are
/// looked up.
///
/// A few kilobytes of objects can name each other so often that reading them never ends; a step is a bounded amount of
/// work, however the objects are nested.
pub(super) struct Steps {
    /// Steps of one source.
    limit: u64,
    cancellation: Arc<AtomicBool>,
    /// The source that steps are counted for.
    source: RefCell<String>,
    /// Its steps so far.
    taken: Cell<u64>,
    /// Those of the other sources.
    others: RefCell<HashMap<String, u64>>,
}

impl Steps {
    pub(super) fn new(objects_per_fetch: u64, cancellation: Arc<AtomicBool>) -> Self {
        let limit = objects_per_fetch.saturating_mul(STEPS_PER_OBJECT);
        Self {
            limit,
            cancellation,
            source: RefCell::default(),
            taken: Cell::new(0),
            others: RefCell::default(),
        }
    }

    /// Counts what follows for this source.
    pub(super) fn count_steps_for(&self, source: &str) {
        let before = self.source.replace(source.to_owned());
        let mut others = self.others.borrow_mut();
        others.insert(before, self.taken.get());
        self.taken.set(others.remove(source).unwrap_or_default());
    }

    /// Counts these steps, and one more for each 64 bytes of the text that they are about.
    ///
    /// # Errors
    /// The source has taken all of its steps, or the run was interrupted.
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
    use crate::{Advice, ErrorKind, LimitKind};

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
        assert_eq!(error.advice(), Some(Advice::RaiseLimit(LimitKind::Steps)));
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
