//! Import cycles: modules or files of a crate that import each other, directly or through others.
//!
//! None are allowed between the modules at the top level of a crate, each with all files of its
//! directory, and none between files, except between a module and its descendants. A re-export
//! counts as an import from where the item is defined.

use crate::source::{CrateSource, Module, imports_of};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
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

/// The modules of these crates that still import each other.
const KNOWN: &[(&str, &[&str])] = &[
    ("agent/src", &["provider", "registry", "run", "shell", "toolbox"]),
    ("runtime/src", &["baked", "search", "skill_set"]),
    ("runtime/src", &["catalog", "load", "toolbox"]),
];

/// What imports, and is imported: the name of a module or of a file.
type Unit<'c> = &'c str;

/// The units that each unit imports.
type Imports<'c> = BTreeMap<Unit<'c>, BTreeSet<Unit<'c>>>;

/// Returns the module of the top level that has a module. `None` for the root of the crate.
fn top_level<'c>(path: &'c [String], _: &'c Module) -> Option<Unit<'c>> {
    path.first().map(String::as_str)
}

fn file<'c>(_: &'c [String], module: &'c Module) -> Option<Unit<'c>> {
    module.file.to_str()
}

/// Returns the imports between units. `unit` returns the one that has a module.
fn imports<'c>(
    source: &'c CrateSource,
    unit: fn(&'c [String], &'c Module) -> Option<Unit<'c>>,
) -> Imports<'c> {
    let mut imports = Imports::new();
    for (path, module) in &source.modules {
        let Some(own) = unit(path, module) else { continue };
        let mut paths = Paths { source, module: path, found: Vec::new() };
        module.items.iter().for_each(|item| paths.visit_item(item));
        let targets = imports.entry(own).or_default();
        for path_of_import in &paths.found {
            let Some(definition) = source.resolve(path, path_of_import) else { continue };
            let Some((defining, module)) = source.module_of(&definition) else { continue };
            let target = unit(defining, module).filter(|_| !are_related(path, defining));
            targets.extend(target.filter(|target| *target != own));
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

/// Returns the groups of at least two units that reach each other.
fn cycles<'c>(imports: &Imports<'c>) -> BTreeSet<Vec<Unit<'c>>> {
    let reachable: BTreeMap<Unit<'_>, BTreeSet<Unit<'c>>> =
        imports.keys().map(|unit| (*unit, reach(imports, unit))).collect();
    let mutual = reachable.iter().map(|(unit, reached)| {
        reached.iter().copied().filter(|other| reachable[other].contains(unit)).collect()
    });
    mutual.filter(|cycle: &Vec<_>| cycle.len() > 1).collect()
}

fn reach<'c>(imports: &Imports<'c>, from: Unit<'_>) -> BTreeSet<Unit<'c>> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<Unit<'c>> = imports[from].iter().copied().collect();
    while let Some(unit) = open.pop() {
        if let Some(next) = imports.get(unit)
            && reached.insert(unit)
        {
            open.extend(next);
        }
    }
    reached
}

#[test]
fn crates_have_no_import_cycles() {
    let (mut text, mut known) = (String::new(), Vec::new());
    for directory in CRATES {
        let source = CrateSource::read(directory);
        let (modules, files) = (imports(&source, top_level), imports(&source, file));
        assert!(
            files.values().any(|targets| targets.len() > 1),
            "found too few imports in {directory}"
        );
        for imports in [modules, files] {
            for cycle in cycles(&imports) {
                if let Some(found) = KNOWN.iter().find(|it| **it == (*directory, &cycle[..])) {
                    known.push(*found);
                    continue;
                }
                writeln!(text, "{directory}: {}", cycle.join(", ")).unwrap();
            }
        }
    }
    assert!(text.is_empty(), "move what both sides need into a third module:\n{text}");
    assert_eq!(known, KNOWN, "remove the cycles that are gone");
}

#[test]
fn finds_cycle_through_three_files() {
    let imports = Imports::from([
        ("a.rs", BTreeSet::from(["b.rs"])),
        ("b.rs", BTreeSet::from(["c.rs", "d.rs"])),
        ("c.rs", BTreeSet::from(["a.rs"])),
        ("d.rs", BTreeSet::new()),
    ]);
    assert_eq!(cycles(&imports), BTreeSet::from([vec!["a.rs", "b.rs", "c.rs"]]));
}

#[test]
fn finds_modules_that_import_each_other_through_other_files() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("a")).unwrap();
    for (file, text) in [
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "mod above; mod below; pub(crate) use below::Below;"),
        ("a/above.rs", "use crate::b::B;"),
        ("a/below.rs", "pub(crate) struct Below;"),
        ("b.rs", "use crate::a::Below; pub(crate) struct B(Below);"),
    ] {
        fs::write(directory.path().join(file), text).unwrap();
    }
    let source = CrateSource::read(directory.path().to_str().unwrap());
    assert_eq!(cycles(&imports(&source, file)), BTreeSet::new());
    assert_eq!(cycles(&imports(&source, top_level)), BTreeSet::from([vec!["a", "b"]]));
}
