//! The JSON document of a comparison.

use super::text::{change_of_source, path_in, unified, why_not};
use crate::program::sync::names;
use helix_skills_format::{GitUrl, LockedPlugin, RelPath};
use helix_skills_project::__internal::diff::{
    ComparedFile, ComparedSkill, Comparison, FileChange, FileDiff, Hunks, SkillChange, SourceChange,
};
use helix_skills_project::manifest::LockedSource;
use serde_json::{Value, json};

/// Returns the document.
pub(super) fn document(comparison: &Comparison) -> Value {
    json!({
        "sources": comparison.sources.iter().map(source).collect::<Vec<_>>(),
        "skills": comparison.skills.iter().map(skill).collect::<Vec<_>>(),
        "absent": names(&comparison.absent),
    })
}

fn source(change: &SourceChange) -> Value {
    let plugin = |plugin: &LockedPlugin| {
        json!({
            "url": plugin.url.as_ref().map(GitUrl::as_str),
            "path": plugin.path.as_str(),
            "ref": plugin.reference,
            "commit": plugin.commit.map(|commit| commit.to_string()),
            "version": plugin.version,
        })
    };
    let side = |source: &LockedSource| {
        json!({
            "request": source.entry.to_json(),
            "ref": source.reference,
            "commit": source.commit.map(|commit| commit.to_string()),
            "plugin": source.plugin.as_ref().map(plugin),
        })
    };
    json!({
        "source": change.key.as_str(),
        "change": change_of_source(change),
        "fields": change.fields,
        "before": change.before.as_ref().map(side),
        "after": change.after.as_ref().map(side),
    })
}

fn skill(change: &SkillChange) -> Value {
    let side = |version: &ComparedSkill| {
        // Not all lockfiles list executable files.
        let executable = version.locked.executable.as_ref();
        json!({
            "name": version.name.as_str(),
            "source": version.locked.source.as_str(),
            "path": version.locked.path.as_str(),
            "integrity": version.locked.integrity.to_string(),
            "directory": version.place,
            "executable": executable.map(|paths| paths.iter().map(RelPath::as_str).collect::<Vec<_>>()),
        })
    };
    let files = change.files.as_ref().ok();
    let missing = change.files.as_ref().err();
    json!({
        "name": change.name().map(|name| name.as_str()),
        "change": change.kind.as_str(),
        "before": change.before.as_ref().map(side),
        "after": change.after.as_ref().map(side),
        "listing": change.listing.map(|difference| difference.code()),
        "files": files.map(|files| files.iter().map(|found| file(change, found)).collect::<Vec<_>>()),
        "missing": missing.map(|side| json!({ "before": side.before, "after": side.after })),
    })
}

fn file(skill: &SkillChange, change: &FileChange) -> Value {
    let half = |half: &ComparedFile| {
        let digest = half.digest.map(|digest| digest.to_string());
        json!({ "bytes": half.bytes, "sha256": digest, "isFile": half.is_file })
    };
    let (shown, lines) = match &change.diff {
        FileDiff::Lines(lines) if matches!(lines.hunks, Hunks::OverLimit) => {
            ("over-limit", Some(lines))
        }
        FileDiff::Lines(lines) => ("lines", Some(lines)),
        FileDiff::Same => ("same", None),
        FileDiff::LineEnds(_) => ("line-endings", None),
        FileDiff::Binary => ("binary", None),
        FileDiff::TooLarge => ("too-large", None),
        FileDiff::NotAFile => ("not-a-file", None),
        FileDiff::Unavailable(_) => ("unavailable", None),
        _ => ("other", None),
    };
    let newest = skill.after.as_ref().or(skill.before.as_ref());
    let mut document = json!({
        "path": change.path,
        "change": change.kind.as_str(),
        "file": path_in(newest, &change.path),
        "before": change.before.as_ref().map(half),
        "after": change.after.as_ref().map(half),
        "shown": shown,
    });
    if let Some(from) = &change.from {
        document["from"] = json!(from);
    }
    if let Some(lines) = lines {
        document["added"] = json!(lines.added);
        document["removed"] = json!(lines.removed);
    }
    match lines.map(|lines| &lines.hunks) {
        Some(Hunks::Shown(_)) => document["diff"] = json!(unified(skill, change)),
        Some(Hunks::Counted) => {}
        _ => document["why"] = json!(why_not(&change.diff)),
    }
    document
}
