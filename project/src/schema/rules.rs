//! Rules between keys, and adjustments of the generated schemas to what the parsers accept.

use helix_skills_format::{
    Code,
    schema::{also, property, text},
};
use schemars::Schema;
use serde_json::{Value, json};

/// Removes `null` as a value, because the parsers refuse it, and `format` of numbers.
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

/// Replaces `unevaluatedProperties`, which draft 7 does not have, by `additionalProperties`.
pub(super) fn closed(schema: &mut Schema) {
    if let Some(is_closed) = schema.remove("unevaluatedProperties") {
        schema.insert("additionalProperties".to_owned(), is_closed);
    }
}

/// Turns doc comments into descriptions: on one line, without the example.
pub(super) fn described(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let words = text.split("```").next().unwrap_or_default().split_whitespace();
        *text = words.collect::<Vec<_>>().join(" ");
    }
}

pub(crate) fn manifest_rules(schema: &mut Schema) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let description = "The URL or path of this schema, for editors.";
        properties
            .insert("$schema".to_owned(), json!({ "type": "string", "description": description }));
    }
    if let Some(allow) = property(schema, "allow") {
        allow["propertyNames"] = json!({ "pattern": text::skill_file() });
        let codes: Vec<&str> = Code::ALL
            .iter()
            .filter(|code| code.can_be_allowed())
            .map(|code| code.as_str())
            .collect();
        allow["additionalProperties"]["items"] = json!({ "enum": codes });
    }
    // All other keys have defaults.
    schema.insert("required".to_owned(), json!(["skills"]));
}

pub(crate) fn repository_rules(schema: &mut Schema) {
    also(schema, json!({ "not": { "required": ["version", "ref"] } }));
    let allowed = json!({ "properties": { "allowInsecure": { "const": true } }, "required": ["allowInsecure"] });
    let secure = json!({ "properties": { "url": { "pattern": text::secure_url() } } });
    also(schema, json!({ "anyOf": [allowed, secure] }));
}
