//! Errors with their causes, on one line.

use core::{
    error::Error,
    fmt::{self, Display, Formatter},
    iter,
};

/// Maximum number of causes to print, because a faulty `source()` could be endless.
const MAX_CAUSES: usize = 16;

/// An error and its causes, joined by colons: `cannot read `a`: permission denied`.
#[derive(Clone, Copy)]
pub struct ErrorChain<'e>(pub &'e (dyn Error + 'e));

impl Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        iter::successors(self.0.source(), |&cause| cause.source())
            .take(MAX_CAUSES)
            .try_for_each(|cause| write!(f, ": {cause}"))
    }
}
