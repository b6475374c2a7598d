//! The JSON document of a comparison.

use super::text::{path_in, unified, why_not};
use helix_skills_project::__internal::diff::{
    ComparedFile, ComparedSkill, Comparison, FileChange, FileDiff, SkillChange, SourceChange,
};
use helix_skills_project::manifest::{Lock, LockedSource};
use serde_json::{Value, json};

/// Returns the document; with `stat`, without the lines of files.
pub(super) fn document(comparison: &Comparison, stat: bool) -> Value {
    json!({
        "sources": comparison.sources.iter().map(source).collect::<Vec<_>>(),
        "skills": comparison.skills.iter().map(|change| skill(change, stat)).collect::<Vec<_>>(),
        "absent": comparison.absent.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
    })
}

fn source(change: &SourceChange) -> Value {
    let side = |source: &LockedSource| {
        let mut lock = Lock::default();
        lock.sources.insert(change.key.clone(), source.clone());
        let lock: Value = serde_json::from_str(&lock.to_string()).unwrap_or_default();
        lock["sources"][change.key.as_str()].clone()
    };
    json!({
        "source": change.key.as_str(),
        "change": change.kind(),
        "fields": change.fields,
        "before": change.before.as_ref().map(side),
        "after": change.after.as_ref().map(side),
    })
}

fn skill(change: &SkillChange, stat: bool) -> Value {
    let side = |version: &ComparedSkill| {
        // Not all lockfiles list executable files.
        let executable = version.locked.executable.as_ref();
        json!({
            "name": version.name.as_str(),
            "source": version.locked.source.as_str(),
            "path": version.locked.path.as_str(),
            "integrity": version.locked.integrity.to_string(),
            "directory": version.place,
            "executable": executable.map(|paths| paths.iter().map(|path| path.as_str()).collect::<Vec<_>>()),
        })
    };
    let files = change.files.as_ref().ok();
    let missing = change.files.as_ref().err();
    json!({
        "name": change.name().map(|name| name.as_str()),
        "change": change.kind,
        "before": change.before.as_ref().map(side),
        "after": change.after.as_ref().map(side),
        "listing": change.listing.map(|difference| difference.code()),
        "files": files.map(|files| files.iter().map(|found| file(change, found, stat)).collect::<Vec<_>>()),
        "missing": missing.map(|side| json!({ "before": side.before, "after": side.after })),
    })
}

fn file(skill: &SkillChange, change: &FileChange, stat: bool) -> Value {
    let half = |half: ComparedFile| {
        let digest = half.digest.map(|digest| digest.to_string());
        json!({ "bytes": half.bytes, "sha256": digest, "isFile": half.is_file })
    };
    let (shown, lines) = match &change.diff {
        FileDiff::Lines(lines) => ("lines", Some(lines)),
        FileDiff::Other(code, _) => (*code, None),
        _ => ("unavailable", None),
    };
    let newest = skill.after.as_ref().or(skill.before.as_ref());
    let mut document = json!({
        "path": change.path,
        "change": change.kind,
        "file": path_in(newest, &change.path),
        "before": change.before.map(half),
        "after": change.after.map(half),
        "shown": shown,
    });
    if let Some(from) = &change.from {
        document["from"] = json!(from);
    }
    if let Some(lines) = lines {
        document["added"] = json!(lines.added);
        document["removed"] = json!(lines.removed);
    }
    match shown {
        "lines" if stat => {}
        "lines" => document["diff"] = json!(unified(skill, change)),
        _ => document["why"] = json!(why_not(&change.diff)),
    }
    document
}
