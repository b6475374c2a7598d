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
    for item in source.modules.values().flat_map(|module| &module.items) {
        let Item::Impl(found) = item else { continue };
        let Type::Path(of) = &*found.self_ty else { continue };
        if found.trait_.is_some()
            || is_hidden(&found.attrs)
            || of.path.segments.last().is_none_or(|segment| segment.ident != *name)
        {
            continue;
        }
        for inner in &found.items {
            match inner {
                ImplItem::Fn(inner) if is_public(&inner.vis) && !is_hidden(&inner.attrs) => {
                    names.insert(format!("{public}::{}", inner.sig.ident));
                }
                ImplItem::Const(inner) if is_public(&inner.vis) && !is_hidden(&inner.attrs) => {
                    names.insert(format!("{public}::{}", inner.ident));
                }
                _ => {}
            }
        }
    }
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
