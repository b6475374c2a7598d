//! What the crate promises, from outside.
#![allow(clippy::unwrap_used)]

mod history;
mod live;
mod provider;
mod registry;
mod run;
mod slash;

use pollster::block_on as wait;
