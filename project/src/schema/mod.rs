//! JSON Schemas of manifest and lock, for editors and for tools in other languages.
//!
//! They are made from the types: keys, defaults and descriptions come from the structs and their doc comments; what the
//! readers check beyond that stands here. A schema accepts everything that a reader accepts. What it cannot refuse, and a
//! reader does:
//!
//! - a key twice; merge markers; in the lock, comments and trailing commas
//! - `1.0` and `1e3` where a whole number is wanted, and numbers of more than 64 bits
//! - which characters are letters, what Unicode's normal form makes of a name, and lengths in bytes
//! - in the keys of `allow`, names of devices and paths that leave the skill
//! - a range that only looks like one of cargo's; a glob whose brackets are not closed
//! - `::` or `://` in the path of a repository that is local or reached by ssh; a port above 65535
//! - what two places say of each other: a locked skill and its source, names that differ only in case, the url of a
//!   plugin and that of its marketplace
//!
//! The files lie in `schemas/`; a test compares them.
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

/// The schema of `helix.skills.json`, comments and trailing commas aside.
#[must_use]
pub fn manifest() -> Value {
    of::<Manifest>("The manifest of Helix Skills, helix.skills.json")
}

/// The schema of `helix.skills.lock`.
#[must_use]
pub fn lock() -> Value {
    of::<Lock>("The lock of Helix Skills, helix.skills.lock, version 1")
}

/// Draft 7, which every editor knows.
fn of<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft07()
        .with_transform(RecursiveTransform(rules::never_null))
        .with_transform(RecursiveTransform(rules::closed))
        .with_transform(RecursiveTransform(rules::described));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}
