//! Fuzz targets for every reader of untrusted input: one function of bytes for each, which checks
//! properties that hold for all inputs.
//!
//! [`TARGETS`] run in three ways: by `cargo test`, with mutations of the seeds that are the same in
//! every run ([`drive`]); by the same driver with other numbers and seeds (`HELIX_FUZZ_COUNT`,
//! `HELIX_FUZZ_SEED`); and by libFuzzer, from the separate workspace `fuzz/`. Inputs that failed
//! once are files in `regressions/`, and run first.
//!
//! Private readers of `helix-skills-project` are reached through its feature `fuzzing`, which only
//! this crate enables.

#![forbid(unsafe_code)]

mod checks;
mod driver;
mod mutation;
mod targets;

pub use driver::{drive, regressions};

/// A fuzz target and its inputs.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name, here, in `fuzz/` and in `regressions/`.
    pub name: &'static str,
    /// Runs one input, any bytes, and panics if a property does not hold.
    pub body: fn(&[u8]),
    /// Initial inputs, which are mutated.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words to insert into inputs.
    pub words: &'static [&'static str],
    /// Maximum length of an input that the driver generates, in bytes, which bounds the time of one
    /// execution.
    pub max_len: usize,
    /// Number of executions in `cargo test`.
    pub count: u64,
}

/// All targets.
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
    targets::origin::TARGET,
    targets::pack::TARGET,
    targets::path::TARGET,
    targets::render::TARGET,
    targets::skill_md::TARGET,
    targets::tree::TARGET,
    targets::url::TARGET,
];

/// Returns the target with this name.
///
/// # Panics
/// If it does not exist.
#[must_use]
pub fn target(name: &str) -> &'static Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no fuzz target is called `{name}`"))
}
