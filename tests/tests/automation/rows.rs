//! The table of `ARCHITECTURE.md` that says which test proves which row.

use crate::proofs::Table;
use std::collections::BTreeSet;

const ROWS: Table = Table { page: "ARCHITECTURE.md", heading: "### Rows and their tests", mark: "", prefix: "row_" };

/// The rows that have to be there: first and last of each run.
const PROVED: [(u32, u32); 15] = [
    (1, 13),
    (26, 30),
    (39, 58),
    (60, 60),
    (62, 62),
    (66, 67),
    (70, 70),
    (75, 77),
    (80, 81),
    (98, 98),
    (110, 111),
    (124, 126),
    (129, 133),
    (143, 145),
    (149, 152),
];

#[test]
fn every_test_of_the_table_is_there_and_every_row_has_one() {
    ROWS.has_its_tests();
    let proved: BTreeSet<u32> = ROWS.lines().into_iter().flat_map(|line| line.numbers).collect();
    let missing: Vec<u32> =
        PROVED.iter().flat_map(|(first, last)| *first..=*last).filter(|row| !proved.contains(row)).collect();
    assert!(missing.is_empty(), "rows without a line in the table: {missing:?}");
}

#[test]
fn every_test_that_is_named_after_a_row_is_found_by_the_table() {
    let named = ROWS.named_tests(&["runtime/tests", "format/tests", "tests/tests"]);
    assert!(named.len() > 80, "{}", named.len());
    ROWS.finds(&named);
}
