//! Tests of the runtime's public API.
#![allow(clippy::unwrap_used)]

mod define;
mod disclosure;
mod features;
mod hostile;
mod json;
mod order;
mod owned;
mod search;
mod sets;
mod slash;
mod template;
mod tool_policy;
