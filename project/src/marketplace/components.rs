//! The components of a plugin other than skills.

use helix_skills_format::__internal::{Data, Fields, Value};
use std::collections::BTreeSet;

/// The keys of components other than skills. They are never stored.
const KEYS: [&str; 11] = [
    "agents",
    "channels",
    "commands",
    "experimental",
    "hooks",
    "lspServers",
    "mcpServers",
    "monitors",
    "outputStyles",
    "themes",
    "workflows",
];

/// Returns the keys that are present and not empty.
pub(super) fn declared(fields: &mut Fields<'_, '_>) -> BTreeSet<&'static str> {
    KEYS.into_iter().filter(|key| fields.take(key).is_some_and(|value| !is_empty(value))).collect()
}

fn is_empty(value: &Value<'_>) -> bool {
    match &value.data {
        Data::Null => true,
        Data::Array(items) => items.is_empty(),
        Data::Object(members) => members.is_empty(),
        _ => false,
    }
}
