//! Errors with their causes, on one line.

use crate::OneLine;
use alloc::{format, string::ToString};
use core::{
    error::Error,
    fmt::{self, Display, Formatter},
    iter,
};

/// Maximum number of causes to print, because a faulty `source()` could be endless.
const MAX_CAUSES: usize = 16;

/// An error and its causes, joined by colons: `cannot read `a`: permission denied`. A cause that is
/// in the message before it is not repeated.
#[derive(Clone, Copy)]
pub struct ErrorChain<'e>(pub &'e (dyn Error + 'e));

impl Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let causes = iter::successors(self.0.source(), |&cause| cause.source()).take(MAX_CAUSES);
        let text = causes.fold(self.0.to_string(), |text, cause| {
            let cause = format!(": {cause}");
            if text.contains(&*OneLine(&cause).to_string()) { text } else { text + &cause }
        });
        f.write_str(&text)
    }
}
