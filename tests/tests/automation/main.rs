//! What runs around the program: the GitHub Action, the release, the pre-commit hook, the Renovate preset. Their scripts
//! run here against a release on loopback, and every name that two files must share is compared.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod action;
mod checkout;
mod hook;
mod readme;
mod release;
mod releases;
mod renovate;
mod workflows;
