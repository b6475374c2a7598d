//! What the runtime promises, from outside.
#![allow(clippy::unwrap_used)]

mod define;
mod disclosure;
mod hostile;
mod live;
mod order;
mod owned;
mod provider;
mod registry;
mod rows;
mod run;
mod search;
mod slash;
mod template;
mod tool_policy;
