//! Texts of skills and arguments of models cannot imitate text that this crate writes.
//!
//! A lenient [`reader`] finds tags, lines and marks in texts with generated attacks. The fuzz
//! targets `render` and `forge` check all other texts for a model in the same way.

pub(crate) mod attacks;
mod forgery;
pub(crate) mod reader;
mod views;

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run: few enough for a debug build, and very few for Miri, which is a
/// thousand times slower.
pub(crate) fn config(cases: u32) -> Config {
    let cases = if cfg!(miri) { 2 } else { cases };
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(4), ..Config::default() }
}
