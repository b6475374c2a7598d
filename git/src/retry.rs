//! Retries of failed requests.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use super::error::Retry;

/// If a server asks for a longer wait, the request fails at once with a hint: the user can decide
/// better than a program that seems to hang.
pub(super) const LONGEST: Duration = Duration::from_secs(60);

/// Returns the wait after the failed attempt number `attempt`, which starts at 1, or `None` to give
/// up after `retries` retries. The first wait is `delay`, each further one twice as long.
pub(super) fn wait(retries: u32, delay: Duration, again: Retry, attempt: u32) -> Option<Duration> {
    if attempt > retries {
        return None;
    }
    match again {
        Retry::Never | Retry::Handshake => None,
        Retry::After(wait) => Some(wait.min(LONGEST)),
        Retry::Soon => {
            let full = delay.saturating_mul(1_u32.checked_shl(attempt - 1).unwrap_or(u32::MAX));
            // Half of it is random, so that many machines that failed at once do not retry at once.
            Some(full.min(LONGEST).mul_f64(0.5 + chance() / 2.0))
        }
    }
}

/// Returns a random number from 0 to 1; std seeds its hashers randomly.
fn chance() -> f64 {
    let bits = RandomState::new().hash_one(0_u8) >> 40;
    // 24 bits fit into the mantissa.
    f64::from(u32::try_from(bits).unwrap_or(0)) / f64::from(1_u32 << 24)
}

/// Parses a `Retry-After` header: a number of seconds, or a date. Returns `None` for other texts.
pub(super) fn retry_after(value: &str) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
        // A number too large for the type means forever.
        return Some(value.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let at = gix::date::parse(value, None).ok()?.seconds;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs();
    // A date in the past asks for no wait.
    Some(Duration::from_secs(u64::try_from(at).ok()?.saturating_sub(now)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn wait_of(again: Retry, attempt: u32) -> Option<Duration> {
        wait(3, Duration::from_secs(2), again, attempt)
    }

    #[test]
    fn waits_double_and_vary_by_half() {
        for (attempt, full) in [(1, 2.0), (2, 4.0), (3, 8.0)] {
            for _ in 0..50 {
                let wait = wait_of(Retry::Soon, attempt).unwrap().as_secs_f64();
                assert!((full / 2.0..=full).contains(&wait), "{attempt} {wait}");
            }
        }
        assert_eq!(wait_of(Retry::Soon, 4), None);
        assert_eq!(wait_of(Retry::Never, 1), None);
        assert_eq!(wait_of(Retry::After(Duration::from_secs(7)), 1), Some(Duration::from_secs(7)));
        assert!(wait(100, Duration::from_secs(50), Retry::Soon, 90).unwrap() <= LONGEST);
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
        for invalid in ["", "soon", "-5", "1.5", "12 parsecs"] {
            assert!(retry_after(invalid).is_none_or(|wait| wait < LONGEST), "{invalid}");
        }
    }
}
