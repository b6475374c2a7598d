//! Recorded cases of what existing systems do.
//!
//! `HELIX_CONFORMANCE` names the file of cases. Without it, the feature `conformance` reads the
//! file next to the checkout, and other runs read the few cases of this repository. The lint crate
//! includes this module too.

use serde_json::Value;
use std::path::PathBuf;

/// The cases as data.
pub(crate) fn document() -> Value {
    let default = if cfg!(feature = "conformance") {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/conformance/cases.json")
    } else {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../format/tests/format/cases.json")
    };
    let path =
        std::env::var_os("HELIX_CONFORMANCE").map_or_else(|| PathBuf::from(default), PathBuf::from);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("cannot read `{}`: {why}", path.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|why| panic!("`{}` is not JSON: {why}", path.display()))
}
