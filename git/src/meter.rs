//! Meters the size and speed of responses.

use std::time::Instant;

use super::error::{GitError, WAIT_LONGER};
use super::shared::{Expected, Origin};
use crate::FetchEvent;

/// Minimum average rate of a response in each window, in bytes per second.
const SLOWEST: u64 = 1024;
/// Length of a window in stall timeouts. A server may count objects for a while before it sends
/// data.
const WINDOW: u32 = 10;
/// Bytes allowed in addition to a pack: framing, capabilities, progress text.
const OVERHEAD: u64 = 16 << 20;
/// Bytes of a response with a pack that may be something else, in addition to the length of the
/// pack. Limited because each packet costs time, however small it is.
const PADDING: u64 = 32 << 20;
/// The fraction of the bytes of a pack that references may take; at least [`OVERHEAD`]. In memory,
/// references are several times larger, and the largest repositories have several hundred thousand.
const REFERENCES: u64 = 4;

/// Counts the bytes of one response as they arrive.
pub(super) struct Meter {
    received: u64,
    /// Bytes of packs that were read before this response.
    pack_before: u64,
    window: Instant,
    /// Useful bytes at the start of the window.
    useful_before: u64,
}

impl Meter {
    pub(super) fn new(expected: &Expected) -> Self {
        let (pack_before, useful_before) = (expected.pack_bytes(), useful(expected, 0));
        Self { received: 0, pack_before, window: Instant::now(), useful_before }
    }

    /// Counts `count` more bytes.
    ///
    /// # Errors
    /// The response is longer than allowed, or made too little progress in total or in the last
    /// window. For a response with a pack, only bytes of the pack count as progress.
    pub(super) fn add(&mut self, count: usize, origin: &Origin) -> Result<(), GitError> {
        let Origin { name, shared, expected, .. } = origin;
        let options = &shared.options;
        let bytes = count as u64;
        self.received = self.received.saturating_add(bytes);
        if bytes > 0 {
            let is_pack = expected.is_pack();
            shared.emit(&FetchEvent::Received { url: name, bytes, is_pack });
        }
        let references = OVERHEAD.max(options.bytes_per_fetch / REFERENCES);
        if expected.is_pack() {
            if self.received > options.bytes_per_fetch.saturating_add(OVERHEAD) {
                return Err(origin.too_long());
            }
            let pack = expected.pack_bytes() - self.pack_before;
            if self.received > pack.saturating_mul(2).saturating_add(PADDING) {
                return Err(GitError::network(name, "too little of the response is a pack"));
            }
        } else if self.received > references {
            return Err(GitError::limit(
                name,
                "bytes in one list of references",
                "bytesPerFetch",
                references,
            ));
        }
        let elapsed = self.window.elapsed();
        if elapsed > options.stall_timeout.saturating_mul(WINDOW) {
            let useful = useful(expected, self.received);
            let least = elapsed.as_millis() * u128::from(SLOWEST) / 1000;
            if u128::from(useful.saturating_sub(self.useful_before)) < least {
                return Err(GitError::network(name, "the response arrives too slowly")
                    .with_hint(WAIT_LONGER));
            }
            (self.window, self.useful_before) = (Instant::now(), useful);
        }
        Ok(())
    }
}

/// Returns the number of bytes that count as progress, of `received` bytes.
fn useful(expected: &Expected, received: u64) -> u64 {
    if expected.is_pack() { expected.pack_bytes() } else { received }
}
