//! `skills add`: syncs at once, and writes the manifest last, so that a failed sync changes
//! nothing.

mod choose;
mod explain;
mod list;
mod local;
mod merge;
mod named;
mod outcome;
mod reading;
mod request;
mod spec;
mod suggested;
mod target;

use super::{Context, args, license, sync, typed::Typed, usage_error::usage_error};
use choose::Choice;
use explain::Situation;
use helix_skills_format::SourceKey;
use helix_skills_project::{
    __internal::Fact, Error, ErrorKind, ManifestEdit, Project, Synced, manifest::Source,
};
use merge::{Fields, describe, given_pin, merge, pin_fields};
use outcome::Outcome;
use request::Request;
use serde_json::{Map, Value, json};
use spec::{Spec, is_default};
pub(super) use suggested::pin_command;
use suggested::{add_command, this_command};
use target::{Target, shared_repository};

/// The warning for a repository without releases to pin.
const NO_RELEASE: &str = "the repository has no release tags; its default branch is used";

pub(super) fn add(context: &Context<'_>, args: &args::Add) -> Result<(), Error> {
    if let (Some(word), false) = (&args.word, args.list) {
        return Err(unexpected(args, word));
    }
    let project = match context.project() {
        // What a source offers does not depend on a project.
        Err(failure) if args.list && matches!(failure.fact(), Fact::NoManifest(_)) => {
            context.configured(Project::at(&context.start))
        }
        project => project?,
    };
    let project = project.dry_run(args.dry_run || args.list);
    let mut edit = context.run("waiting", || project.edit_manifest())?;
    let request = Request::read(context, &project, args)?;
    let (spec, args) = (&request.spec, &request.args);
    let mut warnings: Vec<String> = Vec::new();
    let explain_source = |source: &Source, existing: Option<&SourceKey>, failure| {
        let root = project.root();
        request.explain(&Situation { start: &context.start, root, source, existing }, failure)
    };
    let target = Target::find(spec, args, edit.manifest(), project.root())?;
    if args.list {
        let (Target::Existing(key) | Target::New(key)) = &target;
        let entry = entry(context, (&project, &edit), (spec, key), args, &mut warnings)?;
        let source = list::source(key, &entry)?;
        return list::list(context, &project, (key, &entry), &request)
            .map_err(|failure| explain_source(&source, None, failure));
    }
    let key = match target {
        Target::Existing(key) => {
            let source = &edit.manifest().sources[&key];
            let fields = merge(&key, source, args)?;
            if let Some(include) = &source.select().include {
                for name in args.exclude.iter().filter(|name| !include.contains(*name)) {
                    warnings.push(format!("the source `{key}` does not include `{name}`"));
                }
            }
            warnings.iter().for_each(|warning| context.output.warning(warning));
            edit.set(&key, &list::changed(&key, source, fields)?);
            key
        }
        Target::New(key) => {
            let mut entry = entry(context, (&project, &edit), (spec, &key), args, &mut warnings)?;
            let choice = choose::choose(context, args, &project, &key, &entry);
            let choice = choice.map_err(|failure| match list::source(&key, &entry) {
                Ok(source) => explain_source(&source, None, failure),
                Err(_) => failure,
            });
            match choice? {
                Choice::All => {}
                Choice::Directories(directories) => entry.push(("include", json!(directories))),
                Choice::Nothing => {
                    context.output.note("note:", "no skill was chosen; nothing was written");
                    return Ok(());
                }
            }
            edit.set(&key, &list::source(&key, &entry)?);
            key
        }
    };
    let before = edit.manifest().sources.get(&key).cloned();
    let after = edit.parse()?.sources[&key].clone();
    let outcome = Outcome { key: &key, before: before.as_ref(), after: &after };
    let check = |planned: &Synced| named::check(&key, &after, args, planned);
    let synced = save(context, edit, args.no_sync, check).map_err(|failure| {
        // Of other errors, the next sync has the same.
        let is_remote = matches!(failure.kind(), ErrorKind::Network | ErrorKind::Authentication);
        unchanged(context, is_remote);
        let failure = named::explain_occupied(&project, failure);
        let failure = explain_source(&after, before.as_ref().map(|_| &key), failure);
        explain_same_names(&key, &args.rename, failure)
    })?;
    if let Some(warning) = request.kept_pin(&key, &after) {
        context.output.warning(&warning);
        warnings.push(warning);
    }
    for (label, text) in outcome.lines(synced.as_ref().map(|synced| &synced.lock)) {
        report(context, args.dry_run, label, &text);
    }
    let licenses = synced.as_ref().map(|synced| license::print(context, &key, synced));
    let fields = json!({
        "key": key.as_str(),
        "change": outcome.name(),
        "before": before.map(|source| source.to_json()),
        "source": after.to_json(),
        "licenses": licenses,
        "warnings": warnings,
    });
    finish(context, synced.as_ref(), args.dry_run, fields);
    Ok(())
}

/// Returns the entry of a new source.
fn entry(
    context: &Context<'_>,
    (project, edit): (&Project, &ManifestEdit<'_>),
    (spec, key): (&Spec, &SourceKey),
    args: &args::Add,
    warnings: &mut Vec<String>,
) -> Result<Fields, Error> {
    let mut entry = Fields::new();
    match spec {
        Spec::Git(url) => {
            let mut pin = given_pin(args);
            let mut url = url;
            if pin.iter().all(|(_, value)| value.is_none()) {
                // Skills of one repository have one pin, unless the source was named.
                let shared = shared_repository(url, edit.manifest(), project.root());
                if let Some((other, repository)) = shared.filter(|_| args.name.is_none()) {
                    (url, pin) = (&repository.url, pin_fields(repository));
                    let text = format!("the pin of the source {other} is used: {}", describe(&pin));
                    context.output.note("note:", text);
                } else {
                    let newest = context.run("looking for the newest release", || {
                        project.newest_release(url, key)
                    })?;
                    if newest.is_none() {
                        context.output.warning(NO_RELEASE);
                        warnings.push(NO_RELEASE.to_owned());
                    }
                    pin[0].1 = newest.map(|release| release.version);
                }
            }
            let kind = if args.plugin.is_some() { "claude-marketplace" } else { "git" };
            entry.extend([("type", json!(kind)), ("url", json!(url.as_str()))]);
            entry.extend(args.plugin.as_ref().map(|plugin| ("plugin", json!(plugin))));
            let pin = pin.into_iter().filter_map(|(field, value)| Some((field, json!(value?))));
            entry.extend(pin);
            let directory = args.skills_dir.as_deref().filter(|named| !is_default(named));
            entry.extend(directory.map(|directory| ("skillsDir", json!(directory))));
        }
        Spec::Path(path) => entry.extend([("type", json!("path")), ("path", json!(path))]),
    }
    if !args.include.is_empty() {
        entry.push(("include", json!(args.include)));
    }
    if !args.exclude.is_empty() {
        entry.push(("exclude", json!(args.exclude)));
    }
    if !args.rename.is_empty() {
        let rename = args.rename.iter().map(|(directory, name)| (directory.clone(), json!(name)));
        entry.push(("rename", Value::Object(rename.collect::<Map<_, _>>())));
    }
    entry.extend(args.prefix.as_ref().map(|prefix| ("prefix", json!(prefix))));
    Ok(entry)
}

/// Replaces the hints of names that collide with those of the source `key` by a command.
fn explain_same_names(key: &SourceKey, typed: &[(String, String)], failure: Error) -> Error {
    let mut renames = Vec::new();
    for error in failure.errors() {
        if let Fact::SameName(name, places) = error.fact()
            && let Some((_, path)) = places.iter().find(|(source, _)| source == key)
        {
            let directory = path.file_name().unwrap_or(name).to_string();
            renames.push((directory, key.qualify(name).to_string()));
        }
    }
    let is_replaced = |typed: &(String, String)| renames.iter().any(|(it, _)| *it == typed.0);
    let kept = typed.iter().filter(|typed| !is_replaced(typed));
    let options: Vec<String> =
        kept.chain(&renames).map(|(directory, name)| format!("{directory}={name}")).collect();
    let options: Vec<(&str, &str)> =
        options.iter().map(|rename| ("--rename", rename.as_str())).collect();
    let prefix = key.qualify("");
    let mut hint = Some(match renames.len() {
        0..=3 => this_command(&["--rename"], &options),
        _ => this_command(&["--prefix"], &[("--prefix", &prefix)]),
    });
    let explained = failure.into_iter().map(|error| match error.fact() {
        Fact::SameName(_, places) if places.iter().any(|(source, _)| source == key) => {
            error.hinted(hint.take().map(|command| format!("run `{command}`")))
        }
        _ => error,
    });
    explained.collect::<Vec<_>>().into()
}

/// Returns the error for a second argument.
fn unexpected(args: &args::Add, word: &Typed) -> Error {
    let what = format!("unexpected argument `{word}`");
    let args = args::Add { word: None, ..args.clone() };
    let shown = word.to_string();
    let hint = if shown.contains(['/', '@']) {
        let one = add_command(&args);
        let other = add_command(&args::Add { source: word.clone(), ..args });
        format!("add one source at a time: run `{one}`, then `{other}`")
    } else {
        let mut include = args.clone();
        include.include.push(shown);
        let list = args::Add { list: true, word: Some(word.clone()), ..args };
        let (include, list) = (add_command(&include), add_command(&list));
        format!("run `{include}` for a skill, or `{list}` to search")
    };
    usage_error(what, hint)
}

/// Prints what changed. In a dry run, the changes are the data.
pub(super) fn report(context: &Context<'_>, dry_run: bool, label: &str, text: &str) {
    match dry_run {
        true => context.output.data(&format!("{label} {text}\n")),
        false => context.output.note(label, text),
    }
}

/// Syncs with the changed manifest, then writes it, unless the sync fails or `check` refuses the
/// planned changes.
pub(super) fn save(
    context: &Context<'_>,
    edit: ManifestEdit<'_>,
    no_sync: bool,
    check: impl Fn(&Synced) -> Result<(), Error>,
) -> Result<Option<Synced>, Error> {
    if no_sync {
        edit.save()?;
        return Ok(None);
    }
    edit.parse()?;
    context.run("syncing skills", || edit.save_and_sync_if(check)).map(Some)
}

/// Prints that a failed command changed nothing, and what edits the manifest anyway.
pub(super) fn unchanged(context: &Context<'_>, is_possible: bool) {
    let anyway = if is_possible { "; `--no-sync` edits it without a sync" } else { "" };
    context.output.note("note:", format!("the manifest is unchanged{anyway}"));
}

/// Prints the result of a change of the manifest.
pub(super) fn finish(
    context: &Context<'_>,
    synced: Option<&Synced>,
    dry_run: bool,
    mut fields: Value,
) {
    fields["dryRun"] = json!(dry_run);
    match synced {
        None if dry_run => context.output.note("dry run:", "nothing was written"),
        None => context.output.note("next:", "skills sync"),
        Some(synced) => {
            sync::print(context, synced, dry_run);
            fields["sync"] = sync::document(synced, dry_run);
        }
    }
    context.output.document(fields);
}
