//! The schema of a source: one of several objects, distinguished by `type`.

use crate::manifest::{Pin, Select, Source, SourceKind, SourceType, VersionPin};
use helix_skills_format::RefName;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

impl JsonSchema for Source {
    fn schema_name() -> Cow<'static, str> {
        "Source".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let select = Select::json_schema(generator).to_value();
        let mut kinds = SourceKind::json_schema(generator).to_value()["oneOf"].take();
        for kind in kinds.as_array_mut().into_iter().flatten() {
            kind["properties"]["type"]["description"] = "The type of the source.".into();
            kind["additionalProperties"] = false.into();
            add_select(kind, &select);
        }
        let mut kind = SourceType::json_schema(generator).to_value();
        kind["description"] = "The type of the source: `x-` and the name of a custom type.".into();
        let mut other = json!({
            "type": "object",
            "description": "A source with a custom type `x-NAME`, registered by a program that uses this library.",
            "properties": { "type": kind },
            "required": ["type"],
            "additionalProperties": true,
        });
        add_select(&mut other, &select);
        if let Value::Array(kinds) = &mut kinds {
            kinds.push(other);
        }
        json_schema!({
            "description": "One source: where skills come from, and which of them are wanted.",
            "oneOf": kinds,
        })
    }
}

/// Adds the keys that select skills to the schema of an entry.
fn add_select(entry: &mut Value, select: &Value) {
    for (key, value) in select["properties"].as_object().into_iter().flatten() {
        entry["properties"][key] = value.clone();
    }
}

impl JsonSchema for Pin {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Pin".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let described = |mut schema: Schema, description: &str| {
            schema.insert("description".to_owned(), description.into());
            schema
        };
        let version = described(
            VersionPin::json_schema(generator),
            "A release, found by its tag: an exact version (`1.2.3`), or a range in cargo's syntax (`^1.2`) for the newest match.",
        );
        let reference =
            described(RefName::json_schema(generator), "A tag or a branch, instead of `version`.");
        json_schema!({ "type": "object", "properties": { "version": version, "ref": reference } })
    }
}
