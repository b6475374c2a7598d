//! Items that other crates of this project share and users do not need: exempt from semver.

pub use crate::{error_text::truncate_bytes, future::MaybeSync, shell::scripts::Scripts};
