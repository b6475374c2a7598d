//! Tables of pages that name tests, and the tests that they name.

use crate::checkout::{root, text};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Returns the cells of the first table below a heading, row by row.
pub(crate) fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let page = text(page);
    let (_, section) =
        page.split_once(&format!("\n{heading}\n")).expect("the table has its heading");
    let lines = section
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.skip(2).map(cells).collect()
}

/// Returns the names in a cell, each of which is formatted as code.
pub(crate) fn names(cell: &str) -> Vec<String> {
    cell.split(", ").map(|name| name.trim_matches('`').to_owned()).collect()
}

/// A test whose name starts with numbers, such as those of threats.
pub(crate) struct NumberedTest {
    pub(crate) file: String,
    pub(crate) numbers: Vec<u32>,
}

/// Returns the tests below these directories whose names start with `prefix` and a number.
pub(crate) fn numbered_tests(prefix: &str, directories: &[&str]) -> Vec<NumberedTest> {
    let mut files = Vec::new();
    for directory in directories {
        sources(&root().join(directory), &mut files);
    }
    let mut found = Vec::new();
    for path in files {
        let file: Vec<_> =
            path.strip_prefix(root()).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
        let source = fs::read_to_string(&path).unwrap();
        let names = source
            .lines()
            .filter_map(|line| Some(line.trim().strip_prefix("fn ")?.split_once('(')?.0));
        for name in names.filter(|name| has_test(&source, name)) {
            let numbers = numbers_of(name, prefix);
            if !numbers.is_empty() {
                found.push(NumberedTest { file: file.join("/"), numbers });
            }
        }
    }
    found
}

/// Returns the numbers at the start of a name, which may be several: `t04_05_…` has two.
fn numbers_of(name: &str, prefix: &str) -> Vec<u32> {
    let Some(rest) = name.strip_prefix(prefix) else { return Vec::new() };
    rest.split('_').map_while(|part| part.parse().ok()).collect()
}

/// Returns whether a source has a test with this name.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| line.starts_with(&format!("fn {name}(")));
    let attributes =
        lines[..at.unwrap_or(0)].iter().rev().take_while(|line| line.starts_with("#["));
    attributes.into_iter().any(|line| *line == "#[test]")
}

/// Collects the Rust files below a directory.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
