//! Recorded cases of what other systems take from an argument, a repository or a marketplace,
//! compared with this program. `HELIX_CONFORMANCE` sets another file of cases.

mod discover;
mod marketplace;
mod source;
mod tree;

use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// What one system did with an input.
struct Case {
    id: String,
    peer: String,
    input: Value,
    expected: Value,
}

impl Case {
    /// Returns a string of the input, if present.
    fn input(&self, key: &str) -> Option<&str> {
        self.input[key].as_str()
    }
}

fn cases(area: &str) -> Vec<Case> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/conformance/cases.json");
    let path =
        std::env::var_os("HELIX_CONFORMANCE").map_or_else(|| PathBuf::from(default), PathBuf::from);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("failed to read {}: {why}", path.display()));
    let document: Value =
        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let all = document["cases"]
        .as_array()
        .expect("a list of cases")
        .iter()
        .filter(|case| case["area"] == area);
    let text = |value: &Value| {
        value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_owned()
    };
    let cases: Vec<_> = all
        .map(|case| Case {
            id: text(&case["id"]),
            peer: text(&case["peer"]).split(' ').next().unwrap_or_default().to_owned(),
            input: case["input"].clone(),
            expected: case["expected"].clone(),
        })
        .collect();
    assert!(!cases.is_empty(), "{} has no cases of the area `{area}`", path.display());
    cases
}

/// Cases with an intended difference to the peer, with the reason.
type Deviations = &'static [(&'static [&'static str], &'static str)];

/// Checks that the differing cases (with their differences) are those of the table, and that each
/// has one reason.
#[track_caller]
fn differences_match_the_table(differ: &BTreeMap<String, String>, deviations: Deviations) {
    let mut reasons = BTreeMap::new();
    for (ids, reason) in deviations {
        for id in *ids {
            assert_eq!(reasons.insert((*id).to_owned(), *reason), None, "{id} has two reasons");
        }
    }
    let unexplained: Vec<_> = differ.iter().filter(|(id, _)| !reasons.contains_key(*id)).collect();
    assert!(unexplained.is_empty(), "differences without a reason in the table:\n{unexplained:#?}");
    let equal: BTreeSet<_> = reasons.iter().filter(|(id, _)| !differ.contains_key(*id)).collect();
    assert!(
        equal.is_empty(),
        "cases without a difference, to be removed from the table:\n{equal:#?}"
    );
}
