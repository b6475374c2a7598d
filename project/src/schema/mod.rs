//! JSON Schemas of the manifest and the lockfile, for editors and for tools in other languages.
//!
//! They are generated from the types: keys, defaults and descriptions come from the structs and
//! their doc comments, further checks of the parsers from this module. A schema accepts everything
//! that the parser accepts. The parser refuses the following in addition:
//!
//! - duplicate keys; merge conflict markers; in the lockfile, comments and trailing commas
//! - `1.0` and `1e3` as integers, and numbers of more than 64 bits
//! - characters that are not letters, names that Unicode normalization makes invalid, and lengths
//!   in bytes
//! - device names and paths that leave the skill in the keys of `allow`
//! - invalid version ranges that match the pattern; globs with unclosed brackets
//! - `::` or `://` in the path of a local or ssh repository; a port above 65535
//! - contradictions between entries: a locked skill and its source, names that differ only in case,
//!   the URLs of a plugin and of its marketplace
//!
//! The generated files are in `schemas/`; a test compares them with the types.
//!
//! ```
//! let schema = helix_skills_project::schema::manifest();
//! assert_eq!(schema["properties"]["limits"]["allOf"][0]["$ref"], "#/definitions/Limits");
//! ```

mod rules;
mod source;
mod text;

pub(crate) use rules::{manifest_rules, repository_rules};
pub(crate) use text::{DirectoryName, Files, Prefix, Renames};

use crate::manifest::{Lock, Manifest};
use schemars::{JsonSchema, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::Value;

/// Returns the schema of `helix.skills.json`. Comments and trailing commas are not part of it.
#[must_use]
pub fn manifest() -> Value {
    generate::<Manifest>("Manifest of Helix Skills (helix.skills.json)")
}

/// Returns the schema of `helix.skills.lock`.
#[must_use]
pub fn lock() -> Value {
    generate::<Lock>("Lockfile of Helix Skills (helix.skills.lock), version 1")
}

/// Generates a schema in draft 7, which all editors support.
fn generate<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft07()
        .with_transform(RecursiveTransform(rules::never_null))
        .with_transform(RecursiveTransform(rules::closed))
        .with_transform(RecursiveTransform(rules::described));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}
