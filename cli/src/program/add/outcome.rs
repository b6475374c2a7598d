//! What `skills add` did to the manifest.

use super::entry::Pin;
use helix_skills_format::SourceKey;
use helix_skills_project::manifest::{Lock, Select, Source};
use std::collections::BTreeSet;

/// The entry of a source, before and after the command.
pub(super) struct Outcome<'a> {
    pub(super) key: &'a SourceKey,
    pub(super) before: Option<&'a Source>,
    pub(super) after: &'a Source,
}

impl Outcome<'_> {
    /// Returns what happened, for JSON documents.
    pub(super) fn name(&self) -> &'static str {
        match self.before {
            None => "added",
            Some(before) if before == self.after => "unchanged",
            Some(before) if Pin::of_source(before) != Pin::of_source(self.after) => "pin-changed",
            Some(_) => "extended",
        }
    }

    /// Returns what happened as labels and texts, for a person. `lock` is the new lockfile, unless
    /// there was no sync.
    pub(super) fn lines(&self, lock: Option<&Lock>) -> Vec<(&'static str, String)> {
        let key = self.key;
        let after = Pin::of_source(self.after);
        let Some(before) = self.before else {
            let pin =
                if after.0.is_empty() { String::new() } else { format!(", {}", after.describe()) };
            return vec![("added", format!("the source {key}{pin}"))];
        };
        let (old, new) = (before.select(), self.after.select());
        let mut lines = Vec::new();
        if before == self.after {
            lines.push(("unchanged", format!("the source {key} already has {}", selected(new))));
            if new.include.is_some() {
                let text = format!("for all skills of {key}, remove its `include` in the manifest");
                lines.push(("note:", text));
            }
            return lines;
        }
        let before = Pin::of_source(before);
        if before != after {
            // "from version 1.2.0 to 1.3.0"
            let after = match (before.0.first(), after.0.as_slice()) {
                (Some((old, _)), [(field, value)]) if old == field => value.clone(),
                _ => after.describe(),
            };
            lines.push(("changed", format!("{key} from {} to {after}", before.describe())));
        }
        let included = |select: &Select| select.include.clone().unwrap_or_default();
        let added = &(&included(new) - &included(old)) | &(&old.exclude - &new.exclude);
        let removed = &(&included(old) - &included(new)) | &(&new.exclude - &old.exclude);
        if !added.is_empty() {
            lines.push(("added", format!("{} to the source {key}", list(&added))));
        }
        if !removed.is_empty() {
            lines.push(("excluded", format!("{} from the source {key}", list(&removed))));
        }
        for (directory, name) in &new.rename {
            if old.rename.get(directory) != Some(name) {
                lines.push(("renamed", format!("{directory} to {name}")));
            }
        }
        if let Some(prefix) = new.prefix.as_ref().filter(|_| new.prefix != old.prefix) {
            let has_prefix =
                |lock: &Lock| lock.skills_of(key).any(|(name, _)| name.starts_with(prefix));
            lines.push(match lock.is_none_or(has_prefix) {
                true => ("prefixed", format!("the skills of the source {key} with {prefix}")),
                false => {
                    let text = format!("the names of {key}: each skill has one in `rename`");
                    ("unchanged", text)
                }
            });
        }
        lines
    }
}

/// Describes a selection: `pdf, docx`, or `all skills except pdf`.
fn selected(select: &Select) -> String {
    match &select.include {
        Some(include) => list(include),
        None if select.exclude.is_empty() => "all skills".to_owned(),
        None => format!("all skills except {}", list(&select.exclude)),
    }
}

fn list(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
