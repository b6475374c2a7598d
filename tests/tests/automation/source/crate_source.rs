//! The parsed module tree of a crate.

use crate::checkout::root;
use quote::ToTokens as _;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use syn::{Expr, ExprLit, Item, ItemMod, ItemUse, Lit, Meta, UseTree, Visibility};

/// The modules of a crate by path; the path of the root is empty.
pub(crate) struct CrateSource {
    pub(crate) modules: BTreeMap<Vec<String>, Module>,
}

/// A module, in its own file or inline.
pub(crate) struct Module {
    /// The file, relative to the crate's source directory.
    pub(crate) file: PathBuf,
    pub(crate) items: Vec<Item>,
}

/// The item that a path refers to.
pub(crate) struct Definition<'c> {
    pub(crate) module: &'c [String],
    pub(crate) item: &'c Item,
}

impl CrateSource {
    /// Parses the crate whose `lib.rs` or `main.rs` is in `directory`, relative to the root of the
    /// checkout. Skips test modules.
    pub(crate) fn read(directory: &str) -> Self {
        let mut source = Self { modules: BTreeMap::new() };
        let directory = root().join(directory);
        let file = ["lib.rs", "main.rs"]
            .map(Path::new)
            .into_iter()
            .find(|file| directory.join(file).exists())
            .unwrap();
        let text = fs::read_to_string(directory.join(file)).unwrap();
        let items = syn::parse_file(&text).unwrap().items;
        source.insert(&directory, Vec::new(), file, Path::new(""), items);
        source
    }

    /// Adds a module. `child_directory` contains the files of its child modules.
    fn insert(
        &mut self,
        directory: &Path,
        path: Vec<String>,
        file: &Path,
        child_directory: &Path,
        mut items: Vec<Item>,
    ) {
        items.retain(|item| !is_for_tests(item));
        for item in &mut items {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let below: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
            if let Some((_, inner)) = module.content.take() {
                self.insert(directory, below, file, &child_directory.join(&name), inner);
                continue;
            }
            let (own, shared) = (
                child_directory.join(format!("{name}.rs")),
                child_directory.join(&name).join("mod.rs"),
            );
            let found = match path_attribute(module) {
                Some(named) => PathBuf::from(named),
                None if directory.join(&own).is_file() => own,
                None => shared,
            };
            let text = fs::read_to_string(directory.join(&found))
                .unwrap_or_else(|why| panic!("{found:?}: {why}"));
            let inner =
                syn::parse_file(&text).unwrap_or_else(|why| panic!("{found:?}: {why}")).items;
            self.insert(directory, below, &found, &child_directory.join(&name), inner);
        }
        self.modules.insert(path, Module { file: file.to_owned(), items });
    }

    /// Finds the definition of the item that `path` refers to in `module`. Follows imports and
    /// re-exports; returns `None` for items of other crates.
    pub(crate) fn resolve<'c>(
        &'c self,
        module: &'c [String],
        path: &[String],
    ) -> Option<Definition<'c>> {
        self.resolve_within(module, path, 16)
    }

    /// Returns the module that a definition refers to: the item itself if it is a module, otherwise
    /// the module that contains it.
    pub(crate) fn module_of(&self, definition: &Definition<'_>) -> Option<(&[String], &Module)> {
        let mut path = definition.module.to_vec();
        if let Item::Mod(module) = definition.item {
            path.push(module.ident.to_string());
        }
        self.modules.get_key_value(&path).map(|(path, module)| (path.as_slice(), module))
    }

    fn resolve_within<'c>(
        &'c self,
        module: &'c [String],
        path: &[String],
        steps: usize,
    ) -> Option<Definition<'c>> {
        let steps = steps.checked_sub(1)?;
        let (mut at, mut rest) = (module, path);
        loop {
            match rest.first().map(String::as_str)? {
                "crate" => at = &[],
                "self" => {}
                "super" => at = at.split_last()?.1,
                _ => break,
            }
            rest = &rest[1..];
        }
        // Descends to the innermost module of the path.
        while let Some((name, after)) = rest.split_first().filter(|(_, after)| !after.is_empty()) {
            let below: Vec<String> = at.iter().cloned().chain([name.clone()]).collect();
            let Some((below, _)) = self.modules.get_key_value(&below) else { break };
            (at, rest) = (below, after);
        }
        let name = rest.first()?;
        let items = &self.modules.get(at)?.items;
        if let Some(item) = items.iter().find(|item| name_of(item).as_deref() == Some(name)) {
            return Some(Definition { module: at, item });
        }
        let uses = items
            .iter()
            .filter_map(|item| if let Item::Use(item) = item { Some(item) } else { None });
        let imports: Vec<Import> = uses.flat_map(imports_of).collect();
        let named = imports.iter().filter(|import| import.name == *name);
        let globs = imports.iter().filter(|import| import.name == "*");
        let followed = named.map(|import| import.path.clone()).chain(globs.map(|import| {
            let path = import.path.iter();
            path.take(import.path.len() - 1).chain([name]).cloned().collect()
        }));
        let mut followed = followed.filter(|path: &Vec<String>| path.as_slice() != rest);
        followed.find_map(|path| self.resolve_within(at, &path, steps))
    }
}

/// A name imported by a `use`; `*` for a glob.
pub(crate) struct Import {
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
}

/// Returns the names that a `use` imports.
pub(crate) fn imports_of(item: &ItemUse) -> Vec<Import> {
    let mut imports = Vec::new();
    flatten(&item.tree, &mut Vec::new(), &mut imports);
    imports
}

fn flatten(tree: &UseTree, before: &mut Vec<String>, imports: &mut Vec<Import>) {
    let mut add = |name: String, last: String| {
        let path =
            if last == "self" { before.clone() } else { [before.as_slice(), &[last]].concat() };
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
        imports.push(Import { name, path });
    };
    match tree {
        UseTree::Name(name) => add(name.ident.to_string(), name.ident.to_string()),
        UseTree::Rename(rename) => add(rename.rename.to_string(), rename.ident.to_string()),
        UseTree::Glob(_) => add("*".to_owned(), "*".to_owned()),
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, imports);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, imports)),
    }
}

/// Returns the name that an item defines.
pub(crate) fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Returns whether an item is public without restriction.
pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns the text of an attribute such as `cfg(test)`, without white space.
pub(crate) fn attribute(meta: &Meta) -> String {
    meta.to_token_stream().to_string().replace(' ', "")
}

fn is_for_tests(item: &Item) -> bool {
    let attributes = match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => return false,
    };
    let texts = attributes.iter().map(|found| attribute(&found.meta));
    texts.into_iter().any(|text| text == "cfg(test)" || text.starts_with("cfg(all(test,"))
}

/// Returns the path of `#[path = "…"]`.
fn path_attribute(module: &ItemMod) -> Option<String> {
    module.attrs.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}
