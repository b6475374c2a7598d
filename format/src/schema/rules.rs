//! Rules between keys of the lockfile.

use super::text;
use crate::lock::LOCK_VERSION;
use schemars::Schema;
use serde_json::{Value, json};

/// Returns the schema of a property.
pub fn property<'s>(schema: &'s mut Schema, name: &str) -> Option<&'s mut Value> {
    schema.get_mut("properties").and_then(|properties| properties.get_mut(name))
}

/// Adds a rule that must also hold.
pub fn also(schema: &mut Schema, rule: Value) {
    match schema.get_mut("allOf") {
        Some(Value::Array(all)) => all.push(rule),
        _ => drop(schema.insert("allOf".to_owned(), json!([rule]))),
    }
}

pub(crate) fn lock_rules(schema: &mut Schema) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let description = "The version of this format.";
        properties.insert(
            "version".to_owned(),
            json!({ "const": LOCK_VERSION, "description": description }),
        );
    }
    if let Some(skills) = property(schema, "skills") {
        // Keys are normalized names.
        let never = format!(r"{}|^[\s\x85]|[\s\x85]$", text::NO_NAME);
        skills["propertyNames"] = json!({ "not": { "pattern": never } });
    }
    schema.insert("required".to_owned(), json!(["version", "sources", "skills"]));
}

pub(crate) fn locked_skill_rules(schema: &mut Schema) {
    if let Some(links) = property(schema, "links") {
        links["propertyNames"] = json!({ "not": { "pattern": text::NO_PATH } });
    }
    if let Some(executable) = property(schema, "executable") {
        executable["items"]["not"] = json!({ "pattern": text::NO_PATH });
    }
}

pub(crate) fn locked_source_rules(schema: &mut Schema) {
    let of_type = |kind: &str| {
        let kind = json!({ "properties": { "type": { "const": kind } }, "required": ["type"] });
        json!({ "properties": { "request": kind } })
    };
    let without = |keys: &[&str]| {
        let never: Vec<Value> = keys.iter().map(|key| json!({ "required": [key] })).collect();
        json!({ "not": { "anyOf": never } })
    };
    // The `ref` of a custom source may be any single line; every other `ref` is a tag or a branch.
    let own =
        json!({ "properties": { "request": { "properties": { "type": { "pattern": "^x-" } } } } });
    let named = json!({ "properties": { "ref": text::ref_name() } });
    also(schema, json!({ "if": own, "then": without(&["plugin"]), "else": named }));
    let git = json!({ "required": ["commit"], "not": { "required": ["plugin"] } });
    also(schema, json!({ "if": of_type("git"), "then": git }));
    let both_hops = json!({ "required": ["commit", "plugin"] });
    also(schema, json!({ "if": of_type("claude-marketplace"), "then": both_hops }));
    also(
        schema,
        json!({ "if": of_type("path"), "then": without(&["commit", "directories", "plugin"]) }),
    );
}

/// A plugin is in its own repository or in the marketplace's commit.
pub(crate) fn locked_plugin_rules(schema: &mut Schema) {
    let together = json!({ "url": ["commit"], "commit": ["url"], "ref": ["url"] });
    schema.insert("dependencies".to_owned(), together);
}
