//! Manifest entries as data in normal form, so that two entries that ask for the same are equal.

use super::GIT;
use crate::{
    DirPath, ObjectId, SkillName,
    json::{Fields, JsonKind, Reader, Tree, Value},
};
use std::collections::{BTreeMap, BTreeSet};

/// An entry with its values and defaults in normal form. For `skills sync`, two valid entries are
/// the same if and only if these are equal; a test of the manifest's types checks that.
pub(super) type Entry = BTreeMap<String, Tree>;

/// Reads the keys of an entry of this kind that are not taken yet. An invalid value is kept as it
/// is.
pub(super) fn read<'t>(
    entry: &mut Entry,
    kind: &str,
    reader: &mut Reader<'t>,
    fields: &mut Fields<'t>,
) -> Option<()> {
    if kind == GIT {
        entry.insert("skillsDir".to_owned(), Tree::text(&"skills"));
    }
    for (key, value) in fields.others() {
        let value = data(reader, value)?;
        let value = match key {
            "include" => Some(sorted(value)),
            "exclude" => without_default(sorted(value)),
            "rename" => without_default(each(value, &|name| {
                Some(text(name, &|name| SkillName::new(name).ok().map(|name| name.to_string())))
            })),
            "files" => without_default(each(value, &|globs| without_default(sorted(globs)))),
            "version" => Some(text(value, &|version| Some(version.trim().to_owned()))),
            "sha" => Some(text(value, &|id| Some(id.parse::<ObjectId>().ok()?.to_string()))),
            "skillsDir" => Some(text(value, &|dir| Some(DirPath::new(dir).ok()?.to_string()))),
            _ => Some(value),
        };
        if let Some(value) = value {
            entry.insert(key.to_owned(), value);
        }
    }
    Some(())
}

/// Converts any value to data. Numbers, which no valid entry has, are kept as they are written.
fn data<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Tree> {
    Some(match value.kind() {
        JsonKind::Null => Tree::Null,
        JsonKind::Boolean => Tree::Boolean(value.source() == "true"),
        JsonKind::String => Tree::Text(value.text()?.into_owned()),
        JsonKind::Number => Tree::Number(value.source().to_owned()),
        JsonKind::Array => {
            Tree::List(value.items().map(|item| data(reader, item)).collect::<Option<_>>()?)
        }
        JsonKind::Object => {
            let mut members = Vec::new();
            let fields = reader.object(value, "an object")?;
            for (key, _, value) in fields.entries() {
                members.push((key, data(reader, value)?));
            }
            Tree::object(members)
        }
    })
}

/// Sorts a list as a set of texts. A list with other items is kept.
fn sorted(value: Tree) -> Tree {
    let Tree::List(items) = &value else { return value };
    let mut texts = BTreeSet::new();
    for item in items {
        let Tree::Text(text) = item else { return value };
        texts.insert(text);
    }
    Tree::texts(texts)
}

/// Changes the values of an object; `None` removes a member.
fn each(value: Tree, change: &dyn Fn(Tree) -> Option<Tree>) -> Tree {
    let Tree::Object(members) = value else { return value };
    let mut changed = Entry::new();
    for (key, value) in members {
        if let Some(value) = change(value) {
            changed.insert(key, value);
        }
    }
    Tree::Object(changed)
}

/// Changes a text to its normal form, if it has one.
fn text(value: Tree, normal: &dyn Fn(&str) -> Option<String>) -> Tree {
    match value {
        Tree::Text(text) => Tree::Text(normal(&text).unwrap_or(text)),
        other => other,
    }
}

/// Returns `None` for an empty list or object, which is the default.
fn without_default(value: Tree) -> Option<Tree> {
    let is_empty = match &value {
        Tree::List(items) => items.is_empty(),
        Tree::Object(members) => members.is_empty(),
        _ => false,
    };
    (!is_empty).then_some(value)
}
