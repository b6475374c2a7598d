//! Tests of the public API.
#![allow(clippy::unwrap_used)]

mod live;
mod preloads;
mod provider;
mod provider_warnings;
mod registry;
mod run;
mod slash;
mod tracker;

use pollster::block_on as wait;
