//! What runs around the program: the GitHub Action, the release, the pre-commit hook, the Renovate preset. Their scripts
//! run here, and every name that two files must share is compared. The action installs with `curl`: the feature `action` runs
//! it against a release on loopback.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

#[cfg(feature = "action")]
mod action;
mod checkout;
mod ci_page;
mod circles;
mod codes;
mod features;
mod guide;
mod hook;
mod proofs;
mod public_names;
mod release;
#[cfg(feature = "action")]
mod releases;
mod renovate;
mod source;
mod threats;
mod workflows;
