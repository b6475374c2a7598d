//! The library as an embedding program uses it: only documented names, without the program
//! `skills`.

#![allow(clippy::unwrap_used)]

mod cancellation;
mod operations;
#[cfg(target_os = "linux")]
mod soak;
mod sources;
