//! The library as a program uses it that embeds it: nothing here is the program `skills`, and nothing is hidden from docs.

#![allow(clippy::unwrap_used)]

mod cancelling;
mod notes;
mod sources;
