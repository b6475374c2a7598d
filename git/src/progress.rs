//! Progress events.

use std::time::Duration;

/// A progress event. URLs contain no credentials, and texts from servers are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchEvent<'a> {
    /// A line about a request, a redirect or a fallback, for detailed logs.
    #[doc(hidden)]
    Trace {
        /// The line.
        line: &'a str,
    },
    /// A request is sent to a server.
    Request {
        /// The repository.
        url: &'a str,
    },
    /// More of a response was received.
    Received {
        /// The repository.
        url: &'a str,
        /// Number of bytes received since the last event, as they were sent.
        bytes: u64,
        /// Whether they belong to a response with objects, and not to one with references.
        is_pack: bool,
    },
    /// The session of a repository ended: nothing more is requested.
    Finished {
        /// The repository.
        url: &'a str,
    },
    /// A request failed and will be retried.
    Retrying {
        /// The repository.
        url: &'a str,
        /// The number of the next attempt; 2 for the first retry.
        attempt: u32,
        /// The wait before the next attempt.
        wait: Duration,
        /// Why the last attempt failed, on one line without the URL.
        why: &'a str,
    },
}
