//! The table of `SECURITY.md` that says what stops which threat, and where that is proved.

use crate::proofs::{named_tests, names, table};
use std::collections::{BTreeMap, BTreeSet};

/// The threats that are known, by number.
const KNOWN: std::ops::RangeInclusive<u32> = 1..=23;

#[test]
fn the_table_of_threats_names_the_files_with_their_tests_and_no_others() {
    let mut proved: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for test in named_tests(
        "t",
        &["runtime", "agent", "format", "lint", "macros", "git", "project", "cli", "tests"],
    ) {
        for threat in test.numbers {
            proved.entry(threat).or_default().insert(test.file.clone());
        }
    }
    assert!(proved.len() > 15, "{proved:?}");
    let mut told = BTreeSet::new();
    for cells in table("SECURITY.md", "## Threats, stops and tests") {
        let [threat, _, _, files] = &cells[..] else { panic!("four cells, not these: {cells:?}") };
        let number: u32 =
            threat.strip_prefix('T').and_then(|n| n.parse().ok()).expect("a number after `T`");
        let files: BTreeSet<String> = names(files).into_iter().filter(|file| file != "–").collect();
        assert_eq!(files, proved.remove(&number).unwrap_or_default(), "{threat}");
        told.insert(number);
    }
    assert_eq!(told, KNOWN.collect());
    assert!(proved.is_empty(), "tests of threats that the table does not have: {proved:?}");
}
