//! Tests of findings and notes through the public API.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "corpus")]
mod authoring;
#[cfg(feature = "corpus")]
mod corpus;
mod rules;
