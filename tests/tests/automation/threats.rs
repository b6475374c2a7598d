//! The table of threats in `SECURITY.md` and the tests that it names.

use crate::test_tables::{names, numbered_tests, table};
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of the known threats.
const NUMBERS: std::ops::RangeInclusive<u32> = 1..=23;

#[test]
fn security_table_names_exactly_the_files_with_threat_tests() {
    let mut tested: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for test in numbered_tests(
        "t",
        &["runtime", "agent", "format", "lint", "macros", "git", "project", "cli", "tests"],
    ) {
        for threat in test.numbers {
            tested.entry(threat).or_default().insert(test.file.clone());
        }
    }
    assert!(tested.len() > 15, "{tested:?}");
    let mut listed = BTreeSet::new();
    for cells in table("SECURITY.md", "## Threats, measures and tests") {
        let [threat, _, _, files] = &cells[..] else {
            panic!("expected four cells, found {cells:?}")
        };
        let number: u32 = threat
            .strip_prefix('T')
            .and_then(|n| n.parse().ok())
            .expect("a number after `T` in the first cell");
        let files: BTreeSet<String> = names(files).into_iter().filter(|file| file != "–").collect();
        assert_eq!(files, tested.remove(&number).unwrap_or_default(), "{threat}");
        listed.insert(number);
    }
    assert_eq!(listed, NUMBERS.collect());
    assert!(tested.is_empty(), "tests of threats that are not in the table: {tested:?}");
}
