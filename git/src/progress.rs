//! What is going on, for callers that show it.

use std::time::Duration;

/// Receives events. Called from several threads, in no particular order, while the work waits: it should return soon.
pub trait FetchProgress: Send + Sync {
    /// Receives one event.
    fn on(&self, event: &FetchEvent<'_>);
}

/// Ignores all events.
impl FetchProgress for () {
    fn on(&self, _: &FetchEvent<'_>) {}
}

/// Something that happened. URLs are without credentials, and texts of servers are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchEvent<'a> {
    /// A line about a request, a redirect or a fallback, for detailed logs.
    Trace {
        /// The line.
        line: &'a str,
    },
    /// A request goes to a server.
    Request {
        /// The repository.
        url: &'a str,
    },
    /// More of an answer came.
    Received {
        /// The repository.
        url: &'a str,
        /// How many bytes came since the last event, as they were sent.
        bytes: u64,
    },
    /// A request failed and is made again.
    Retrying {
        /// The repository.
        url: &'a str,
        /// The number of the next attempt; the first retry is 2.
        attempt: u32,
        /// How long to wait before it.
        wait: Duration,
        /// Why the last attempt failed, in one line that does not repeat the URL.
        why: &'a str,
    },
}
