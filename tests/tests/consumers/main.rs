//! Crates that embed skills, compiled by cargo: valid uses, and the error for each mistake.
//!
//! The crates are below the target directory. They share their own target directory and a copy of
//! the workspace's Cargo.lock, and are not affected by the cargo settings of the test run.
#![allow(clippy::unwrap_used)]

mod bake;
mod broken;
mod build_script;
mod cargo;
mod catalog;
mod concurrent_sync;
mod directories;
mod directory;
mod drift;
mod errors;
mod helix;
mod invisible;
mod marketplace;
mod package;
#[cfg(feature = "packages")]
mod packages;
mod pictures;
mod project;
mod provider;
mod readme;
mod rebuild;
mod runs;
#[cfg(feature = "targets")]
mod targets;
mod tutorials;
mod typed;
mod typed_errors;
mod unnamed;
