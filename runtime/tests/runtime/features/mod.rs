//! What the systems promise that the project was created from, row by row of their checklist: each test is named after
//! its row and proves it from outside.
//!
//! The long texts are files in `snapshots`; `UPDATE_EXPECT=1` writes them anew.

mod agents;
mod budget;
mod catalog;
mod conformance;
mod guardrail;
mod history;
mod json;
mod load;
mod preload;
mod profiles;
mod read;
pub(crate) mod set;
