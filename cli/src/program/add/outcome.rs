//! What `skills add` did to the manifest.

use crate::program::args::Pin;
use helix_skills_format::{Source, SourceKey};
use helix_skills_project::manifest::to_json;
use serde_json::Value;

/// Returns what happened to the entry of a source, for JSON documents.
pub(super) fn name(before: Option<&Source>, after: &Source) -> &'static str {
    match before {
        None => "added",
        Some(before) if before == after => "unchanged",
        Some(before) if Pin::of_source(before) != Pin::of_source(after) => "pin-changed",
        Some(_) => "extended",
    }
}

/// Returns what happened to the entry of a source as labels and texts.
pub(super) fn lines(
    key: &SourceKey,
    before: Option<&Source>,
    after: &Source,
) -> Vec<(&'static str, String)> {
    let entry = to_json(after);
    let pin = Pin::of_source(after);
    let described = if pin.is_empty() { String::new() } else { format!(", {}", pin.describe()) };
    let Some(before) = before else {
        return vec![("added", format!("the source {key}{described}"))];
    };
    if before == after {
        let skills = match (&entry["include"], &entry["exclude"]) {
            (Value::Null, Value::Null) => "all skills".to_owned(),
            (Value::Null, excluded) => format!("all skills except {}", text(excluded)),
            (included, _) => format!("{}; for all skills, remove its `include`", text(included)),
        };
        return vec![("unchanged", format!("the source {key} already has {skills}"))];
    }
    let old = Pin::of_source(before);
    let moved = format!("{key} from {} to {}", old.describe(), pin.describe());
    let mut lines = Vec::from_iter((old != pin).then_some(("changed", moved)));
    let mut fields = before.changed_keys(after);
    fields.retain(|field| !["version", "ref", "sha"].contains(&field.as_str()));
    lines.extend(fields.iter().map(|field| match &entry[field] {
        Value::Null => ("removed", format!("{field} from the source {key}{described}")),
        value => ("changed", format!("the source {key}{described}: {field} {}", text(value))),
    }));
    if before.select.include.is_none() && after.select.include.is_some() {
        let text = format!("{key} no longer takes skills by itself that upstream adds");
        lines.push(("note:", text));
    }
    lines
}

/// Returns a value of an entry for users.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
