//! Patterns of the checked texts of a manifest.

use crate::{
    manifest::{SourceType, VersionPin},
    marketplace::PluginName,
};
use helix_skills_format::{
    SkillName,
    schema::text::{BLANK, CONTROL, DOTS, NAME, NO_PREFIX, NO_REF, parts_of_reference},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;
use std::borrow::Cow;

/// The name of a directory: one part of a path.
pub(crate) struct DirectoryName;

/// The beginning of a skill's name.
pub(crate) struct Prefix;

helix_skills_format::schema_texts! {
    SourceType as "SourceType": "^x-[a-z0-9-]{1,62}$", None;
    PluginName as "PluginName": format!(r"^[^/\\{CONTROL}]{{1,128}}$"), Some(DOTS);
    DirectoryName as "DirectoryName": format!(r"^[^/\\{CONTROL}]+$"), Some(DOTS);
    Prefix as "Prefix": format!(r"^({NAME}(\.?{NAME})*\.?)?$"), Some(NO_PREFIX);
    VersionPin as "VersionPin": format!(r"^{BLANK}*({}|{}){BLANK}*$", exact(), range()), Some(NO_REF);
}

fn exact() -> String {
    parts_of_reference("<>=,|")
}

/// Returns a range in cargo's syntax. A version without an operator, a comma or a star is exact,
/// not a range.
fn range() -> String {
    let words = r"[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*";
    let version =
        format!(r"[vV]?[0-9]+((\.([0-9]+|[*xX])){{0,2}}|\.[0-9]+\.[0-9]+(-{words})?(\+{words})?)");
    let operator = format!(r"(\^|~|[<>]{BLANK}*=?|=){BLANK}*");
    let comparators = format!(r"({operator})?{version}({BLANK}*,{BLANK}*({operator})?{version})+");
    format!(r"\*|[vV]?[0-9]+(\.[0-9]+)?\.\*(\.\*)?|{operator}{version}|{comparators}")
}

/// The object `rename`.
pub(crate) struct Renames;

impl JsonSchema for Renames {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Renames".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut names = DirectoryName::json_schema(generator);
        names.remove("type");
        json_schema!({
            "type": "object",
            "propertyNames": names,
            "additionalProperties": SkillName::json_schema(generator),
        })
    }
}

/// The object `files`.
pub(crate) struct Files;

impl JsonSchema for Files {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Files".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let globs = json!({ "type": "array", "items": { "type": "string", "minLength": 1 } });
        let properties = json!({ "exclude": globs, "include": globs });
        json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
    }
}
