//! Polling of cancellation requests.

use std::time::Duration;

/// How often a wait checks whether the operation was cancelled.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);
