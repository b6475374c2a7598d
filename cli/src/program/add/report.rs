//! What `skills add` did to the manifest.

use super::target::Target;
use crate::program::{args::Pin, sync};
use helix_skills_format::Source;
use helix_skills_project::manifest::to_json;
use serde_json::Value;

impl Target<'_> {
    /// Prints what happened to the entry of the source, and returns it for JSON documents.
    pub(super) fn report(&self, after: &Source) -> &'static str {
        let (key, entry, pin) = (&self.key, to_json(after), Pin::of_source(after));
        let report = |label: &str, text: String| {
            sync::report(self.context, self.request.args.dry_run, label, &text);
        };
        let at = if pin.is_empty() { String::new() } else { format!(", {}", pin.describe()) };
        let Some(before) = &self.before else {
            report("added", format!("the source {key}{at}"));
            return "added";
        };
        if before == after {
            let skills = match (&entry["include"], &entry["exclude"]) {
                (Value::Null, Value::Null) => "all skills".to_owned(),
                (Value::Null, excluded) => format!("all skills except {}", text(excluded)),
                (include, _) => format!("{}; for all skills, remove its `include`", text(include)),
            };
            report("unchanged", format!("the source {key} already has {skills}"));
            return "unchanged";
        }
        let old = Pin::of_source(before);
        if old != pin {
            report("changed", format!("{key} from {} to {}", old.describe(), pin.describe()));
        }
        let (kept, excluded) = (&after.select.exclude, &before.select.exclude);
        for field in before.changed_keys(after) {
            match &entry[&field] {
                Value::Array(_) if field == "exclude" && kept.is_subset(excluded) => {
                    let taken = Vec::from_iter(excluded.difference(kept).map(String::as_str));
                    let text = format!("the source {key}{at}: it no longer excludes ");
                    report("changed", text + &taken.join(", "));
                }
                _ if ["version", "ref", "sha"].contains(&field.as_str()) => {}
                Value::Null => report("removed", format!("{field} from the source {key}{at}")),
                value => {
                    report("changed", format!("the source {key}{at}: {field} {}", text(value)))
                }
            }
        }
        if before.select.include.is_none() && after.select.include.is_some() {
            report("note:", format!("{key} no longer takes skills by itself that upstream adds"));
        }
        if old == pin { "extended" } else { "pin-changed" }
    }
}

/// Returns a value of an entry for users.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
