//! What `skills add` did to the manifest.

use super::select::Keys;
use crate::program::args::Pin;
use helix_skills_format::{Select, Source, SourceKey, SourceKind};
use std::collections::BTreeSet;

/// Returns what happened to the entry of a source, for JSON documents.
pub(super) fn name(before: Option<&Source>, after: &Source) -> &'static str {
    match before {
        None => "added",
        Some(before) if before == after => "unchanged",
        Some(before) if Pin::of_source(before) != Pin::of_source(after) => "pin-changed",
        Some(_) => "extended",
    }
}

/// Returns what happened to the entry of a source as labels and texts.
pub(super) fn lines(
    key: &SourceKey,
    before: Option<&Source>,
    after: &Source,
    named: &Keys,
) -> Vec<(&'static str, String)> {
    let pin = Pin::of_source(after);
    let Some(before) = before else {
        let pin = if pin.is_empty() { String::new() } else { format!(", {}", pin.describe()) };
        return vec![("added", format!("the source {key}{pin}"))];
    };
    let (old, new) = (&before.select, &after.select);
    let mut lines = Vec::new();
    if before == after {
        lines.push(("unchanged", format!("the source {key} already has {}", selected(new))));
        if new.include.is_some() {
            let text = format!("for all skills of {key}, remove its `include` in the manifest");
            lines.push(("note:", text));
        }
        return lines;
    }
    let old_pin = Pin::of_source(before);
    if old_pin != pin {
        // "from version 1.2.0 to 1.3.0"
        let to = match (old_pin.fields().first(), pin.fields().as_slice()) {
            (Some((old, _)), [(field, value)]) if old == field => value.clone(),
            _ => pin.describe(),
        };
        lines.push(("changed", format!("{key} from {} to {to}", old_pin.describe())));
    }
    if let (SourceKind::Git { skills_dir: old, .. }, SourceKind::Git { skills_dir: new, .. }) =
        (&before.kind, &after.kind)
    {
        for directory in new.difference(old) {
            lines.push(("added", format!("the directory {directory} to the source {key}")));
        }
    }
    if let (None, Some(include)) = (&old.include, &new.include) {
        let text = format!(
            "{key} includes {}: it no longer takes skills by itself that upstream adds",
            list(include)
        );
        lines.push(("note:", text));
    }
    let all: BTreeSet<String> = named.keys().cloned().collect();
    let included = |select: &Select| select.include.clone();
    let (was, is) = (included(old), included(new));
    // A source that had all of its skills gets their names.
    let was = was.or_else(|| is.as_ref().map(|is| is - &all)).unwrap_or_default();
    let is = is.unwrap_or_default();
    let added = &(&is - &was) | &(&old.exclude - &new.exclude);
    let removed = &(&was - &is) | &(&new.exclude - &old.exclude);
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
        lines.push(("prefixed", format!("the skills of the source {key} with {prefix}")));
    }
    lines
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
