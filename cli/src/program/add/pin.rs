//! Pins on the command line and in the manifest.

use crate::program::args::Add;
use helix_skills_format::Source;
use helix_skills_project::manifest::to_json;
use serde_json::{Map, Value, json};

/// The fields of a source in the manifest.
pub(super) type Entry = Map<String, Value>;

/// The fields of an entry that pin it.
#[derive(PartialEq, Eq)]
pub(super) struct Pin(pub(super) Vec<(&'static str, String)>);

impl Pin {
    const FIELDS: [&str; 3] = ["version", "ref", "sha"];

    /// Returns the pin of the command line.
    pub(super) fn typed(args: &Add) -> Self {
        let version = args.version.as_deref().map(str::trim);
        let values = [version, args.reference.as_deref(), args.sha.as_deref()];
        let fields = Self::FIELDS.into_iter().zip(values);
        Self(fields.filter_map(|(field, value)| Some((field, value?.to_owned()))).collect())
    }

    /// Returns the pin of a source.
    pub(super) fn of_source(source: &Source) -> Self {
        let entry = to_json(source);
        let value = |field: &'static str| Some((field, entry[field].as_str()?.to_owned()));
        Self(Self::FIELDS.into_iter().filter_map(value).collect())
    }

    pub(super) fn get(&self, field: &str) -> Option<&str> {
        let mut fields = self.0.iter();
        fields.find(|(name, _)| *name == field).map(|(_, value)| value.as_str())
    }

    /// Describes the pin: `version 1.2.0`.
    pub(super) fn describe(&self) -> String {
        let fields: Vec<String> =
            self.0.iter().map(|(field, value)| format!("{field} {value}")).collect();
        if fields.is_empty() { "the default branch".to_owned() } else { fields.join(", ") }
    }

    pub(super) fn write(self, entry: &mut Entry) {
        entry.retain(|field, _| !Self::FIELDS.contains(&field.as_str()));
        entry.extend(self.0.into_iter().map(|(field, value)| (field.to_owned(), json!(value))));
    }
}
