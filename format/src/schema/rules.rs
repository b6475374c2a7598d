//! What holds between keys, and how the generator's habits become those of our readers.

use super::text;
use crate::{Code, LOCK_VERSION};
use schemars::Schema;
use serde_json::{Value, json};

/// Nothing of ours may be `null`: a key that is not wanted is left out. Neither has a number a format.
pub(super) fn never_null(schema: &mut Schema) {
    schema.remove("format");
    let null = json!("null");
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| *kind != null);
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    let alternatives = schema.get("anyOf").and_then(Value::as_array);
    let without: Option<Vec<Value>> = alternatives
        .filter(|all| all.iter().any(|one| one["type"] == null))
        .map(|all| all.iter().filter(|one| one["type"] != null).cloned().collect());
    if let Some(without) = without {
        schema.remove("anyOf");
        schema.insert("allOf".to_owned(), Value::Array(without));
    }
}

/// Draft 7 has no other word for an object that is made of several.
pub(super) fn closed(schema: &mut Schema) {
    if let Some(is_closed) = schema.remove("unevaluatedProperties") {
        schema.insert("additionalProperties".to_owned(), is_closed);
    }
}

/// A doc comment as an editor shows it: in one line, without its example.
pub(super) fn described(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let words = text.split("```").next().unwrap_or_default().split_whitespace();
        *text = words.collect::<Vec<_>>().join(" ");
    }
}

fn property<'s>(schema: &'s mut Schema, name: &str) -> Option<&'s mut Value> {
    schema.get_mut("properties").and_then(|properties| properties.get_mut(name))
}

/// Adds what must hold besides all else.
fn also(schema: &mut Schema, rule: Value) {
    match schema.get_mut("allOf") {
        Some(Value::Array(all)) => all.push(rule),
        _ => drop(schema.insert("allOf".to_owned(), json!([rule]))),
    }
}

pub(crate) fn manifest_rules(schema: &mut Schema) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let description = "The address of this schema, for editors.";
        properties.insert("$schema".to_owned(), json!({ "type": "string", "description": description }));
    }
    if let Some(allow) = property(schema, "allow") {
        allow["propertyNames"] = json!({ "pattern": text::skill_file() });
        let codes: Vec<&str> =
            Code::ALL.iter().filter(|code| code.can_be_allowed()).map(|code| code.as_str()).collect();
        allow["additionalProperties"]["items"] = json!({ "enum": codes });
    }
    // Everything else has a default.
    schema.insert("required".to_owned(), json!(["skills"]));
}

pub(crate) fn repository_rules(schema: &mut Schema) {
    also(schema, json!({ "not": { "required": ["version", "ref"] } }));
    let allowed = json!({ "properties": { "allowInsecure": { "const": true } }, "required": ["allowInsecure"] });
    let secure = json!({ "properties": { "url": { "pattern": text::secure_url() } } });
    also(schema, json!({ "anyOf": [allowed, secure] }));
}

pub(crate) fn lock_rules(schema: &mut Schema) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let description = "The version of this format.";
        properties.insert("version".to_owned(), json!({ "const": LOCK_VERSION, "description": description }));
    }
    if let Some(skills) = property(schema, "skills") {
        // A key is the name as it is after it was normalised.
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
    // A source of one's own may call its state as it likes; all others name a tag or a branch.
    let own = json!({ "properties": { "request": { "properties": { "type": { "pattern": "^x-" } } } } });
    let named = json!({ "properties": { "ref": text::ref_name() } });
    also(schema, json!({ "if": own, "then": without(&["plugin"]), "else": named }));
    let git = json!({ "required": ["commit"], "not": { "required": ["plugin"] } });
    also(schema, json!({ "if": of_type("git"), "then": git }));
    let both_hops = json!({ "required": ["commit", "plugin"] });
    also(schema, json!({ "if": of_type("claude-marketplace"), "then": both_hops }));
    also(schema, json!({ "if": of_type("path"), "then": without(&["commit", "directories", "plugin"]) }));
}

/// A plugin lies in a repository of its own, or in the marketplace's commit.
pub(crate) fn locked_plugin_rules(schema: &mut Schema) {
    let together = json!({ "url": ["commit"], "commit": ["url"], "ref": ["url"] });
    schema.insert("dependencies".to_owned(), together);
}
