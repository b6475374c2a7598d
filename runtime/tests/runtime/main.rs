//! What the runtime promises, from outside.
#![allow(clippy::unwrap_used)]

mod define;
mod disclosure;
mod hostile;
mod json;
mod order;
mod owned;
mod rows;
mod search;
mod slash;
mod template;
mod tool_policy;
