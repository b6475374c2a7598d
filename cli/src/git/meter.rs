//! How much of an answer has come, and how fast.

use std::time::Instant;

use super::error::{GitError, TOO_SLOW};
use super::shared::Shared;
use crate::Event;

/// An answer that has not come on, on average, by this many bytes a second is given up ...
const SLOWEST: u64 = 1024;
/// ... once it has taken this many times the stall timeout. Servers may count objects for a while before they send any.
const PATIENCE: u32 = 10;
/// Bytes allowed on top of a pack: framing, capabilities, words for people.
const OVERHEAD: u64 = 16 << 20;
/// References may take this part of the bytes of a pack, and [`OVERHEAD`] in any case. In memory each is several times as
/// long, and the largest repositories have some hundred thousand.
const REFERENCES: u64 = 4;

/// What an answer is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// References, or what a server can do.
    References,
    /// A pack.
    Pack,
}

/// Counts what arrives of one answer.
pub(super) struct Meter {
    received: u64,
    begun: Instant,
}

impl Meter {
    pub(super) fn new() -> Self {
        Self { received: 0, begun: Instant::now() }
    }

    /// So many bytes more. `name` is how messages call the repository.
    ///
    /// # Errors
    /// The answer is longer than allowed, or has been coming too slowly.
    pub(super) fn add(
        &mut self,
        count: usize,
        expected: Expected,
        name: &str,
        shared: &Shared,
    ) -> Result<(), GitError> {
        let options = &shared.options;
        let bytes = count as u64;
        self.received = self.received.saturating_add(bytes);
        if bytes > 0 {
            shared.emit(&Event::Received { url: name, bytes });
        }
        match expected {
            Expected::Pack if self.received > options.bytes_per_fetch.saturating_add(OVERHEAD) => {
                return Err(too_long(name, shared));
            }
            Expected::References if self.received > OVERHEAD.max(options.bytes_per_fetch / REFERENCES) => {
                return Err(GitError::Limit {
                    url: name.to_owned(),
                    what: "bytes in one list of references",
                    field: "limits.bytesPerFetch",
                    limit: OVERHEAD.max(options.bytes_per_fetch / REFERENCES),
                });
            }
            _ => {}
        }
        let elapsed = self.begun.elapsed();
        let is_late = elapsed > options.stall_timeout.saturating_mul(PATIENCE);
        if is_late && self.received < elapsed.as_secs() * SLOWEST {
            return Err(GitError::network(name, "the answer arrives too slowly").hinted(TOO_SLOW));
        }
        Ok(())
    }
}

/// The answer, or the pack in it, is longer than allowed.
pub(super) fn too_long(name: &str, shared: &Shared) -> GitError {
    GitError::Limit {
        url: name.to_owned(),
        what: "bytes in one fetch",
        field: "limits.bytesPerFetch",
        limit: shared.options.bytes_per_fetch,
    }
}
