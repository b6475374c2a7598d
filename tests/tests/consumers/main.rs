//! Crates that bake skills, really compiled by cargo: what works, and what each mistake says.
//!
//! They lie below the target directory, share one target directory of their own and a copy of the workspace's
//! Cargo.lock, and see no cargo settings of the test run.
#![allow(clippy::unwrap_used)]

mod bake;
mod beside_sync;
mod broken;
mod build_script;
mod cargo;
mod catalog;
mod directories;
mod directory;
mod errors;
mod invisible;
mod marketplace;
mod package;
mod project;
mod provider;
mod readme;
mod rebuild;
mod runs;
#[cfg(feature = "targets")]
mod targets;
mod typed;
mod typed_errors;
