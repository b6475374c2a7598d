//! What strangers write, against everything that reads it: one function of bytes for each reader, which holds for all bytes.
//!
//! [`TARGETS`] are driven in three ways: by `cargo test`, with mutations of the seeds that are the same in every run
//! ([`drive`]); by the same driver for as long as one likes (`HELIX_FUZZ_COUNT`, `HELIX_FUZZ_SEED`); and by libFuzzer, from
//! `fuzz/` at the root, which lies outside of the workspace. An input that once failed is a file in `regressions/`, and comes
//! first.

#![forbid(unsafe_code)]

mod checks;
mod driver;
mod mutation;
mod targets;

pub use driver::{drive, regressions};

/// One reader, and what is known about its inputs.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What it is called, here, in `fuzz/` and in `regressions/`.
    pub name: &'static str,
    /// Panics where something is wrong. Any bytes will do.
    pub body: fn(&[u8]),
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// What is worth putting into an input.
    pub words: &'static [&'static str],
    /// Bytes of the longest input that the driver makes, which bounds the time of one execution.
    pub longest: usize,
    /// Executions in `cargo test`.
    pub count: u64,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    targets::answer::TARGET,
    targets::call::TARGET,
    targets::delta::TARGET,
    targets::files::TARGET,
    targets::forge::TARGET,
    targets::index::TARGET,
    targets::json::TARGET,
    targets::listing::TARGET,
    targets::lock::TARGET,
    targets::manifest::TARGET,
    targets::marketplace::TARGET,
    targets::pack::TARGET,
    targets::path::TARGET,
    targets::render::TARGET,
    targets::skill_md::TARGET,
    targets::tree::TARGET,
    targets::url::TARGET,
];

/// The target of a name.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn target(name: &str) -> &'static Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no fuzz target is called `{name}`"))
}
