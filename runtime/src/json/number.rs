//! Whole numbers in JSON.

/// Returns the value of a JSON number if it is whole and from 0 to `u64::MAX`, as `2`, `2.0`,
/// `20e-1` and `-0` are. Reads the digits without rounding.
pub(crate) fn whole(number: &str) -> Option<u64> {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (digits, exponent) = match digits.split_once(['e', 'E']) {
        // An exponent out of range of an `i32` is replaced by the limit; either way, only zero is
        // whole and in range.
        Some((digits, exponent)) => (digits, saturated(exponent)),
        None => (digits, 0),
    };
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let point = i64::try_from(before.len()).ok()?.saturating_add(exponent);
    let (mut value, mut at) = (0_u64, 0_i64);
    for digit in before.bytes().chain(after.bytes()).map(|byte| byte.wrapping_sub(b'0')) {
        match digit {
            _ if at < point => value = value.checked_mul(10)?.checked_add(u64::from(digit))?,
            0 => {}
            _ => return None,
        }
        at += 1;
    }
    while value > 0 && at < point {
        value = value.checked_mul(10)?;
        at += 1;
    }
    (value == 0 || !number.starts_with('-')).then_some(value)
}

/// Parses an exponent, or returns the closest `i32`.
fn saturated(exponent: &str) -> i64 {
    let negative = exponent.starts_with('-');
    let limit = i64::from(if negative { i32::MIN } else { i32::MAX });
    exponent.parse::<i32>().map_or(limit, i64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_in_any_notation() {
        for (number, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("-0.0e5", Some(0)),
            ("2", Some(2)),
            ("2.0", Some(2)),
            ("2.50e1", Some(25)),
            ("20e-1", Some(2)),
            ("1e19", Some(10_000_000_000_000_000_000)),
            ("18446744073709551615", Some(u64::MAX)),
            ("0.000e999999999999", Some(0)),
            ("0e-999999999999", Some(0)),
            ("18446744073709551616", None),
            ("1e20", None),
            ("1e999999999999", None),
            ("1e-999999999999", None),
            ("1.5", None),
            ("25e-1", None),
            ("-1", None),
        ] {
            assert_eq!(whole(number), value, "{number}");
        }
    }
}
