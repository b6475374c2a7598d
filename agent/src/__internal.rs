//! What the crates of this project share and no user needs. It changes without notice and is exempt
//! from semver.

pub use crate::said::{cut, said, up_to};
