//! The natural logarithm, which `core` does not provide.

use core::f64::consts::{LN_2, SQRT_2};

/// The upper half of ln 2. Its products with small integers are exact.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0xffff_ffff);
/// The rest of ln 2, including the rounding error of `LN_2` itself.
const LN_2_LOW: f64 = (LN_2 - LN_2_HIGH) + 2.319_046_813_846_3e-17;

/// Returns the natural logarithm of `count` within one unit in the last place; `ln(0)` is 0.
///
/// Indexing and searching use this function on every platform, so that scores are the same to the
/// bit. With `x = 2^k · (1 + f)` and `s = f / (2 + f)`, the result is `k · ln 2 + 2 · atanh(s)`.
/// The series of `atanh` is truncated where the remainder is below a quarter of the last place.
pub(super) fn ln(count: u32) -> f64 {
    let bits = f64::from(count.max(1)).to_bits();
    let mut power = f64::from((bits >> 52) as u32) - 1023.0;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > SQRT_2 {
        mantissa /= 2.0;
        power += 1.0;
    }
    let f = mantissa - 1.0;
    let s = f / (2.0 + f);
    let square = s * s;
    let mut series = 0.0;
    let mut odd = 23.0;
    while odd > 1.0 {
        series = (series + 2.0 / odd) * square;
        odd -= 2.0;
    }
    // 2 · s is f - s · f: the exact first term is added last.
    let half = f * f / 2.0;
    power * LN_2_HIGH - ((half - (s * (half + series) + power * LN_2_LOW)) - f)
}

#[cfg(test)]
mod tests {
    use super::*;

    extern crate std;

    fn ulps(count: u32) -> u64 {
        ln(count).to_bits().abs_diff(f64::from(count).ln().to_bits())
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many numbers, and Miri's own logarithm is deliberately inexact")]
    fn ln_is_within_one_ulp_of_std() {
        assert_eq!((ln(0), ln(1)), (0.0, 0.0));
        for count in (2..300_000).chain((1..=u32::MAX).rev().step_by(9973)) {
            assert!(ulps(count) <= 1, "{count}: {} and {}", ln(count), f64::from(count).ln());
        }
    }
}
