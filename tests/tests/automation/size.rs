//! The size of each crate, compared with `tests/snapshots/size.txt`: lines of code, without blank
//! lines, comments and tests, and public names. Tests are the files and directories named `tests`,
//! and the modules `mod tests { … }` of other files.
//!
//! A crate that grows past its line fails the test. If the growth is worth it, or a crate has
//! become smaller, run `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test automation size`.
//! The [ceilings](CEILINGS) of all crates together are constants: what is added has to replace
//! something.

use crate::{
    checkout::root,
    language::files,
    public_names::{CRATES, hidden_items, public_names},
    source::CrateSource,
};
use std::{collections::BTreeMap, env, fmt::Write as _, fs};

/// The crate of the program, which has no public names.
const PROGRAM: (&str, &str) = ("helix-skills-cli", "cli/src");

/// The most that all crates together may have.
const CEILINGS: [(&str, usize); 5] = [
    ("lines", 49_000),
    ("public names", 1_000),
    ("attributes `#[doc(hidden)]`", 110),
    ("items that only hidden ones lead to", 220),
    ("hidden methods and fields of other types", 137),
];

/// The size of a crate.
#[derive(Clone, Copy)]
struct Size {
    lines: usize,
    names: usize,
}

/// Returns the number of lines of code of the crate in `directory`.
fn lines_of_code(files: &[(String, String)], directory: &str) -> usize {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    // An inline module of tests ends at the next line that starts with `}`.
    let without_tests = |text: &str| {
        let mut is_test = false;
        let lines = text.lines().filter(|line| {
            let was_test = is_test;
            is_test = (is_test || line.starts_with("mod tests {")) && !line.starts_with('}');
            !was_test && !is_test
        });
        lines.filter(is_code).count()
    };
    let files = files.iter().filter(|(path, _)| {
        let path = path.strip_prefix(directory).and_then(|path| path.strip_prefix('/'));
        path.is_some_and(|path| {
            !path.split('/').any(|part| part.trim_end_matches(".rs") == "tests")
        })
    });
    files.map(|(_, text)| without_tests(text)).sum()
}

fn sizes() -> BTreeMap<String, Size> {
    let (crates, files) = (CRATES.iter().chain([&PROGRAM]), files());
    let size = |directory: &str| Size {
        lines: lines_of_code(&files, directory),
        names: public_names(&CrateSource::read(directory)).len(),
    };
    crates.map(|(name, directory)| ((*name).to_owned(), size(directory))).collect()
}

fn table(sizes: &BTreeMap<String, Size>) -> String {
    let total = sizes.values().fold(Size { lines: 0, names: 0 }, |total, size| Size {
        lines: total.lines + size.lines,
        names: total.names + size.names,
    });
    let mut text = format!("{:<24}{:>8}{:>8}\n", "crate", "lines", "names");
    for (name, Size { lines, names }) in
        sizes.iter().map(|(name, size)| (name.as_str(), *size)).chain([("total", total)])
    {
        writeln!(text, "{name:<24}{lines:>8}{names:>8}").unwrap();
    }
    text
}

#[test]
fn no_crate_grows_past_its_size() {
    let (now, path) = (sizes(), root().join("tests/snapshots/size.txt"));
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, table(&now)).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    let mut grown = Vec::new();
    for (name, Size { lines, names }) in &now {
        let line = text.lines().find(|line| line.split(' ').next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("{name} has no line in {}", path.display()));
        let numbers: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        if *lines > numbers[0] || *names > numbers[1] {
            grown.push(format!("{name}: {lines} lines and {names} names, not {numbers:?}"));
        }
    }
    assert!(grown.is_empty(), "{grown:#?}\nupdate tests/snapshots/size.txt if it is worth it");
}

#[test]
fn all_crates_together_stay_below_their_ceilings() {
    let (now, files) = (sizes(), files());
    let directories = || CRATES.iter().chain([&PROGRAM]).map(|(_, directory)| *directory);
    let is_of_crate = |path: &str| {
        let mut below = directories().filter_map(|directory| path.strip_prefix(directory));
        below.any(|path| path.starts_with('/'))
    };
    let attributes = |(path, text): &(String, String)| {
        if is_of_crate(path) { text.matches("#[doc(hidden)]").count() } else { 0 }
    };
    let hidden = directories().flat_map(|directory| hidden_items(&CrateSource::read(directory)));
    let (members, items): (Vec<_>, Vec<_>) = hidden.partition(|item| item.contains('.'));
    let found = [
        now.values().map(|size| size.lines).sum(),
        now.values().map(|size| size.names).sum(),
        files.iter().map(attributes).sum(),
        items.len(),
        members.len(),
    ];
    let over: Vec<_> = CEILINGS
        .into_iter()
        .zip(found)
        .filter(|((_, most), found)| found > most)
        .map(|((what, most), found)| format!("{found} {what}, not {most}"))
        .collect();
    assert!(over.is_empty(), "{over:#?}\nremove what has no user, or replace something");
}
