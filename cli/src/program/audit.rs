//! Printing of audit notes on skills, as text and JSON.

use super::{Context, output::Output};
use helix_skills_format::{Finding, Severity, SkillName};
use helix_skills_lint::{Audit, report::Reported};
use helix_skills_project::{Project, Synced};
use serde_json::{Value, json};

/// Prints one line for a skill with notes, and each note with `-v`.
pub(super) fn print(output: &Output, name: &SkillName, audited: &Audit) {
    if audited.notes.is_empty() {
        return;
    }
    output.note("scanned", format!("{} of {name}: {}", audited.size(), audited.summary()));
    for note in &audited.notes {
        let at = note.at.map(|at| format!(":{at}")).unwrap_or_default();
        let file = file_of(note);
        output.detail(&format!("  {name}/{file}{at}: {note} [{}]", note.code.as_str()));
    }
}

/// Prints the command that shows the notes, if only their number was printed.
pub(super) fn print_hint(context: &Context<'_>, project: &Project, synced: &Synced) {
    let with_notes = synced.audited.iter().filter(|(_, audited)| !audited.notes.is_empty());
    let names: Vec<&SkillName> = with_notes.map(|(name, _)| name).collect();
    if names.is_empty() || context.output.verbose > 0 {
        return;
    }
    let is_stored = |name: &&SkillName| {
        let source = synced.lock.skills.get(*name).map(|skill| &skill.source);
        let source = source.and_then(|key| synced.lock.sources.get(key));
        source.is_some_and(|source| source.entry.directory().is_none())
    };
    let place = match names.into_iter().filter(is_stored).collect::<Vec<_>>()[..] {
        [] => String::new(),
        [name] => format!(" skill:{name}"),
        _ => format!(" {}", project.display_path(project.store_path()).display()),
    };
    let text = format!("these notes are not errors; `skills validate -v{place}` prints each");
    context.output.note("note:", text);
}

/// Returns the path of a note's file in its skill.
fn file_of(note: &Finding) -> &str {
    note.file.as_deref().unwrap_or_default()
}

/// Returns the audits of a sync by skill, as JSON.
pub(super) fn documents(synced: &Synced) -> Value {
    let documents = synced.audited.iter().map(|(name, audited)| {
        let mut document = document(audited);
        let reported = |note| json!(Reported::new(file_of(note), Severity::Note, note));
        document["notes"] = audited.notes.iter().map(reported).collect();
        (name.to_string(), document)
    });
    Value::Object(documents.collect())
}

/// Returns the extent of an audit, as JSON.
pub(super) fn document(audited: &Audit) -> Value {
    let media = audited.media.iter().map(|(media, count)| (media.noun(2).to_owned(), json!(count)));
    json!({
        "files": audited.files,
        "bytes": audited.bytes,
        "unread": audited.unread,
        "media": Value::Object(media.collect()),
    })
}
