//! Tables that say which test proves what, and tests that are named after it.

use crate::checkout::{root, text};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A table of a page.
pub(crate) struct Table {
    pub(crate) page: &'static str,
    pub(crate) heading: &'static str,
    /// What a number has before it in the table.
    pub(crate) mark: &'static str,
    /// What the name of a test begins with, before the number.
    pub(crate) prefix: &'static str,
}

/// One line of it: the first cell has numbers, the last two a file and its tests.
pub(crate) struct Line {
    pub(crate) numbers: Vec<u32>,
    pub(crate) file: String,
    pub(crate) tests: Vec<String>,
}

/// A test whose name says what it proves.
pub(crate) struct Named {
    file: String,
    name: String,
}

impl Table {
    pub(crate) fn lines(&self) -> Vec<Line> {
        let page = text(self.page);
        let (_, section) = page.split_once(&format!("\n{}\n", self.heading)).expect("the table has its heading");
        let lines = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
        lines
            .skip(2)
            .map(|line| {
                let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
                let [first, .., file, tests] = cells[..] else { panic!("too few cells: {line}") };
                let code =
                    |cell: &str| cell.split(", ").map(|name| name.trim_matches('`').to_owned()).collect::<Vec<_>>();
                let number = |cell: &str| cell.strip_prefix(self.mark)?.parse().ok();
                let numbers = first.split(", ").map(|cell| number(cell).unwrap_or_else(|| panic!("no number: {line}")));
                let tests = if tests == "–" { Vec::new() } else { code(tests) };
                Line { numbers: numbers.collect(), file: code(file).concat(), tests }
            })
            .collect()
    }

    /// Every test that a line names is in its file, and is named after nothing else.
    pub(crate) fn has_its_tests(&self) {
        for Line { numbers, file, tests } in self.lines().iter().filter(|line| !line.tests.is_empty()) {
            let source = text(file);
            for test in tests {
                assert!(has_test(&source, test), "{file} has no test `{test}`, which is said to prove {numbers:?}");
                let named = self.numbers_of(test);
                assert!(named.is_empty() || named == *numbers, "`{test}` stands in the line of {numbers:?}");
            }
        }
    }

    /// Every test that is named after a line of the table is found by it.
    pub(crate) fn finds(&self, named: &[Named]) {
        let lines = self.lines();
        for Named { file, name } in named {
            let numbers = self.numbers_of(name);
            let is_found = lines.iter().any(|line| line.file == *file && line.numbers == numbers);
            assert!(is_found, "{}: no line of {numbers:?} in {file}, for `{name}`", self.page);
        }
    }

    /// The tests below these directories that are named after something of the table.
    pub(crate) fn named_tests(&self, directories: &[&str]) -> Vec<Named> {
        let mut files = Vec::new();
        for directory in directories {
            sources(&root().join(directory), &mut files);
        }
        let mut found = Vec::new();
        for path in files {
            let file: Vec<_> = path.strip_prefix(root()).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
            let source = fs::read_to_string(&path).unwrap();
            let names = source.lines().filter_map(|line| Some(line.trim().strip_prefix("fn ")?.split_once('(')?.0));
            let named = names.filter(|name| !self.numbers_of(name).is_empty());
            found.extend(named.map(|name| Named { file: file.join("/"), name: name.to_owned() }));
        }
        found
    }

    /// What a test is named after: `row_12_13_a_set` is of two rows.
    fn numbers_of(&self, name: &str) -> Vec<u32> {
        let Some(rest) = name.strip_prefix(self.prefix) else { return Vec::new() };
        rest.split('_').map_while(|part| part.parse().ok()).collect()
    }
}

/// Whether a source has a test of this name.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| line.starts_with(&format!("fn {name}(")));
    let attributes = lines[..at.unwrap_or(0)].iter().rev().take_while(|line| line.starts_with("#["));
    attributes.into_iter().any(|line| *line == "#[test]")
}

/// The sources below a directory.
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
