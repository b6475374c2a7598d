//! The table of `ARCHITECTURE.md` that says which test proves which row.

use crate::{
    checkout::text,
    proofs::{has_test, named_tests, names, numbers_of, table},
};
use std::collections::BTreeSet;

/// The rows that have to be there: first and last of each run.
const PROVED: &[(u32, u32)] =
    &[(1, 14), (26, 30), (39, 62), (64, 67), (69, 84), (92, 92), (94, 152)];

/// One line of the table.
struct Line {
    rows: Vec<u32>,
    file: String,
    tests: Vec<String>,
}

fn lines() -> Vec<Line> {
    let line = |cells: Vec<String>| {
        let [rows, _, file, tests] = &cells[..] else { panic!("four cells, not these: {cells:?}") };
        let row = |row: &str| row.parse().unwrap_or_else(|_| panic!("no row: {cells:?}"));
        Line {
            rows: rows.split(", ").map(row).collect(),
            file: names(file).concat(),
            tests: names(tests),
        }
    };
    table("ARCHITECTURE.md", "### Rows and their tests").into_iter().map(line).collect()
}

#[test]
fn every_test_of_the_table_is_there_and_every_row_has_one() {
    let lines = lines();
    for Line { rows, file, tests } in &lines {
        let source = text(file);
        for test in tests {
            assert!(
                has_test(&source, test),
                "{file} has no test `{test}`, which is said to prove {rows:?}"
            );
            let named = numbers_of(test, "row_");
            assert!(named.is_empty() || named == *rows, "`{test}` stands in the line of {rows:?}");
        }
    }
    let proved: BTreeSet<u32> = lines.iter().flat_map(|line| line.rows.iter().copied()).collect();
    let missing: Vec<u32> = PROVED
        .iter()
        .flat_map(|(first, last)| *first..=*last)
        .filter(|row| !proved.contains(row))
        .collect();
    assert!(missing.is_empty(), "rows without a line in the table: {missing:?}");
}

#[test]
fn every_test_that_is_named_after_a_row_is_found_by_the_table() {
    let lines = lines();
    let dirs =
        ["runtime/tests", "agent/tests", "format/tests", "lint/tests", "host/tests", "tests/tests"];
    let named = named_tests("row_", &dirs);
    assert!(named.len() > 80, "{}", named.len());
    for test in named {
        let is_found = lines.iter().any(|line| line.file == test.file && line.rows == test.numbers);
        assert!(
            is_found,
            "the table has no line of {:?} in {}, for `{}`",
            test.numbers, test.file, test.name
        );
    }
}
