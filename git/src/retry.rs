//! Asking again: how often, after which wait, and what a server says about it.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use super::error::Retry;

/// A server that wants a longer wait is given up at once, saying so: a person decides better than a program that seems to
/// hang.
pub(super) const LONGEST: Duration = Duration::from_secs(60);

/// How failed requests are retried. Every request may be: none changes anything on a server.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Retries {
    /// Maximum number of retries of one request.
    pub count: u32,
    /// The wait before the first retry; each further wait is twice as long.
    pub delay: Duration,
}

impl Retries {
    /// No more than `count` retries of a request, the first after `delay`; each further wait is twice
    /// as long.
    #[must_use]
    pub const fn new(count: u32, delay: Duration) -> Self {
        Self { count, delay }
    }

    /// How long to wait before the attempt that follows `attempt`, which failed; none to give up. The first is 1.
    pub(super) fn wait(self, again: Retry, attempt: u32) -> Option<Duration> {
        if attempt > self.count {
            return None;
        }
        match again {
            Retry::Never => None,
            Retry::After(wait) => Some(wait.min(LONGEST)),
            Retry::Soon => {
                let full =
                    self.delay.saturating_mul(1_u32.checked_shl(attempt - 1).unwrap_or(u32::MAX));
                // Half of it is chance, so that many machines that failed at once do not come back at once.
                Some(full.min(LONGEST).mul_f64(0.5 + chance() / 2.0))
            }
        }
    }
}

/// A number from 0 to 1, another one each time: std seeds its hashers so.
fn chance() -> f64 {
    let bits = RandomState::new().hash_one(0_u8) >> 40;
    // 24 bits fit into the float.
    f64::from(u32::try_from(bits).unwrap_or(0)) / f64::from(1_u32 << 24)
}

/// What a `Retry-After` header asks for: a number of seconds, or a date. None for what is neither.
pub(super) fn retry_after(value: &str) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
        // More digits than fit are for ever.
        return Some(value.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let at = gix::date::parse(value, None).ok()?.seconds;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs();
    // A date that has passed asks for no wait.
    Some(Duration::from_secs(u64::try_from(at).ok()?.saturating_sub(now)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const RETRIES: Retries = Retries { count: 3, delay: Duration::from_secs(2) };

    #[test]
    fn waits_double_and_vary_by_half() {
        for (attempt, full) in [(1, 2.0), (2, 4.0), (3, 8.0)] {
            for _ in 0..50 {
                let wait = RETRIES.wait(Retry::Soon, attempt).unwrap().as_secs_f64();
                assert!((full / 2.0..=full).contains(&wait), "{attempt} {wait}");
            }
        }
        assert_eq!(RETRIES.wait(Retry::Soon, 4), None);
        assert_eq!(RETRIES.wait(Retry::Never, 1), None);
        assert_eq!(
            RETRIES.wait(Retry::After(Duration::from_secs(7)), 1),
            Some(Duration::from_secs(7))
        );
        let long = Retries { count: 100, delay: Duration::from_secs(50) };
        assert!(long.wait(Retry::Soon, 90).unwrap() <= LONGEST);
    }

    #[test]
    fn servers_ask_in_seconds_or_by_date() {
        assert_eq!(retry_after(" 120 "), Some(Duration::from_secs(120)));
        assert_eq!(retry_after("0"), Some(Duration::ZERO));
        assert_eq!(retry_after("99999999999999999999999"), Some(Duration::MAX));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        assert!(
            retry_after("Sun, 06 Nov 2294 08:49:37 GMT").unwrap()
                > Duration::from_secs(60 * 60 * 24 * 365)
        );
        for nonsense in ["", "soon", "-5", "1.5", "12 parsecs"] {
            assert!(retry_after(nonsense).is_none_or(|wait| wait < LONGEST), "{nonsense}");
        }
    }
}
