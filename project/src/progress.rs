//! Progress of long operations.

use std::time::Duration;

/// A receiver of progress events.
///
/// It is called from several threads, in no particular order. It should return quickly, because the
/// work waits for it.
///
/// ```
/// use helix_skills_project::{ProgressEvent, Progress};
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// #[derive(Default)]
/// struct Bytes(AtomicU64);
///
/// impl Progress for Bytes {
///     fn on(&self, event: &ProgressEvent<'_>) {
///         if let ProgressEvent::Received { bytes, .. } = event {
///             self.0.fetch_add(*bytes, Ordering::Relaxed);
///         }
///     }
/// }
/// ```
pub trait Progress: Send + Sync {
    /// Receives an event.
    fn on(&self, event: &ProgressEvent<'_>);
}

/// A progress event. URLs have no credentials, and texts of servers are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgressEvent<'a> {
    /// Another process works on the project; this one waits for it.
    Waiting,
    /// A line about a request, a redirect or a fallback, for verbose output.
    #[doc(hidden)]
    Trace {
        /// The line.
        line: &'a str,
    },
    /// A request is being sent to a server.
    Request {
        /// The repository.
        url: &'a str,
    },
    /// A part of a response was received.
    Received {
        /// The repository.
        url: &'a str,
        /// The size of the part in bytes, as transferred.
        bytes: u64,
        /// Whether the response has objects, such as the files of skills, and not references.
        is_pack: bool,
    },
    /// Nothing more is requested from a repository.
    Finished {
        /// The repository.
        url: &'a str,
    },
    /// A request failed and will be sent again.
    Retrying {
        /// The repository.
        url: &'a str,
        /// The number of the next attempt; the first retry is 2.
        attempt: u32,
        /// The time until the next attempt.
        wait: Duration,
        /// Why the last attempt failed, on one line without the URL.
        why: &'a str,
    },
    /// Files are being written to the store and the cache.
    Writing,
}

/// Ignores all events.
impl Progress for () {
    fn on(&self, _: &ProgressEvent<'_>) {}
}
