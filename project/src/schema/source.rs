//! The schema of a source: one of several objects, distinguished by `type`.

use crate::manifest::{
    GitSource, MarketplaceSource, OtherSource, PathSource, Pin, Source, VersionPin,
};
use helix_skills_format::RefName;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

impl JsonSchema for Source {
    fn schema_name() -> Cow<'static, str> {
        "Source".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let git = with_type(GitSource::json_schema(generator), "git");
        let marketplace =
            with_type(MarketplaceSource::json_schema(generator), "claude-marketplace");
        let path = with_type(PathSource::json_schema(generator), "path");
        let other = OtherSource::json_schema(generator);
        json_schema!({
            "description": "One source: where skills come from, and which of them are wanted.",
            "oneOf": [git, marketplace, path, other],
        })
    }
}

/// Adds the key `type` with this value to the schema of an object.
fn with_type(mut schema: Schema, kind: &str) -> Schema {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(
            "type".to_owned(),
            json!({ "const": kind, "description": "The type of the source." }),
        );
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.push(json!("type"));
    }
    schema
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
