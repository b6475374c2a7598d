//! The behavior that each profile promises, tested through the public API.
//!
//! Long texts are files in `snapshots`; `UPDATE_EXPECT=1` rewrites them.

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
