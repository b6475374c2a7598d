//! Nothing that a stranger writes into a skill, and nothing that a model passes on, can be taken for a text of ours.
//!
//! Each property renders skills twice: with texts that were made to deceive, and with harmless ones in their places. A
//! reader who is easy to fool, [`reader`], has to find the same tags, lines and marks in both.

pub(crate) mod attacks;
mod forgery;
mod paths;
pub(crate) mod reader;
mod views;

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run, few enough for a debug build; very few for Miri, which is a thousand times slower.
pub(crate) fn config(cases: u32) -> Config {
    let cases = if cfg!(miri) { 2 } else { cases };
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(4), ..Config::default() }
}
