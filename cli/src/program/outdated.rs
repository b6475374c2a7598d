//! `skills outdated`

use super::{
    Context, args,
    sync::{upstream_json, went_on},
    update::keys,
};
use crate::{Exit, Failure, Outlook, Release, printable::printable, sync::Mode};
use helix_skills_format::{LockedSource, SourceKey};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn outdated(context: &Context<'_>, args: &args::Outdated) -> Result<Exit, Failure> {
    let project = context.project()?;
    let manifest = project.read_manifest()?;
    let sources = keys(&args.sources, &manifest)?;
    let outlooks = context.bake(&project, Mode::default(), "asking upstream", |baker| baker.outdated(&sources))?;
    context.output.data(&table(&outlooks));
    let is_asked = |key: &SourceKey| sources.is_empty() || sources.contains(key);
    let in_repositories =
        manifest.sources.iter().filter(|(key, source)| is_asked(key) && source.repository().is_some());
    let unlocked = in_repositories.map(|(key, _)| key).filter(|key| !outlooks.iter().any(|o| o.key == **key));
    let unlocked: Vec<&str> = unlocked.map(|key| key.as_str()).collect();
    for key in &unlocked {
        context.output.warning(&format!("the source `{key}` is not locked yet, `skills sync` does that"));
    }
    let fields = json!({ "sources": outlooks.iter().map(document).collect::<Vec<_>>(), "unlocked": unlocked });
    let outdated = outlooks.iter().filter(|outlook| outlook.is_outdated()).count();
    // What is wrong with a repository was told of each of its sources.
    let mut told = BTreeSet::new();
    let errors = outlooks.into_iter().flat_map(|outlook| outlook.errors);
    let errors: Vec<_> = errors.filter(|error| told.insert(error.message())).collect();
    if !errors.is_empty() {
        context.output.attach(fields);
        return Err(errors.into());
    }
    context.output.document(fields);
    match outdated {
        0 if !unlocked.is_empty() => context.output.note("next:", "skills sync"),
        0 => context.output.note("ok", "the lock has what the pins mean"),
        _ => context.output.note("next:", "skills update --dry-run"),
    }
    Ok(if args.exit_code && outdated + unlocked.len() > 0 { Exit::Drift } else { Exit::Ok })
}

/// One row for each source, and below it what happened to its skills.
fn table(outlooks: &[Outlook]) -> String {
    let titles = ["source", "current", "within its pin", "newest release"].map(str::to_owned);
    let mut rows = vec![(titles, Vec::new())];
    for outlook in outlooks {
        let within = match &outlook.state.within {
            None => "unknown".to_owned(),
            Some(_) if !outlook.is_outdated() => "the same".to_owned(),
            Some(within) => show(within),
        };
        let newest = newer(outlook).map_or_else(|| "-".to_owned(), |release| release.version.clone());
        let mut notes = went_on(&outlook.state.upstream);
        let changed: Vec<_> = outlook.state.changed.iter().map(|name| format!("`{name}`")).collect();
        if !changed.is_empty() {
            notes.push(format!("changed: {}", changed.join(", ")));
        }
        rows.push(([outlook.key.to_string(), show(&outlook.current), within, newest], notes));
    }
    if rows.len() == 1 {
        return String::new();
    }
    let width = |column: usize| rows.iter().map(|(row, _)| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2].map(width);
    let mut text = String::new();
    for ([source, current, within, newest], notes) in &rows {
        let line = format!("{source:0$}  {current:1$}  {within:2$}  {newest}", widths[0], widths[1], widths[2]);
        text.push_str(&printable(line.trim_end()));
        text.push('\n');
        for note in notes {
            text.push_str(&format!("  {}\n", printable(note)));
        }
    }
    text
}

/// The newest release, if it is none of those that are locked or would be.
fn newer(outlook: &Outlook) -> Option<&Release> {
    let known = |source: &LockedSource| source.commit.clone();
    outlook.state.newest.as_ref().filter(|release| {
        let commit = Some(&release.commit);
        known(&outlook.current).as_ref() != commit && outlook.state.within.as_ref().and_then(known).as_ref() != commit
    })
}

/// A ref without what every ref of its kind begins with, and the commit of the skills.
fn show(source: &LockedSource) -> String {
    let reference = source.skills_reference().unwrap_or_default();
    let reference =
        ["refs/tags/", "refs/heads/"].iter().find_map(|start| reference.strip_prefix(start)).unwrap_or(reference);
    let commit = source.skills_commit().map(|commit| commit.short()).unwrap_or_default();
    let version = source.plugin.as_ref().and_then(|plugin| plugin.version.as_deref());
    let version = version.map(|version| format!(" ({version})")).unwrap_or_default();
    if reference.is_empty() { format!("{commit}{version}") } else { format!("{reference}@{commit}{version}") }
}

fn document(outlook: &Outlook) -> Value {
    let source = |source: &LockedSource| {
        json!({
            "ref": source.reference,
            "commit": source.commit.as_ref().map(|commit| commit.as_str()),
            "skillsUrl": source.skills_url().map(|url| url.as_str()),
            "skillsCommit": source.skills_commit().map(|commit| commit.as_str()),
            "pluginVersion": source.plugin.as_ref().and_then(|plugin| plugin.version.as_deref()),
        })
    };
    let state = &outlook.state;
    json!({
        "source": outlook.key.as_str(),
        "current": source(&outlook.current),
        "within": state.within.as_ref().map(source),
        "newest": newer(outlook).map(|release| {
            json!({ "version": release.version, "ref": release.reference, "commit": release.commit.as_str() })
        }),
        "outdated": state.within.as_ref().map(|_| outlook.is_outdated()),
        "changed": state.changed.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
        "upstream": upstream_json(&state.upstream),
        "errors": outlook.errors.iter().map(|error| error.code()).collect::<Vec<_>>(),
    })
}
