//! How waits look for a request to stop.

use std::time::Duration;

/// How often a wait looks whether the caller asked to stop.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(50);
