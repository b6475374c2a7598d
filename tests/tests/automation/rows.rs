//! The table of `ARCHITECTURE.md` that says which test proves which row.

use crate::checkout::{root, text};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The rows that have to be there: first and last of each run.
const PROVED: [(u32, u32); 16] = [
    (1, 13),
    (26, 30),
    (39, 53),
    (56, 58),
    (60, 60),
    (62, 62),
    (66, 67),
    (70, 70),
    (75, 77),
    (80, 81),
    (98, 98),
    (110, 111),
    (124, 126),
    (133, 133),
    (143, 145),
    (149, 152),
];

/// One line of the table.
struct Line {
    rows: Vec<u32>,
    file: String,
    tests: Vec<String>,
}

fn table() -> Vec<Line> {
    let page = text("ARCHITECTURE.md");
    let (_, section) = page.split_once("\n### Rows and their tests\n").expect("the table has its heading");
    let lines = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    lines
        .skip(2)
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [rows, _, file, tests] = cells[..] else { panic!("four cells, not these: {line}") };
            let code = |cell: &str| cell.split(", ").map(|name| name.trim_matches('`').to_owned()).collect::<Vec<_>>();
            let rows = rows.split(", ").map(|row| row.parse().unwrap_or_else(|_| panic!("no row: {line}"))).collect();
            Line { rows, file: code(file).concat(), tests: code(tests) }
        })
        .collect()
}

/// Whether a source has a test of this name.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| line.starts_with(&format!("fn {name}(")));
    let attributes = lines[..at.unwrap_or(0)].iter().rev().take_while(|line| line.starts_with("#["));
    attributes.into_iter().any(|line| *line == "#[test]")
}

/// The rows that a test is named after: `row_12_13_a_set` is of two.
fn rows_of(name: &str) -> Vec<u32> {
    name.split('_').skip(1).map_while(|part| part.parse().ok()).collect()
}

/// The sources of tests below a directory.
fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_test_of_the_table_is_there_and_every_row_has_one() {
    let lines = table();
    for Line { rows, file, tests } in &lines {
        let source = text(file);
        for test in tests {
            assert!(has_test(&source, test), "{file} has no test `{test}`, which is said to prove {rows:?}");
            let named = rows_of(test);
            assert!(!test.starts_with("row_") || named == *rows, "`{test}` stands in the line of {rows:?}");
        }
    }
    let proved: BTreeSet<u32> = lines.iter().flat_map(|line| line.rows.iter().copied()).collect();
    let missing: Vec<u32> =
        PROVED.iter().flat_map(|(first, last)| *first..=*last).filter(|row| !proved.contains(row)).collect();
    assert!(missing.is_empty(), "rows without a line in the table: {missing:?}");
}

#[test]
fn every_test_that_is_named_after_a_row_is_found_by_the_table() {
    let lines = table();
    let mut files = Vec::new();
    for dir in ["runtime/tests", "format/tests", "tests/tests"] {
        sources(&root().join(dir), &mut files);
    }
    let mut tests = 0;
    for path in files {
        let file = path.strip_prefix(root()).unwrap().iter().map(|part| part.to_str().unwrap()).collect::<Vec<_>>();
        let file = file.join("/");
        let source = fs::read_to_string(&path).unwrap();
        let names = source.lines().filter_map(|line| line.trim().strip_prefix("fn row_")?.split_once('('));
        for (name, _) in names {
            let rows = rows_of(&format!("row_{name}"));
            let is_found = lines.iter().any(|line| line.file == file && line.rows == rows);
            assert!(is_found, "the table has no line of {rows:?} in {file}, for `row_{name}`");
            tests += 1;
        }
    }
    assert!(tests > 80, "{tests}");
}
