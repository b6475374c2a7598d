//! `skills sync`

use super::{Context, RUST_LINE, args, audit, look_alikes};
use helix_skills_format::{GitUrl, SkillName};
use helix_skills_project::{Difference, Error, Renamed, SyncChange, Synced, Upstream};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

pub(super) fn sync(context: &Context<'_>, args: &args::Sync) -> Result<(), Error> {
    let project = context.project()?;
    if args.check {
        let checked = if args.store { project.check_store()? } else { project.check()? };
        for note in &checked.notes {
            context.output.warning(note);
        }
        let stored = format!("{}, {}", skills(checked.skills), files(checked.files, checked.bytes));
        let summary = match not_stored(&checked.absent) {
            None => format!("{stored}: manifest, lockfile and store agree"),
            Some(absent) => format!("{stored}: manifest and lockfile agree; {absent}"),
        };
        context.output.note("ok", summary);
        context.output.document(json!({
            "skills": checked.skills, "files": checked.files, "bytes": checked.bytes,
            "absent": checked.absent.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
            "notes": checked.notes,
        }));
        return Ok(());
    }
    let project = project
        .locked(args.locked || args.frozen)
        .offline(args.offline || args.frozen)
        .restore(args.restore)
        .dry_run(args.dry_run);
    let synced = context.run("syncing skills", || project.sync())?;
    print(context, &synced, args.dry_run);
    context.output.document(document(&synced, args.dry_run));
    Ok(())
}

/// Returns a line on skills that are not in the store.
pub(super) fn not_stored(skills: &[SkillName]) -> Option<String> {
    let error = Error::not_stored(skills.to_vec());
    (!skills.is_empty()).then(|| format!("{error}; run `skills sync`"))
}

/// Prints what a sync did.
pub(super) fn print(context: &Context<'_>, synced: &Synced, dry_run: bool) {
    announce(context, synced, dry_run);
    conclude(context, synced, dry_run);
}

/// Prints the changes, one per line.
pub(super) fn announce(context: &Context<'_>, synced: &Synced, dry_run: bool) {
    let output = context.output;
    for warning in &synced.warnings {
        output.warning(warning);
    }
    for warning in look_alikes::warnings(synced) {
        output.warning(&warning);
    }
    for detail in &synced.details {
        output.detail(detail);
    }
    for moved in &synced.moved {
        let reference =
            moved.reference.as_ref().map(|reference| format!(" {reference}")).unwrap_or_default();
        let before = moved
            .before
            .as_ref()
            .map(|before| format!(", was {}", before.short()))
            .unwrap_or_default();
        let plugin =
            moved.plugin_url.as_ref().map(|url| format!(" plugin {url}")).unwrap_or_default();
        let what = format!("{}{plugin}{reference} at {}{before}", moved.key, moved.after.short());
        if dry_run { output.data(&format!("locked {what}\n")) } else { output.note("locked", what) }
    }
    for (key, upstream) in &synced.upstream {
        for line in upstream_changes(upstream) {
            output.warning(&format!("the source `{key}`: {line}"));
        }
    }
    let removed = synced.changes.iter().filter(|(_, change)| **change == SyncChange::Removed);
    let removed: Vec<(&SkillName, PathBuf)> = match context.project() {
        Ok(project) => removed
            .map(|(name, _)| {
                let directory = project.store_path().join(name.as_str());
                (name, project.display_path(&directory).to_owned())
            })
            .collect(),
        Err(_) => Vec::new(),
    };
    for (path, difference) in &synced.replaced {
        let tense = if dry_run { "would be" } else { "was" };
        let is_added = *difference == Difference::Unlisted;
        let skill = removed.iter().find(|(_, directory)| path.starts_with(directory));
        let path = path.display();
        output.warning(&match skill {
            Some((name, _)) => {
                let kind = if is_added { "added" } else { "edited" };
                format!("the {kind} file `{path}` {tense} removed with the skill `{name}`")
            }
            None if is_added => format!("`{path}` {tense} removed: {difference}"),
            None => format!("`{path}` {tense} restored: {difference}"),
        });
    }
    for (name, change) in &synced.changes {
        if *change == SyncChange::Unchanged {
            continue;
        }
        let word = change.as_str();
        let size = synced
            .lock
            .skills
            .get(name)
            .map(|skill| format!(" ({})", files(skill.files, skill.bytes)));
        let what = format!("{name}{}", size.unwrap_or_default());
        // The changes are the data of a dry run.
        if dry_run {
            output.data(&format!("{word} {what}\n"))
        } else {
            output.note(word, what)
        }
        if let Some(audited) = synced.audited.get(name) {
            audit::print(output, name, audited);
        }
    }
    if !dry_run {
        audit::print_hint(context, synced);
    }
}

/// Prints the summary and the next step.
pub(super) fn conclude(context: &Context<'_>, synced: &Synced, dry_run: bool) {
    let output = context.output;
    let total = total(synced);
    let count = skills(synced.lock.skills.len());
    let changed = synced.lock_changed
        || !synced.replaced.is_empty()
        || synced.changes.values().any(|change| *change != SyncChange::Unchanged);
    if dry_run {
        output
            .note("dry run:", if changed { "nothing was written" } else { "nothing would change" });
    } else if changed {
        let took = context.screen.elapsed();
        output.note("synced", format!("{count}, {} in {took}", files(total.0, total.1)));
    } else {
        let more = match synced.details.len() {
            1 if output.verbose == 0 => "; use `-v` to print 1 note".to_owned(),
            notes @ 2.. if output.verbose == 0 => format!("; use `-v` to print {notes} notes"),
            _ => String::new(),
        };
        output.note("ok", format!("{count}, {}: nothing to do{more}", files(total.0, total.1)));
    }
    if synced.lock.sources.is_empty() && (synced.lock_is_new || !synced.lock_changed) {
        output.note("next:", "skills add OWNER/REPO, or skills add ./PATH");
    } else if synced.lock_changed && !dry_run {
        let commit = next_step(context);
        if synced.lock_is_new && !synced.lock.skills.is_empty() {
            output.note("next:", format!("{commit}, then in Rust:"));
            output.note("     ", RUST_LINE);
        } else {
            output.note("next:", commit);
        }
    }
}

/// Describes what happened upstream to locked skills.
pub(super) fn upstream_changes(upstream: &Upstream) -> Vec<String> {
    let renamed = upstream.renamed.iter();
    let renamed = renamed.map(|Renamed { skill, from, to, .. }| {
        format!("upstream renamed the directory of the skill `{skill}` from `{from}` to `{to}`")
    });
    let gone = upstream.gone.iter().map(|skill| format!("upstream removed the skill `{skill}`"));
    renamed.chain(gone).collect()
}

/// Returns what happened upstream as JSON.
pub(super) fn upstream_json(upstream: &Upstream) -> Value {
    let renamed: Vec<Value> = upstream
        .renamed
        .iter()
        .map(|Renamed { skill, from, to, .. }| {
            json!({ "name": skill.as_str(), "from": from.as_str(), "to": to.as_str() })
        })
        .collect();
    let gone: Vec<&str> = upstream.gone.iter().map(|skill| skill.as_str()).collect();
    json!({ "renamed": renamed, "gone": gone })
}

/// Returns the instruction on what to commit.
fn next_step(context: &Context<'_>) -> &'static str {
    if context.project().is_ok_and(|project| project.ignores_store()) {
        "commit helix.skills.json and helix.skills.lock; run `skills sync --locked` before each build"
    } else {
        "commit helix.skills.json, helix.skills.lock and helix.skills/"
    }
}

/// Returns what a sync did as JSON.
pub(super) fn document(synced: &Synced, dry_run: bool) -> Value {
    let total = total(synced);
    let moved = synced.moved.iter().map(|moved| {
        json!({
            "source": moved.key.as_str(),
            "pluginUrl": moved.plugin_url.as_ref().map(GitUrl::as_str),
            "ref": moved.reference,
            "before": moved.before.as_ref().map(ToString::to_string),
            "commit": moved.after.to_string(),
        })
    });
    let replaced = synced
        .replaced
        .iter()
        .map(|(path, difference)| json!({ "file": path.display().to_string(), "code": difference.code() }));
    let (moved, replaced): (Vec<Value>, Vec<Value>) = (moved.collect(), replaced.collect());
    let changes: Vec<Value> = synced
        .changes
        .iter()
        .map(|(name, change)| json!({ "name": name.as_str(), "change": change.as_str() }))
        .collect();
    let upstream: Map<String, Value> = synced
        .upstream
        .iter()
        .map(|(key, upstream)| (key.to_string(), upstream_json(upstream)))
        .collect();
    json!({
        "upstream": upstream,
        "dryRun": dry_run,
        "lockChanged": synced.lock_changed,
        "sources": moved,
        "skills": changes,
        "audited": audit::documents(synced),
        "replaced": replaced,
        "files": total.0,
        "bytes": total.1,
        "details": synced.details,
        "warnings": synced.warnings.iter().cloned().chain(look_alikes::warnings(synced)).collect::<Vec<_>>(),
    })
}

/// Returns the number of files and bytes of all skills.
fn total(synced: &Synced) -> (u64, u64) {
    synced.lock.skills.values().fold((0, 0), |(files, bytes), skill| {
        (files.saturating_add(skill.files), bytes.saturating_add(skill.bytes))
    })
}

/// "1 skill", "2 skills"
pub(super) fn skills(count: usize) -> String {
    if count == 1 { "1 skill".to_owned() } else { format!("{count} skills") }
}

/// "1 file, 12 bytes", "2 files, 3.4 MB"
pub(super) fn files(count: u64, bytes: u64) -> String {
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    format!("{files}, {}", indicatif::DecimalBytes(bytes))
}
