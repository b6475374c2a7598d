//! Tests of the automation around the program: GitHub Action, release, pre-commit hook, Renovate
//! preset. They run the scripts and compare the names that several files share.
//!
//! The action and the installers use `curl`; the feature `action` tests them against a release on
//! loopback.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

#[cfg(feature = "action")]
mod action;
mod checkout;
mod ci_page;
mod codes;
mod crates;
mod guide;
mod hook;
mod import_cycles;
#[cfg(feature = "action")]
mod installers;
mod language;
mod public_names;
mod release;
mod renovate;
mod results;
mod size;
mod source;
mod test_tables;
mod threats;
mod workflows;
