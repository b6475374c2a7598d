//! `skills outdated`: what upstream offers, and whether it still has what is locked.
//!
//! Releases are looked up only for sources that pin a version: a branch has none to compare with,
//! and listing all tags is the most expensive request of all.

use super::{
    Context, args,
    suggested::pin_command,
    sync::{MAX_LISTED, names, upstream_changes, upstream_json},
    table::{locked, table},
};
use helix_skills_format::{
    __internal::{counted, listed, listed_all, one_line_chain},
    DirPath, LockedSource, Pin, SourceKey, VersionPin,
};
use helix_skills_project::manifest::Manifest;
use helix_skills_project::{__internal::Fact, Error, ErrorKind, Release, SourceStatus};
use serde_json::{Value, json};
use std::{collections::BTreeSet, mem};

pub(super) fn outdated(
    context: &Context<'_>,
    args: &args::Outdated,
) -> Result<Option<ErrorKind>, Error> {
    let project = context.project()?;
    let manifest = project.manifest()?;
    let sources = project.source_keys(&args.sources)?;
    let mut statuses = context.run("asking upstream", || project.outdated(&sources))?;
    statuses.iter_mut().for_each(|status| join_deleted(status, &manifest));
    context.output.data(&overview(&statuses, &manifest, args.table.width()));
    let unlocked = manifest.sources.iter().filter(|(key, source)| {
        source.repository().is_some()
            && (sources.is_empty() || sources.contains(key))
            && !statuses.iter().any(|status| status.key == **key)
    });
    let unlocked: Vec<&str> = unlocked.map(|(key, _)| key.as_str()).collect();
    for key in &unlocked {
        context.output.warning(&format!("the source `{key}` is not locked yet; run `skills sync`"));
    }
    for status in &statuses {
        if let (Some(release), Some(pin)) = (newer(status), version_pin(&manifest, &status.key)) {
            let (key, version) = (&status.key, &release.version);
            // A range stays one.
            let begin = if matches!(pin, VersionPin::Range(_)) { "^" } else { "" };
            let pin = format!("{begin}{version}");
            let command = pin_command(key, &manifest.sources[key], Some(&pin));
            let command = command.unwrap_or_default();
            let text = format!("{key} {version} is available; to use it, run `{command}`");
            context.output.note("note:", text);
        }
    }
    let fields = json!({ "sources": statuses.iter().map(document).collect::<Vec<_>>(), "unlocked": unlocked });
    let outdated = statuses.iter().filter(|status| status.is_outdated()).count();
    let newer = statuses.iter().filter(|status| newer(status).is_some()).count();
    let is_tag = |name: &str| name.starts_with("refs/tags/");
    let is_fixed = |status: &&SourceStatus| {
        let reference = status.current.reference.as_deref();
        version_pin(&manifest, &status.key).is_none() && reference.is_none_or(is_tag)
    };
    let fixed = statuses.iter().filter(is_fixed).count();
    // An error of a repository is repeated for each of its sources; print it once.
    let mut seen = BTreeSet::new();
    let errors = statuses.into_iter().flat_map(|status| status.errors);
    let errors: Vec<_> = errors.filter(|error| seen.insert(one_line_chain(error))).collect();
    if !errors.is_empty() {
        context.output.attach(fields);
        return Err(errors.into());
    }
    context.output.document(fields);
    match outdated {
        0 if !unlocked.is_empty() => context.output.note("next:", "run `skills sync`"),
        0 if newer > 0 => {
            let have = if newer == 1 { "source has" } else { "sources have" };
            let text = format!("{newer} {have} a newer release than its pin allows");
            context.output.note("ok", text);
        }
        0 if fixed > 0 => {
            let without = format!("{} pinned to a commit or tag", counted(fixed, "source"));
            let text = "all sources match their pins; releases were not looked up for";
            context.output.note("ok", format!("{text} {without}"));
        }
        0 => context.output.note("ok", "all sources are up to date"),
        _ => context.output.note("next:", "run `skills update --dry-run`"),
    }
    Ok((args.exit_code && outdated + unlocked.len() > 0).then_some(ErrorKind::Drift))
}

/// Joins the errors of a pin whose tag was deleted: that the tag is gone, and that the pin cannot
/// be resolved. The hint is a pin that can.
fn join_deleted(status: &mut SourceStatus, manifest: &Manifest) {
    let is_gone = |error: &Error| error.code() == "vanished";
    if !status.errors.iter().any(is_gone) {
        return;
    }
    let is_pin = |error: &Error| matches!(error.fact(), Fact::Unresolved { newest: Some(_), .. });
    let pins: Vec<Error> = status.errors.extract_if(.., |error| is_pin(error)).collect();
    let Some(Fact::Unresolved { newest: Some(newest), .. }) = pins.first().map(Error::fact) else {
        return;
    };
    let release = newest.iter().find(|version| !version.contains('-')).or(newest.first());
    let entry = &manifest.sources[&status.key];
    let command = release.and_then(|version| pin_command(&status.key, entry, Some(version)));
    let command = command.map(|command| format!("ask upstream, or run `{command}`"));
    let hint = command.or_else(|| pins[0].hint().map(str::to_owned));
    let joined = |error| if is_gone(&error) { error.hinted(hint.clone()) } else { error };
    status.errors = mem::take(&mut status.errors).into_iter().map(joined).collect();
}

/// One row per source, followed by the changes of its skills.
fn overview(statuses: &[SourceStatus], manifest: &Manifest, width: Option<usize>) -> String {
    let mut rows = Vec::new();
    for status in statuses {
        let within = match &status.within {
            None => "unknown".to_owned(),
            Some(_) if !status.is_outdated() => "the same".to_owned(),
            Some(within) => locked(within),
        };
        let newest = match newer(status) {
            Some(release) => release.version.clone(),
            None if status.newest.is_some() => "the same".to_owned(),
            None if status.within.is_none() => "unknown".to_owned(),
            None if version_pin(manifest, &status.key).is_none() => "not looked up".to_owned(),
            None => "none".to_owned(),
        };
        let mut notes = upstream_changes(&status.upstream, |_| false);
        let added: BTreeSet<&DirPath> = status.upstream.added.iter().collect();
        if !added.is_empty() {
            notes.push(format!("new upstream: {}", listed(added, MAX_LISTED)));
        }
        if !status.changed.is_empty() {
            notes.push(format!("changed: {}", listed_all(&status.changed)));
        }
        rows.push(([status.key.to_string(), locked(&status.current), within, newest], notes));
    }
    table(["source", "current", "within its pin", "newest release"], 3, &rows, width)
}

/// Returns the version that the manifest pins a source to.
fn version_pin<'m>(manifest: &'m Manifest, key: &SourceKey) -> Option<&'m VersionPin> {
    match &manifest.sources.get(key)?.repository()?.pin {
        Pin::Version(version) => Some(version),
        _ => None,
    }
}

/// Returns the newest release if it is neither locked nor what the pin resolves to.
fn newer(status: &SourceStatus) -> Option<&Release> {
    let mut known = status.within.iter().chain([&status.current]);
    let newest = status.newest.as_ref()?;
    (!known.any(|source| source.commit == Some(newest.commit))).then_some(newest)
}

fn document(status: &SourceStatus) -> Value {
    let source = |source: &LockedSource| {
        json!({
            "ref": source.reference,
            "commit": source.commit.as_ref().map(ToString::to_string),
            "skillsUrl": source.skills_url().map(|url| url.as_str()),
            "skillsCommit": source.skills_commit().map(ToString::to_string),
            "pluginVersion": source.plugin.as_ref().and_then(|plugin| plugin.version.as_deref()),
        })
    };
    json!({
        "source": status.key.as_str(),
        "current": source(&status.current),
        "within": status.within.as_ref().map(source),
        "newest": newer(status).map(|release| {
            json!({ "version": release.version, "ref": release.reference, "commit": release.commit.to_string() })
        }),
        "outdated": status.within.as_ref().map(|_| status.is_outdated()),
        "changed": names(&status.changed),
        "upstream": upstream_json(&status.upstream),
        "errors": status.errors.iter().map(|error| error.code()).collect::<Vec<_>>(),
    })
}
