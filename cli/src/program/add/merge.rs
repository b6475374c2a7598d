//! What `skills add` changes in a source that the manifest already has.

use crate::program::{args::Add, usage_error::usage_error};
use helix_skills_format::SourceKey;
use helix_skills_project::{
    Error,
    manifest::{Pin, Repository, Select, Source},
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the fields that change in the source `key`; `null` for a field to remove.
///
/// # Errors
/// If no skill of the source would be left.
pub(super) fn merge(key: &SourceKey, source: &Source, args: &Add) -> Result<Fields, Error> {
    let mut fields = Fields::new();
    if let Some(repository) = source.repository() {
        merge_pin(repository, args, &mut fields);
    }
    merge_select(source.select(), args, &mut fields);
    if fields.contains(&("include", json!([]))) {
        let what = format!("no skill of the source `{key}` would be left");
        return Err(usage_error(what, format!("run `skills remove {key}`")));
    }
    Ok(fields)
}

/// Fields of a source in the manifest.
pub(super) type Fields = Vec<(&'static str, Value)>;

/// Replaces the pin if one was given that differs.
fn merge_pin(repository: &Repository, args: &Add, fields: &mut Fields) {
    let (before, given) = (pin_fields(repository), given_pin(args));
    if given.iter().zip(&before).any(|(given, before)| given.1.is_some() && given.1 != before.1) {
        fields.extend(given.map(|(field, value)| (field, json!(value))));
    }
}

/// Extends the selection.
fn merge_select(before: &Select, args: &Add, fields: &mut Fields) {
    let (add, drop): (BTreeSet<&String>, BTreeSet<&String>) =
        (args.include.iter().collect(), args.exclude.iter().collect());
    let mut changed = |field, before: Option<&BTreeSet<String>>, after: Vec<&String>| {
        if before.map_or(0, BTreeSet::len) != after.len()
            || before.is_some_and(|before| after.iter().any(|name| !before.contains(*name)))
        {
            let is_removed = field == "exclude" && after.is_empty();
            fields.push((field, if is_removed { Value::Null } else { json!(after) }));
        }
    };
    let excluded = before.exclude.iter().filter(|name| !add.contains(name));
    match &before.include {
        Some(include) => {
            let new = args.include.iter().filter(|name| !include.contains(*name));
            let all = include.iter().chain(new).filter(|name| !drop.contains(name));
            changed("include", Some(include), unique(all));
            changed("exclude", Some(&before.exclude), unique(excluded));
        }
        None => {
            let new = args.exclude.iter().filter(|name| !before.exclude.contains(*name));
            changed("exclude", Some(&before.exclude), unique(excluded.chain(new)));
        }
    }
    let renamed = |(directory, name): &&(String, String)| {
        before.rename.get(directory).is_none_or(|before| before.as_str() != name)
    };
    if args.rename.iter().any(|rename| renamed(&rename)) {
        let mut rename: Map<String, Value> = before
            .rename
            .iter()
            .map(|(directory, name)| (directory.clone(), json!(name.as_str())))
            .collect();
        rename.extend(args.rename.iter().map(|(directory, name)| (directory.clone(), json!(name))));
        fields.push(("rename", Value::Object(rename)));
    }
    if args.prefix.is_some() && args.prefix != before.prefix {
        fields.push(("prefix", json!(args.prefix)));
    }
}
/// Removes repeated names.
fn unique<'n>(names: impl Iterator<Item = &'n String>) -> Vec<&'n String> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}

/// The fields of a pin, as in a manifest.
pub(super) type PinFields = [(&'static str, Option<String>); 3];

/// Returns the pin of the command line.
pub(super) fn given_pin(args: &Add) -> PinFields {
    let version = args.version.as_deref().map(|version| version.trim().to_owned());
    [("version", version), ("ref", args.reference.clone()), ("sha", args.sha.clone())]
}

/// Returns the pin of a source.
pub(super) fn pin_fields(repository: &Repository) -> PinFields {
    let (version, reference) = match &repository.pin {
        Pin::Version(version) => (Some(version.as_str().to_owned()), None),
        Pin::Ref(name) => (None, Some(name.as_str().to_owned())),
        _ => (None, None),
    };
    let sha = repository.sha.as_ref().map(ToString::to_string);
    [("version", version), ("ref", reference), ("sha", sha)]
}

/// Returns whether nothing is pinned.
pub(super) fn is_empty(pin: &PinFields) -> bool {
    pin.iter().all(|(_, value)| value.is_none())
}

/// Describes a pin: `version 1.2.0`.
pub(super) fn describe(pin: &PinFields) -> String {
    let parts: Vec<String> = pin
        .iter()
        .filter_map(|(field, value)| Some(format!("{field} {}", value.as_ref()?)))
        .collect();
    if parts.is_empty() { "the default branch".to_owned() } else { parts.join(", ") }
}
