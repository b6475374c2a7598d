//! What was noticed in skills, in words and as data.

use super::{Context, output::Output};
use helix_skills_format::{Finding, SkillName};
use helix_skills_lint::Audited;
use helix_skills_project::manifest::Source;
use helix_skills_project::sync::Synced;
use serde_json::{Map, Value, json};

/// One line of talk about a skill in which something was noticed, and with `-v` each of these things.
pub(super) fn tell(output: &Output, name: &SkillName, audited: &Audited) {
    if audited.notes.is_empty() {
        return;
    }
    output.note("looked", format!("at {} of {name}: {}", audited.amount(), audited.seen()));
    for note in &audited.notes {
        let at = note.at.map(|at| format!(":{at}")).unwrap_or_default();
        let file = note.file.as_deref().unwrap_or_default();
        output.detail(&format!("  {name}/{file}{at}: {note} [{}]", note.code.as_str()));
    }
}

/// How to see what was noticed, for whoever was told only how much it is.
pub(super) fn say_where(context: &Context<'_>, synced: &Synced) {
    let noticed = synced.audited.iter().filter(|(_, audited)| !audited.notes.is_empty());
    let names: Vec<&SkillName> = noticed.map(|(name, _)| name).collect();
    if names.is_empty() || context.output.verbose > 0 {
        return;
    }
    let is_stored = |name: &&&SkillName| {
        let source = synced.lock.skills.get(**name).and_then(|skill| synced.lock.sources.get(&skill.source));
        source.is_some_and(|source| !matches!(source.request, Source::Path(_)))
    };
    let store = context.project().map_or_else(
        |_| helix_skills_format::STORE_DIR.to_owned(),
        |project| project.show(&project.store).display().to_string(),
    );
    let place = match names.iter().filter(is_stored).collect::<Vec<_>>()[..] {
        [] => String::new(),
        [name] => format!(" {store}/{name}"),
        _ => format!(" {store}"),
    };
    context.output.note("note:", format!("nothing of that is refused; `skills validate -v{place}` tells where it is"));
}

/// What was noticed, by skill.
pub(super) fn documents(synced: &Synced) -> Value {
    let documents = synced.audited.iter().map(|(name, audited)| {
        let mut document = document(audited);
        document["notes"] = audited.notes.iter().map(note).collect();
        (name.to_string(), document)
    });
    Value::Object(documents.collect())
}

/// What was looked at.
pub(super) fn document(audited: &Audited) -> Value {
    let media = audited.media.iter().map(|(media, count)| (media.noun(2).to_owned(), json!(count)));
    json!({
        "files": audited.files,
        "bytes": audited.bytes,
        "unread": audited.unread,
        "media": Value::Object(media.collect()),
    })
}

fn note(note: &Finding) -> Value {
    let mut map = Map::new();
    map.insert("code".to_owned(), json!(note.code.as_str()));
    map.insert("file".to_owned(), json!(note.file));
    if let Some(at) = note.at {
        map.insert("line".to_owned(), json!(at.line));
        map.insert("column".to_owned(), json!(at.column));
    }
    map.insert("message".to_owned(), json!(note.message));
    if let Some(hint) = &note.hint {
        map.insert("hint".to_owned(), json!(hint));
    }
    Value::Object(map)
}
