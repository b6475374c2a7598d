//! How much of an answer has arrived, and how fast.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::error::{Advice, GitError, LimitKind};
use super::shared::Shared;
use crate::FetchEvent;

/// Bytes per second that an answer must bring on average in each window.
const SLOWEST: u64 = 1024;
/// Length of a window in stall timeouts. A server may count objects for a while before it sends any.
const WINDOW: u32 = 10;
/// Bytes allowed on top of a pack: framing, capabilities, progress text.
const OVERHEAD: u64 = 16 << 20;
/// Bytes of an answer with a pack that may be something else, in addition to as many as the pack has: each packet costs
/// time, however little it holds.
const PADDING: u64 = 32 << 20;
/// References may take this part of the bytes of a pack, and [`OVERHEAD`] in any case. In memory each is several times as
/// long, and the largest repositories have some hundred thousand.
const REFERENCES: u64 = 4;

/// What the next answers hold, and how much of a pack the reader has taken out of the current one.
///
/// The transport meters every byte, but only the reader of the protocol can tell a pack from progress text.
#[derive(Debug, Default)]
pub(super) struct Expected {
    is_pack: AtomicBool,
    pack_bytes: AtomicU64,
}

impl Expected {
    /// The next answers hold references or capabilities.
    pub(super) fn expect_references(&self) {
        self.is_pack.store(false, Relaxed);
    }

    /// The next answers hold packs.
    pub(super) fn expect_pack(&self) {
        self.is_pack.store(true, Relaxed);
    }

    /// Counts bytes of a pack that were read.
    pub(super) fn add_pack_bytes(&self, count: usize) {
        self.pack_bytes.fetch_add(count as u64, Relaxed);
    }
}

/// Counts the bytes of one answer as they arrive.
pub(super) struct Meter {
    received: u64,
    /// The bytes of packs that were read before this answer.
    pack_before: u64,
    window: Instant,
    /// The useful bytes when the window began.
    useful_before: u64,
}

impl Meter {
    pub(super) fn new(expected: &Expected) -> Self {
        let (pack_before, useful_before) = (expected.pack_bytes.load(Relaxed), useful(expected, 0));
        Self { received: 0, pack_before, window: Instant::now(), useful_before }
    }

    /// Counts `count` more bytes. `name` is what messages call the repository.
    ///
    /// # Errors
    /// The answer is longer than allowed, or brought too little, in all or in the last window. Of an answer with a pack,
    /// only the bytes of the pack count as progress.
    pub(super) fn add(
        &mut self,
        count: usize,
        expected: &Expected,
        name: &str,
        shared: &Shared,
    ) -> Result<(), GitError> {
        let options = &shared.options;
        let bytes = count as u64;
        self.received = self.received.saturating_add(bytes);
        if bytes > 0 {
            shared.emit(&FetchEvent::Received { url: name, bytes });
        }
        let references = OVERHEAD.max(options.bytes_per_fetch / REFERENCES);
        if expected.is_pack.load(Relaxed) {
            if self.received > options.bytes_per_fetch.saturating_add(OVERHEAD) {
                return Err(too_long(name, shared));
            }
            let pack = expected.pack_bytes.load(Relaxed) - self.pack_before;
            if self.received > pack.saturating_mul(2).saturating_add(PADDING) {
                return Err(GitError::network(name, "too little of the answer is a pack"));
            }
        } else if self.received > references {
            return Err(GitError::Limit {
                url: name.to_owned(),
                what: "bytes in one list of references",
                which: LimitKind::PackBytes,
                limit: references,
            });
        }
        let elapsed = self.window.elapsed();
        if elapsed > options.stall_timeout.saturating_mul(WINDOW) {
            let useful = useful(expected, self.received);
            let least = elapsed.as_millis() * u128::from(SLOWEST) / 1000;
            if u128::from(useful.saturating_sub(self.useful_before)) < least {
                return Err(GitError::network(name, "the answer arrives too slowly")
                    .with_advice(Advice::WaitLonger));
            }
            (self.window, self.useful_before) = (Instant::now(), useful);
        }
        Ok(())
    }
}

/// The bytes that show that an answer makes progress, where `received` bytes of it have arrived.
fn useful(expected: &Expected, received: u64) -> u64 {
    if expected.is_pack.load(Relaxed) { expected.pack_bytes.load(Relaxed) } else { received }
}

/// The answer, or the pack in it, is longer than allowed.
pub(super) fn too_long(name: &str, shared: &Shared) -> GitError {
    GitError::Limit {
        url: name.to_owned(),
        what: "bytes in one fetch",
        which: LimitKind::PackBytes,
        limit: shared.options.bytes_per_fetch,
    }
}
