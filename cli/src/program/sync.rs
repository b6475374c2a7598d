//! `skills sync`

use super::{Context, RUST_LINE, args, facts, installed, look_alikes};
use helix_skills_format::{
    __internal::{LOCK_FILE, counted, listed, size},
    DirPath, GitUrl, SkillName,
};
use helix_skills_project::{
    __internal::{Difference, Renamed, Upstream},
    Error, Project, SyncChange, Synced,
};
use serde_json::{Map, Value, json};
use std::{collections::BTreeSet, path::PathBuf};

/// Maximum number of skills that a line lists.
pub(super) const MAX_LISTED: usize = 10;

pub(super) fn sync(context: &Context<'_>, args: &args::Sync) -> Result<(), Error> {
    let project = context.project()?;
    if args.check {
        let checked = if args.store { project.check_store()? } else { project.check()? };
        let upstream = match args.upstream {
            true => context.run("comparing with upstream", || project.check_upstream())?,
            false => Vec::new(),
        };
        let notes: BTreeSet<_> = checked.notes.into_iter().chain(upstream).collect();
        for note in &notes {
            context.output.warning(note);
        }
        let stored = format!("{}, {}", skills(checked.skills), files(checked.files, checked.bytes));
        let summary = match not_stored(&checked.absent) {
            None => format!("{stored}: manifest, lockfile and store agree"),
            Some(absent) if checked.skills == 0 => {
                format!("manifest and lockfile agree; {absent}")
            }
            Some(absent) => format!("{stored}: manifest and lockfile agree; {absent}"),
        };
        let is_upstream = if args.upstream { "; the locked commits have these skills" } else { "" };
        context.output.note("ok", format!("{summary}{is_upstream}"));
        context.output.document(json!({
            "skills": checked.skills, "files": checked.files, "bytes": checked.bytes,
            "absent": names(&checked.absent),
            "notes": notes,
        }));
        return Ok(());
    }
    let project = project
        .locked(args.locked || args.frozen)
        .offline(args.offline || args.frozen)
        .restore(args.restore)
        .dry_run(args.dry_run);
    let synced = context.run("syncing skills", || project.sync())?;
    print(context, &project, &synced, args.dry_run);
    context.output.document(document(&synced, args.dry_run));
    Ok(())
}

/// Returns a line on skills that are not in the store.
pub(super) fn not_stored(skills: &[SkillName]) -> Option<String> {
    let error = Error::not_stored(skills.to_vec());
    (!skills.is_empty()).then(|| format!("{error}; run `skills sync`"))
}

/// Prints what a sync did.
pub(super) fn print(context: &Context<'_>, project: &Project, synced: &Synced, dry_run: bool) {
    announce(context, project, synced, dry_run);
    conclude(context, project, synced, dry_run);
}

/// Prints the changes, one per line.
pub(super) fn announce(context: &Context<'_>, project: &Project, synced: &Synced, dry_run: bool) {
    let output = context.output;
    for warning in synced.warnings.iter().chain(&look_alikes::warnings(synced)) {
        output.warning(warning);
    }
    for detail in &synced.details {
        output.detail(detail);
    }
    for moved in &synced.moved {
        let plugin = moved.plugin_url.as_ref().map(|url| format!(" plugin {url}"));
        let reference = moved.reference.as_ref().map(|reference| format!(" {reference}"));
        let before = moved.before.as_ref().map(|before| format!(", was {}", before.short()));
        let [plugin, reference, before] =
            [plugin, reference, before].map(Option::unwrap_or_default);
        let what = format!("{}{plugin}{reference} at {}{before}", moved.key, moved.after.short());
        report(context, dry_run, "locked", &what);
    }
    for (key, upstream) in &synced.upstream {
        for line in upstream_changes(upstream, |skill| synced.lock.skills.contains_key(skill)) {
            output.warning(&format!("the source `{key}`: {line}"));
        }
    }
    let is_removed = |name: &&SkillName| synced.changes[*name] == SyncChange::Removed;
    let removed: Vec<(&SkillName, PathBuf)> = synced
        .changes
        .keys()
        .filter(is_removed)
        .map(|name| (name, project.store_path().join(name.as_str())))
        .collect();
    for (path, difference) in &synced.replaced {
        let tense = if dry_run { "would be" } else { "was" };
        let (kind, verb) = match difference {
            Difference::Unlisted => ("added", "removed"),
            Difference::Former => ("former", "updated"),
            _ => ("edited", "restored"),
        };
        let is_in = |directory: &PathBuf| path.starts_with(project.display_path(directory));
        let skill = removed.iter().find(|(_, directory)| is_in(directory));
        let path = path.display();
        output.warning(&match skill {
            Some((name, _)) => {
                format!("the {kind} file `{path}` {tense} removed with the skill `{name}`")
            }
            None => format!("`{path}` {tense} {verb}: {difference}"),
        });
    }
    for (name, change) in &synced.changes {
        if *change == SyncChange::Unchanged {
            continue;
        }
        let locked = synced.lock.skills.get(name);
        let size = locked.map(|skill| format!(" ({})", files(skill.files, skill.bytes)));
        // Twelve digits, which `git log -S` finds in the history of the lockfile.
        let was = synced.was.get(name).map(|was| format!(", was {}", &was.to_string()[..19]));
        let [size, was] = [size, was].map(Option::unwrap_or_default);
        report(context, dry_run, change.as_str(), &format!("{name}{size}{was}"));
        if let Some(found) = synced.facts.get(name) {
            facts::print(output, name, found);
        }
    }
}

/// Prints the summary and the next step.
pub(super) fn conclude(context: &Context<'_>, project: &Project, synced: &Synced, dry_run: bool) {
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
        let details = Some(synced.details.len()).filter(|count| *count > 0 && output.verbose == 0);
        let more = details.map(|count| format!("; use `-v` to print {}", counted(count, "note")));
        let more = more.unwrap_or_default();
        output.note("ok", format!("{count}, {}: nothing to do{more}", files(total.0, total.1)));
    }
    // Even if nothing changed: the lockfile may have been pulled.
    if !dry_run {
        installed::note_outdated(context, project, &synced.lock);
    }
    if synced.lock.sources.is_empty() && (synced.lock_is_new || !synced.lock_changed) {
        output.note("next:", "run `skills add OWNER/REPO`, or `skills add ./PATH`");
    } else if synced.lock_changed && !dry_run {
        let is_updated = |name: &&SkillName| synced.changes[*name] == SyncChange::Updated;
        if let Some(name) = synced.changes.keys().find(is_updated) {
            let is_here = project.root() == context.start && context.global.lock.is_none();
            let is_in_git = project.root().ancestors().any(|dir| dir.join(".git").exists());
            let command = match is_here && is_in_git && !synced.lock_is_new {
                true => "git show HEAD:./helix.skills.lock | skills diff -".to_owned(),
                false => format!("skills show --body {name}"),
            };
            output.note("review:", format!("run `{command}`"));
        }
        let lock = context.global.lock.as_ref().map(|lock| context.start.join(lock));
        let lock = lock.unwrap_or_else(|| project.root().join(LOCK_FILE));
        let paths = [project.manifest_path(), &lock, project.store_path()];
        let [manifest, lock, store] = paths.map(|path| context.shown_here(path));
        let commit = match project.ignores_store() {
            true => format!(
                "commit {manifest} and {lock}; run `skills sync --locked` before each build"
            ),
            false => format!("commit {manifest}, {lock} and {store}/"),
        };
        if synced.lock_is_new && !synced.lock.skills.is_empty() {
            output.note("next:", format!("{commit}, then in Rust:"));
            output.note("     ", RUST_LINE);
        } else {
            output.note("next:", commit);
        }
    }
}

/// Describes what happened upstream to locked skills, of which some are `taken` from another
/// directory.
pub(super) fn upstream_changes(
    upstream: &Upstream,
    is_taken: impl Fn(&SkillName) -> bool,
) -> Vec<String> {
    let renamed = upstream.renamed.iter();
    let renamed = renamed.map(|Renamed { skill, from, to, .. }| {
        format!("upstream moved the skill `{skill}` from `{from}` to `{to}`")
    });
    // A new skill may have the name of a removed one, and not its directory.
    let gone: Vec<_> = upstream.gone.iter().filter(|(skill, _)| !is_taken(skill)).collect();
    let paths = listed(gone.iter().map(|(_, path)| path), MAX_LISTED);
    let removed = match gone.as_slice() {
        [] => None,
        [(skill, path)] => Some(format!("upstream removed the skill `{skill}` from `{path}`")),
        all => Some(format!("upstream removed {} skills: {paths}", all.len())),
    };
    renamed.chain(removed).collect()
}

/// Returns what happened upstream as JSON.
pub(super) fn upstream_json(upstream: &Upstream) -> Value {
    let renamed = upstream.renamed.iter().map(|Renamed { skill, from, to, .. }| {
        json!({ "name": skill.as_str(), "from": from.as_str(), "to": to.as_str() })
    });
    json!({
        "renamed": renamed.collect::<Vec<_>>(),
        "gone": names(upstream.gone.keys()),
        "added": upstream.added.iter().filter_map(DirPath::file_name).collect::<Vec<_>>(),
    })
}

/// Returns names as JSON.
pub(super) fn names<'n>(names: impl IntoIterator<Item = &'n SkillName>) -> Value {
    names.into_iter().map(|name| name.as_str()).collect()
}

/// Prints a change. In a dry run, the changes are the data.
pub(super) fn report(context: &Context<'_>, dry_run: bool, label: &str, text: &str) {
    match dry_run {
        true => context.output.data(&format!("{label} {text}\n")),
        false => context.output.note(label, text),
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
    let replaced = synced.replaced.iter().map(|(path, difference)| {
        json!({ "file": path.display().to_string(), "code": difference.code() })
    });
    let changes = synced
        .changes
        .iter()
        .map(|(name, change)| json!({ "name": name.as_str(), "change": change.as_str() }));
    let upstream = synced.upstream.iter();
    let upstream = upstream.map(|(key, upstream)| (key.to_string(), upstream_json(upstream)));
    let facts = synced.facts.iter().map(|(name, found)| (name.to_string(), facts::document(found)));
    let warnings = synced.warnings.iter().cloned().chain(look_alikes::warnings(synced));
    json!({
        "upstream": upstream.collect::<Map<_, _>>(),
        "dryRun": dry_run,
        "lockChanged": synced.lock_changed,
        "sources": moved.collect::<Vec<_>>(),
        "skills": changes.collect::<Vec<_>>(),
        "facts": facts.collect::<Map<_, _>>(),
        "replaced": replaced.collect::<Vec<_>>(),
        "files": total.0,
        "bytes": total.1,
        "details": synced.details,
        "warnings": warnings.collect::<Vec<_>>(),
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
    counted(count, "skill")
}

/// "1 file, 12 B", "2 files, 3.40 MB"
pub(super) fn files(count: u64, bytes: u64) -> String {
    format!("{}, {}", counted(count, "file"), size(bytes))
}
