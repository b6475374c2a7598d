//! `skills add`: syncs at once, and writes the manifest last, so that a failed sync leaves it as it
//! was.

mod choose;
mod command;
mod explain;
mod list;
mod location;
mod pin;
mod report;
mod request;
mod select;
mod target;

use super::{Context, args, license, sync, usage_error::usage_error};
pub(super) use command::pin_command;
use explain::Failed;
pub(super) use explain::explain_update;
use helix_skills_format::{__internal::listed_all, DirPath, SourceKey};
use helix_skills_project::{
    __internal::Fact, Error, ErrorKind, ManifestEdit, Project, Synced, manifest::to_json,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use target::Target;

/// Adds a source, or one for each plugin.
pub(super) fn add(context: &Context<'_>, args: &args::Add) -> Result<(), Error> {
    if context.output.json && args.plugins.len() > 1 {
        let what = "`--json` prints one document, and several plugins were named";
        return Err(usage_error(what, "run the command once for each `--plugin`"));
    }
    if args.plugins.is_empty() {
        return add_source(context, args);
    }
    args.plugins.iter().try_for_each(|plugin| {
        add_source(context, &args::Add { plugins: vec![plugin.clone()], ..args.clone() })
    })
}

fn add_source(context: &Context<'_>, args: &args::Add) -> Result<(), Error> {
    if !args.words.is_empty() && !args.list {
        return Err(unexpected(args));
    }
    let project = match context.project() {
        Err(failure) if matches!(failure.fact(), Fact::NoManifest(_)) => {
            let what = (!args.list).then_some("the manifest is that of");
            context.configured(Project::at(context.package(what)))
        }
        project => project?,
    };
    let project = &project.dry_run(args.dry_run || args.list);
    let is_new = !project.manifest_path().exists();
    if !is_new && !args.list && project.root() != context.start {
        let manifest = context.shown_here(project.manifest_path());
        context.output.note("note:", format!("the manifest is `{manifest}`"));
    }
    let mut edit = context.run("waiting", || project.edit_or_create_manifest())?;
    let target = Target::read(context, project, edit.manifest(), args)?;
    let (mut source, warning) = target.entry(edit.manifest())?;
    warning.into_iter().for_each(|warning| context.output.warning(warning));
    // `--no-sync` may help only without a network: any other error would be moved to the next sync.
    let failed = |failure: &Error| {
        let is_remote = matches!(failure.kind(), ErrorKind::Network | ErrorKind::Authentication);
        unchanged(context, is_new, is_remote, failure);
    };
    let Some(selected) = target.select(&mut source).inspect_err(failed)? else {
        context.output.note("note:", "no skill was chosen; nothing was written");
        return Ok(());
    };
    if args.list {
        return target.list(&source);
    }
    let key = &target.key;
    edit.set(key, &source);
    let after = edit.parse()?.sources[key].clone();
    let check = |planned: &Synced| match planned.lock.skills_of(key).next() {
        None if !args.exclude.is_empty() => {
            let what = format!("no skill of the source `{key}` would be left");
            Err(usage_error(what, "name fewer skills in `--exclude`"))
        }
        _ => Ok(()),
    };
    let again = selected.is_update.then(|| key.clone()).into_iter().collect();
    let synced = save(context, (edit, again), args.no_sync, check).inspect_err(failed).map_err(
        |failure| {
            let (args, before) = (&target.request.args, target.before.as_ref());
            Failed { key, args, before, lock: &target.lock, selected: &selected }.explain(failure)
        },
    )?;
    if is_new {
        let file = context.shown_here(project.manifest_path());
        sync::report(context, args.dry_run, "created", &file);
    }
    let change = target.report(&after);
    let added = synced.iter().flat_map(|synced| synced.lock.skills_of(key));
    let places: Vec<&DirPath> = selected.named.values().collect();
    for (name, skill) in added.filter(|(_, skill)| places.contains(&&skill.path)) {
        context.output.note("note:", format!("{name} is in {}", skill.path));
    }
    let licenses = synced.as_ref().map(|synced| license::print(context, key, synced));
    let fields = json!({
        "key": key.as_str(),
        "created": is_new,
        "change": change,
        "before": target.before.as_ref().map(to_json),
        "source": to_json(&after),
        "licenses": licenses,
        "warnings": Vec::from_iter(warning),
    });
    finish(context, project, synced.as_ref(), args.dry_run, fields);
    Ok(())
}

/// Returns the error for words after the source.
fn unexpected(args: &args::Add) -> Error {
    let words: Vec<String> = args.words.iter().map(ToString::to_string).collect();
    let what = format!("unexpected arguments after the source: {}", listed_all(&words));
    let list = args::Add { list: true, ..args.clone() }.command();
    let include = args.include.iter().cloned().chain(words).collect();
    let include = args::Add { include, words: Vec::new(), ..args.clone() }.command();
    usage_error(what, format!("run `{include}` for these skills, or `{list}` to search"))
}

/// Syncs with the changed manifest, then writes it, unless the sync fails or `check` refuses the
/// planned changes. The pins of the named sources are resolved again.
pub(super) fn save(
    context: &Context<'_>,
    (edit, again): (ManifestEdit<'_>, BTreeSet<SourceKey>),
    no_sync: bool,
    check: impl Fn(&Synced) -> Result<(), Error>,
) -> Result<Option<Synced>, Error> {
    if no_sync {
        edit.save()?;
        return Ok(None);
    }
    context.run("syncing skills", || edit.save_and_sync_if(again, check)).map(Some)
}

/// Prints that a failed command did not change the manifest, and what to do next. `is_possible` is
/// whether `--no-sync` may help.
pub(super) fn unchanged(context: &Context<'_>, is_new: bool, is_possible: bool, failure: &Error) {
    let what = if is_new { "no manifest was written" } else { "the manifest is unchanged" };
    let next = match failure.kind() {
        // The disk may have failed after the first change of the store.
        ErrorKind::Disk if is_new => "; run the same command again",
        ErrorKind::Disk => {
            "; run the same command again, or `skills sync` to undo what was written"
        }
        // The manifest can allow what was refused.
        ErrorKind::Policy if is_new => "; `--no-sync` writes it without a sync",
        _ if is_possible => "; `--no-sync` edits it without a sync",
        _ => "",
    };
    context.output.note("note:", format!("{what}{next}"));
}

/// Prints the result of a change of the manifest.
pub(super) fn finish(
    context: &Context<'_>,
    project: &Project,
    synced: Option<&Synced>,
    dry_run: bool,
    mut fields: Value,
) {
    fields["dryRun"] = json!(dry_run);
    match synced {
        None if dry_run => context.output.note("dry run:", "nothing was written"),
        None => context.output.note("next:", "run `skills sync`"),
        Some(synced) => {
            sync::print(context, project, synced, dry_run);
            fields["sync"] = sync::document(synced, dry_run);
        }
    }
    context.output.document(fields);
}
