//! What `skills add` did to the manifest.

use super::merge::{describe, pin_fields};
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
            Some(_) if self.pins().is_some() => "pin-changed",
            Some(_) => "extended",
        }
    }

    /// Returns the pin before and after, if it changed.
    fn pins(&self) -> Option<(String, String)> {
        let (before, after) = (self.before?.repository()?, self.after.repository()?);
        let (before, after) = (pin_fields(before), pin_fields(after));
        let differ = before != after;
        let kind = |pin: &str| pin.split_once(' ').map(|(field, _)| field.to_owned());
        let (before, after) = (describe(&before), describe(&after));
        // "from version 1.2.0 to 1.3.0"
        let short = match after.split_once(' ') {
            Some((field, value)) if kind(&before).as_deref() == Some(field) => value.to_owned(),
            _ => after,
        };
        differ.then_some((before, short))
    }

    /// Returns what happened as labels and texts, for a person. `lock` is the new lockfile, unless
    /// there was no sync.
    pub(super) fn lines(&self, lock: Option<&Lock>) -> Vec<(&'static str, String)> {
        let key = self.key;
        let Some(before) = self.before else {
            let pin = self.after.repository().map(pin_fields);
            let pin = pin.filter(|pin| pin.iter().any(|(_, value)| value.is_some()));
            let pin = pin.map(|pin| format!(", {}", describe(&pin))).unwrap_or_default();
            return vec![("added", format!("the source {key}{pin}"))];
        };
        let (old, new) = (before.select(), self.after.select());
        if before == self.after {
            let text = format!("the source {key} already has {}", selected(new));
            let widen = new.include.as_ref().map(|_| {
                let text = format!("for all skills of {key}, remove its `include` in the manifest");
                ("note:", text)
            });
            return [("unchanged", text)].into_iter().chain(widen).collect();
        }
        let mut lines = Vec::new();
        if let Some((before, after)) = self.pins() {
            lines.push(("changed", format!("{key} from {before} to {after}")));
        }
        let empty = BTreeSet::new();
        let included = |select: &Select| select.include.as_ref().unwrap_or(&empty).clone();
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
            let mut names = lock.into_iter().flat_map(|lock| lock.skills_of(key));
            lines.push(match names.all(|(name, _)| !name.starts_with(prefix)) {
                true if lock.is_some() => {
                    let text = format!("the names of {key}: each skill has one in `rename`");
                    ("unchanged", text)
                }
                _ => ("prefixed", format!("the skills of the source {key} with {prefix}")),
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
