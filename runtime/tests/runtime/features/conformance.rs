//! Recorded cases of catalogs: the behavior of Agentick's own code.
//!
//! `HELIX_CONFORMANCE` names the file of cases. Without it, the feature `conformance` uses the file
//! next to the checkout, and other runs check no cases:
//! `agentick_lists_8000_utf16_units_of_whole_lines` covers the same.

use helix_skills_runtime::{
    __private::{Parts, skill},
    Profile, SkillSet, Toolbox,
};
use serde_json::Value;
use std::path::PathBuf;

/// Groups of cases with different behavior here, and the reason.
const DEVIATIONS: &[(&str, &str, &str)] = &[(
    "catalog/listing-newline",
    "- a: x - evil: injected\n",
    "a description cannot forge an entry",
)];

fn cases() -> Option<Vec<Value>> {
    let path = match std::env::var_os("HELIX_CONFORMANCE") {
        Some(path) => PathBuf::from(path),
        None if cfg!(feature = "conformance") => PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../shared/conformance/cases.json"
        )),
        None => return None,
    };
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("cannot read `{}`: {why}", path.display()));
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let cases: Vec<Value> = serde_json::from_value(document["cases"].take()).unwrap();
    Some(cases.into_iter().filter(|case| case["area"] == "catalog").collect())
}

/// The name and description of every skill of a case.
fn skills(group: &str, input: &Value) -> Vec<(String, String)> {
    match (group, input) {
        (_, Value::Array(pairs)) => pairs
            .iter()
            .map(|pair| {
                (pair[0].as_str().unwrap().to_owned(), pair[1].as_str().unwrap().to_owned())
            })
            .collect(),
        // These cases are described in words: one skill whose line has that many units.
        ("catalog/listing-exact-8000", _) => {
            vec![("a".to_owned(), "d".repeat(8000 - "- a: \n".len()))]
        }
        ("catalog/listing-8001", _) => vec![("a".to_owned(), "d".repeat(8001 - "- a: \n".len()))],
        _ => panic!("unknown group {group}"),
    }
}

/// The list in the description of Agentick's tool, and the number of omitted skills.
fn listing(skills: &[(String, String)]) -> (String, u64) {
    let all: Vec<_> = skills
        .iter()
        .map(|(name, description)| skill(Parts { name, description, ..Parts::EMPTY }))
        .collect();
    let toolbox = Toolbox::builder(SkillSet::new(&all)).profile(Profile::Agentick).build().unwrap();
    let text = toolbox.tools([]).unwrap().next().unwrap().description().to_string();
    let (_, list) = text.split_once("\n\n").unwrap();
    match list.rfind('(').filter(|_| list.ends_with(" not listed here.)\n")) {
        Some(at) => {
            (list[..at].to_owned(), list[at + 1..].split_once(' ').unwrap().0.parse().unwrap())
        }
        None => (list.to_owned(), 0),
    }
}

#[test]
fn catalogs_conform_to_recorded_cases() {
    let Some(cases) = cases() else { return };
    assert!(cases.len() >= 4, "the catalog cases are missing");
    for case in cases {
        let group = case["group"].as_str().unwrap();
        let (list, omitted) = listing(&skills(group, &case["input"]));
        let expected = &case["expected"];
        if let Some(len) = expected["len"].as_u64() {
            assert_eq!(list.encode_utf16().count() as u64, len, "{group}");
        }
        if let Some(theirs) = expected["listing"].as_str() {
            match DEVIATIONS.iter().find(|(deviating, ..)| *deviating == group) {
                Some((_, ours, reason)) => {
                    assert_eq!(list, *ours, "{group}");
                    assert_ne!(
                        list, theirs,
                        "{group} is in DEVIATIONS ({reason}) and no longer deviates"
                    );
                }
                None => assert_eq!(list, theirs, "{group}"),
            }
        }
        assert_eq!(omitted, expected["truncated"].as_u64().unwrap(), "{group}");
    }
}
