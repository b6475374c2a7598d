//! The public names of each crate, compared with `tests/snapshots/public`.
//!
//! After an intended change, run `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test
//! automation public_names` and review the updated files. Items that are `#[doc(hidden)]` are not
//! listed.

use crate::source::{CrateSource, attribute, imports_of, is_public, name_of};
use expect_test::expect_file;
use std::collections::BTreeSet;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Type};

/// The published crates and their source directories.
pub(crate) const CRATES: &[(&str, &str)] = &[
    ("helix-skills", "src"),
    ("helix-skills-agent", "agent/src"),
    ("helix-skills-format", "format/src"),
    ("helix-skills-git", "git/src"),
    ("helix-skills-host", "host/src"),
    ("helix-skills-lint", "lint/src"),
    ("helix-skills-macros", "macros/src"),
    ("helix-skills-mcp", "mcp/src"),
    ("helix-skills-project", "project/src"),
    ("helix-skills-runtime", "runtime/src"),
];

/// Returns the public names of a crate: each item by its public path, followed by its members.
pub(crate) fn public_names(source: &CrateSource) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    list(source, &[], "", &mut names);
    names
}

/// Returns the items of a crate that users can reach only through something that is
/// `#[doc(hidden)]`, by the place of their definition: modules, types, functions, constants and
/// macros, and the hidden methods and fields of other types.
pub(crate) fn hidden_items(source: &CrateSource) -> BTreeSet<String> {
    let [mut all, mut open] = [BTreeSet::new(), BTreeSet::new()];
    Reachable { source, with_hidden: true, items: &mut all }.module(&[]);
    Reachable { source, with_hidden: false, items: &mut open }.module(&[]);
    let of_hidden_type = |item: &String| {
        let of = item.split_once('.').map(|(of, _)| of);
        of.is_some_and(|of| !open.contains(of))
    };
    all.difference(&open).filter(|item| !of_hidden_type(item)).cloned().collect()
}

/// The items of a crate that users can reach.
struct Reachable<'c> {
    source: &'c CrateSource,
    with_hidden: bool,
    items: &'c mut BTreeSet<String>,
}

impl Reachable<'_> {
    fn is_open(&self, attributes: &[Attribute]) -> bool {
        self.with_hidden || !is_hidden(attributes)
    }

    fn module(&mut self, path: &[String]) {
        let source = self.source;
        self.items.insert(format!("mod {}", path.join("::")));
        for item in &source.modules[path].items {
            match item {
                Item::Use(used) if is_public(&used.vis) && self.is_open(&used.attrs) => {
                    for import in imports_of(used) {
                        if let Some(glob) = import.path.strip_suffix(&["*".to_owned()])
                            && let Some(found) = source.resolve(path, glob)
                        {
                            self.found(found.module, found.item);
                        } else if let Some(found) = source.resolve(path, &import.path) {
                            self.found(found.module, found.item);
                        }
                    }
                }
                Item::Mod(below) if is_public(&below.vis) && self.is_open(&below.attrs) => {
                    self.found(path, item);
                }
                Item::Macro(found)
                    if has(&found.attrs, "macro_export") && self.is_open(&found.attrs) =>
                {
                    self.items.extend(name_of(item).map(|name| format!("macro {name}!")));
                }
                item if public_attributes(item).is_some_and(|found| self.is_open(found)) => {
                    self.found(path, item);
                }
                _ => {}
            }
        }
    }

    /// Adds an item that is defined in a module, with its public methods and fields.
    fn found(&mut self, module: &[String], item: &Item) {
        let Some(name) = name_of(item) else { return };
        let path: Vec<String> = module.iter().cloned().chain([name.clone()]).collect();
        if matches!(item, Item::Mod(_)) {
            return self.module(&path);
        }
        let path = path.join("::");
        self.items.insert(path.clone());
        let fields = if let Item::Struct(item) = item { Some(&item.fields) } else { None };
        for field in fields.into_iter().flatten() {
            if is_public(&field.vis) && self.is_open(&field.attrs) {
                self.items.extend(field.ident.as_ref().map(|name| format!("{path}.{name}")));
            }
        }
        if matches!(item, Item::Struct(_) | Item::Enum(_)) {
            for (name, attributes) in methods_of(self.source, &name) {
                if attributes.iter().all(|found| self.is_open(found)) {
                    self.items.insert(format!("{path}.{name}()"));
                }
            }
        }
    }
}

fn list(source: &CrateSource, module: &[String], prefix: &str, names: &mut BTreeSet<String>) {
    for item in &source.modules[module].items {
        match item {
            Item::Use(used) if is_public(&used.vis) && !is_hidden(&used.attrs) => {
                for import in imports_of(used) {
                    let public = format!("{prefix}{}", import.name);
                    match source.resolve(module, &import.path) {
                        Some(found) => describe(source, found.item, &public, names),
                        None => {
                            names.insert(format!("{public} = {}", import.path.join("::")));
                        }
                    }
                }
            }
            Item::Mod(below) if is_public(&below.vis) && !is_hidden(&below.attrs) => {
                let name = below.ident.to_string();
                let path: Vec<String> = module.iter().cloned().chain([name.clone()]).collect();
                names.insert(format!("mod {prefix}{name}"));
                list(source, &path, &format!("{prefix}{name}::"), names);
            }
            Item::Macro(found) if has(&found.attrs, "macro_export") && !is_hidden(&found.attrs) => {
                names.extend(name_of(item).map(|name| format!("macro {name}!")));
            }
            item => {
                if let Some((name, _)) =
                    name_of(item).zip(public_attributes(item).filter(|attrs| !is_hidden(attrs)))
                {
                    describe(source, item, &format!("{prefix}{name}"), names);
                }
            }
        }
    }
}

/// Returns the attributes of an item if it is declared public.
fn public_attributes(item: &Item) -> Option<&[Attribute]> {
    let (visibility, attributes) = match item {
        Item::Const(item) => (&item.vis, &item.attrs),
        Item::Enum(item) => (&item.vis, &item.attrs),
        Item::Fn(item) => (&item.vis, &item.attrs),
        Item::Static(item) => (&item.vis, &item.attrs),
        Item::Struct(item) => (&item.vis, &item.attrs),
        Item::Trait(item) => (&item.vis, &item.attrs),
        Item::Type(item) => (&item.vis, &item.attrs),
        _ => return None,
    };
    is_public(visibility).then_some(attributes)
}

/// Adds an item under its public name, with its fields, variants and methods.
fn describe(source: &CrateSource, item: &Item, public: &str, names: &mut BTreeSet<String>) {
    let open = |attributes: &[Attribute]| {
        if has(attributes, "non_exhaustive") { " (non-exhaustive)" } else { "" }
    };
    match item {
        Item::Struct(item) => {
            names.insert(format!("struct {public}{}", open(&item.attrs)));
            fields(&item.fields, public, names);
            methods(source, &item.ident, public, names);
        }
        Item::Enum(item) => {
            names.insert(format!("enum {public}{}", open(&item.attrs)));
            for variant in &item.variants {
                names.insert(format!("{public}::{}{}", variant.ident, open(&variant.attrs)));
            }
            methods(source, &item.ident, public, names);
        }
        Item::Trait(item) => {
            names.insert(format!("trait {public}"));
            for inner in &item.items {
                let name = match inner {
                    TraitItem::Const(inner) => &inner.ident,
                    TraitItem::Fn(inner) => &inner.sig.ident,
                    TraitItem::Type(inner) => &inner.ident,
                    _ => continue,
                };
                names.insert(format!("{public}::{name}"));
            }
        }
        Item::Fn(_) => {
            names.insert(format!("fn {public}"));
        }
        Item::Const(_) | Item::Static(_) => {
            names.insert(format!("const {public}"));
        }
        Item::Type(_) => {
            names.insert(format!("type {public}"));
        }
        Item::Mod(_) => {
            names.insert(format!("mod {public}"));
        }
        _ => {}
    }
}

fn fields(fields: &Fields, public: &str, names: &mut BTreeSet<String>) {
    let is_listed = |field: &syn::Field| is_public(&field.vis) && !is_hidden(&field.attrs);
    for (number, field) in fields.iter().enumerate().filter(|(_, field)| is_listed(field)) {
        let name = field.ident.as_ref().map_or_else(|| number.to_string(), ToString::to_string);
        names.insert(format!("{public}.{name}"));
    }
}

/// Adds the public functions and constants of all inherent implementations in the crate.
fn methods(source: &CrateSource, name: &syn::Ident, public: &str, names: &mut BTreeSet<String>) {
    for (method, attributes) in methods_of(source, &name.to_string()) {
        if !attributes.iter().any(|found| is_hidden(found)) {
            names.insert(format!("{public}::{method}"));
        }
    }
}

/// Returns the public functions and constants of all inherent implementations of a type, with the
/// attributes of the implementation and their own.
fn methods_of<'c>(source: &'c CrateSource, name: &str) -> Vec<(String, [&'c [Attribute]; 2])> {
    let mut methods = Vec::new();
    for item in source.modules.values().flat_map(|module| &module.items) {
        let Item::Impl(found) = item else { continue };
        let Type::Path(of) = &*found.self_ty else { continue };
        if found.trait_.is_some()
            || of.path.segments.last().is_none_or(|segment| segment.ident != name)
        {
            continue;
        }
        for inner in &found.items {
            let (visibility, attributes, name) = match inner {
                ImplItem::Fn(inner) => (&inner.vis, &inner.attrs, &inner.sig.ident),
                ImplItem::Const(inner) => (&inner.vis, &inner.attrs, &inner.ident),
                _ => continue,
            };
            if is_public(visibility) {
                methods.push((name.to_string(), [found.attrs.as_slice(), attributes]));
            }
        }
    }
    methods
}

fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|found| found.path().is_ident(name))
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|found| attribute(&found.meta) == "doc(hidden)")
}

#[test]
fn public_names_match_the_snapshot() {
    for (name, directory) in CRATES {
        let names = public_names(&CrateSource::read(directory));
        assert!(
            !names.is_empty() || *name == "helix-skills-macros",
            "found no public names in {name}"
        );
        let text: String = names.iter().map(|line| format!("{line}\n")).collect();
        let file = format!("{}/snapshots/public/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        expect_file![file].assert_eq(&text);
    }
}
