//! Import cycles: files of a crate that import each other, directly or through other files.
//!
//! None are allowed, except between a module and its descendants.

use crate::source::{CrateSource, imports_of};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::{Path, PathBuf},
};
use syn::visit::{self, Visit};

/// Source directories of the crates.
const CRATES: &[&str] = &[
    "agent/src",
    "cli/src",
    "format/src",
    "git/src",
    "host/src",
    "lint/src",
    "macros/src",
    "project/src",
    "runtime/src",
];

/// The files that each file imports.
type Imports<'c> = BTreeMap<&'c Path, BTreeSet<&'c Path>>;

fn imports(source: &CrateSource) -> Imports<'_> {
    let mut imports = Imports::new();
    for (path, module) in &source.modules {
        let mut paths = Paths { source, module: path, found: Vec::new() };
        module.items.iter().for_each(|item| paths.visit_item(item));
        let own: &Path = &module.file;
        let targets = imports.entry(own).or_default();
        for path_of_import in &paths.found {
            let Some(definition) = source.resolve(path, path_of_import) else { continue };
            let Some((defining, module)) = source.module_of(&definition) else { continue };
            let target: &Path = &module.file;
            if target != own && !are_related(path, defining) {
                targets.insert(target);
            }
        }
    }
    imports
}

/// Returns whether one module is an ancestor of the other.
fn are_related(one: &[String], other: &[String]) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// Collects the paths in a module that may refer to items of its crate.
struct Paths<'c> {
    source: &'c CrateSource,
    module: &'c [String],
    found: Vec<Vec<String>>,
}

impl Paths<'_> {
    /// Keeps a path that starts with `crate`, `self` or `super`, or with a module declared in this
    /// one.
    fn keep(&mut self, path: Vec<String>) {
        let Some(first) = path.first() else { return };
        let below: Vec<String> = self.module.iter().cloned().chain([first.clone()]).collect();
        let is_module = path.len() > 1 && self.source.modules.contains_key(&below);
        if matches!(first.as_str(), "crate" | "self" | "super") || is_module {
            self.found.push(path);
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for import in imports_of(item) {
            self.keep(import.path);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        // In a path such as `Type::method`, the last segment is not an item of a module.
        if let Some((_, shorter)) = names.split_last() {
            self.keep(shorter.to_vec());
        }
        self.keep(names);
        visit::visit_path(self, path);
    }
}

/// Returns the groups of at least two files that reach each other.
fn cycles(imports: &Imports<'_>) -> Vec<Vec<PathBuf>> {
    let reachable: BTreeMap<&Path, BTreeSet<&Path>> =
        imports.keys().map(|file| (*file, reach(imports, file))).collect();
    let mut cycles: BTreeSet<Vec<PathBuf>> = BTreeSet::new();
    for (file, reached) in &reachable {
        let mutual: Vec<PathBuf> = reached
            .iter()
            .filter(|other| reachable[*other].contains(file))
            .map(|file| file.to_path_buf())
            .collect();
        if mutual.len() > 1 {
            cycles.insert(mutual);
        }
    }
    cycles.into_iter().collect()
}

fn reach<'c>(imports: &Imports<'c>, from: &Path) -> BTreeSet<&'c Path> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Path> = imports[from].iter().copied().collect();
    while let Some(file) = open.pop() {
        if let Some((file, next)) = imports.get_key_value(file)
            && reached.insert(*file)
        {
            open.extend(next);
        }
    }
    reached
}

#[test]
fn crates_have_no_import_cycles() {
    let mut text = String::new();
    for directory in CRATES {
        let source = CrateSource::read(directory);
        let imports = imports(&source);
        assert!(
            imports.values().any(|targets| targets.len() > 1),
            "found too few imports in {directory}"
        );
        for cycle in cycles(&imports) {
            let files: Vec<String> = cycle.iter().map(|file| file.display().to_string()).collect();
            writeln!(text, "{directory}: {}", files.join(", ")).unwrap();
        }
    }
    assert!(text.is_empty(), "move what both sides need into a third module:\n{text}");
}

#[test]
fn finds_cycle_through_three_files() {
    let [a, b, c, d] = ["a.rs", "b.rs", "c.rs", "d.rs"].map(Path::new);
    let imports = Imports::from([
        (a, BTreeSet::from([b])),
        (b, BTreeSet::from([c, d])),
        (c, BTreeSet::from([a])),
        (d, BTreeSet::new()),
    ]);
    assert_eq!(cycles(&imports), [[a, b, c].map(Path::to_path_buf).to_vec()]);
}
