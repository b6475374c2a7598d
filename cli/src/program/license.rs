//! Licenses of skills: embedding a skill redistributes it.

use super::Context;
use console::truncate_str;
use helix_skills_format::{__internal::listed_all, SkillName, SourceKey};
use helix_skills_project::{SyncChange, Synced};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns a license for users.
pub(super) fn shown(license: &Option<String>) -> String {
    license.clone().unwrap_or_else(|| "none found".to_owned())
}

/// Maximum width of a license in a table that has to fit a width.
const MAX_WIDTH: usize = 30;

/// Returns a license for a table, shortened if the table has to fit a width.
pub(super) fn cell(license: &Option<String>, width: Option<usize>) -> String {
    let most = width.map_or(usize::MAX, |_| MAX_WIDTH);
    truncate_str(&shown(license), most, "…").into_owned()
}

/// Prints the licenses of the new skills of a source, one line per license. Returns them as JSON.
pub(super) fn print(context: &Context<'_>, key: &SourceKey, synced: &Synced) -> Value {
    let is_new = |name: &SkillName| synced.changes.get(name) != Some(&SyncChange::Unchanged);
    let skills = synced.lock.skills_of(key).map(|(name, _)| name).filter(|name| is_new(name));
    let mut by_license: BTreeMap<String, Vec<&SkillName>> = BTreeMap::new();
    let mut documents = serde_json::Map::new();
    for name in skills {
        let Some(license) = synced.licenses.get(name) else { continue };
        by_license.entry(shown(license)).or_default().push(name);
        documents.insert(name.to_string(), json!(license));
    }
    for (license, skills) in by_license {
        context.output.note("license", format!("{license}: {}", listed_all(skills)));
    }
    Value::Object(documents)
}
