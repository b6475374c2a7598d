//! The library as a program uses it that embeds it: only documented names, and not the program `skills`.

#![allow(clippy::unwrap_used)]

mod cancelling;
mod notes;
mod operations;
mod sources;
