//! The JSON document of a comparison.

use super::text::{path_in, unified, why_not};
use helix_skills_format::RelPath;
use helix_skills_project::__internal::diff::{
    ComparedFile, ComparedSkill, Comparison, FileChange, FileDiff, Hunks, Lines, SkillChange,
    SourceChange,
};
use helix_skills_project::manifest::LockedSource;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the fields of the document.
pub(super) fn fields(comparison: &Comparison) -> Map<String, Value> {
    let sources: Vec<Value> = comparison.sources.iter().map(source).collect();
    let skills: Vec<Value> = comparison.skills.iter().map(skill).collect();
    let absent: Vec<&str> = comparison.absent.iter().map(|name| name.as_str()).collect();
    [("sources", json!(sources)), ("skills", json!(skills)), ("absent", json!(absent))]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

fn source(change: &SourceChange) -> Value {
    let side = |side: &Option<LockedSource>| {
        side.as_ref().map(|source| {
            let commit = source.commit.as_ref().map(|commit| commit.to_string());
            let plugin = source.plugin.as_ref().map(|plugin| {
                json!({
                    "url": plugin.url.as_ref().map(|url| url.as_str()), "path": plugin.path.as_str(),
                    "ref": plugin.reference, "commit": plugin.commit.as_ref().map(|commit| commit.to_string()),
                    "version": plugin.version,
                })
            });
            json!({ "request": source.entry.to_json(), "ref": source.reference, "commit": commit, "plugin": plugin })
        })
    };
    let word = match (&change.before, &change.after) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    };
    json!({
        "source": change.key.as_str(), "change": word, "fields": change.fields,
        "before": side(&change.before), "after": side(&change.after),
    })
}

fn skill(change: &SkillChange) -> Value {
    let side = |side: &Option<ComparedSkill>| {
        side.as_ref().map(|version| {
            json!({
                "name": version.name.as_str(), "source": version.locked.source.as_str(),
                "path": version.locked.path.as_str(), "integrity": version.locked.integrity.to_string(),
                "directory": version.place, "executable": paths(version.locked.executable.as_ref()),
            })
        })
    };
    let name = change.name().map(|name| name.as_str());
    let files: Option<Vec<Value>> = change
        .files
        .as_ref()
        .ok()
        .map(|files| files.iter().map(|found| file(change, found)).collect());
    let missing = change
        .files
        .as_ref()
        .err()
        .map(|missing| json!({ "before": missing.before, "after": missing.after }));
    json!({
        "name": name, "change": change.kind.as_str(),
        "before": side(&change.before), "after": side(&change.after),
        "listing": change.listing.map(|difference| difference.code()),
        "files": files, "missing": missing,
    })
}

/// Returns the paths of executable files; `None` if the lockfile does not list them.
fn paths(executable: Option<&BTreeSet<RelPath>>) -> Option<Vec<&str>> {
    executable.map(|paths| paths.iter().map(RelPath::as_str).collect())
}

fn file(skill: &SkillChange, change: &FileChange) -> Value {
    let half = |half: &Option<ComparedFile>| {
        half.as_ref().map(|half| {
            json!({
                "bytes": half.bytes, "sha256": half.digest.map(|digest| digest.to_string()), "isFile": half.is_file,
            })
        })
    };
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
    put("path", json!(change.path));
    put("change", json!(change.kind.as_str()));
    if let Some(from) = &change.from {
        put("from", json!(from));
    }
    let newest = skill.after.as_ref().or(skill.before.as_ref());
    put("file", json!(path_in(newest, &change.path)));
    put("before", json!(half(&change.before)));
    put("after", json!(half(&change.after)));
    let shown = match &change.diff {
        FileDiff::Lines(Lines { hunks: Hunks::OverLimit, .. }) => "over-limit",
        FileDiff::Lines(_) => "lines",
        FileDiff::Same => "same",
        FileDiff::LineEnds(_) => "line-endings",
        FileDiff::Binary => "binary",
        FileDiff::TooLarge => "too-large",
        FileDiff::NotAFile => "not-a-file",
        FileDiff::Unavailable(_) => "unavailable",
        _ => "other",
    };
    put("shown", json!(shown));
    if let FileDiff::Lines(lines) = &change.diff {
        put("added", json!(lines.added));
        put("removed", json!(lines.removed));
    }
    match &change.diff {
        FileDiff::Lines(Lines { hunks: Hunks::Shown(_), .. }) => {
            put("diff", json!(unified(skill, change)))
        }
        FileDiff::Lines(Lines { hunks: Hunks::Counted, .. }) => None,
        other => put("why", json!(why_not(other))),
    };
    Value::Object(map)
}
