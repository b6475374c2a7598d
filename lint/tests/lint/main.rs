//! What authors and reviewers are told, seen from outside.

#![allow(clippy::unwrap_used)]

mod authoring;
#[path = "../../../format/tests/format/cases.rs"]
mod cases;
mod rules;
