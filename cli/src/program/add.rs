//! `skills add`: syncs at once, and writes the manifest last, so that a failed sync leaves it as it
//! was.

mod choose;
mod explain;
mod list;
mod location;
mod pin;
mod report;
mod request;
mod select;
mod target;

use super::{
    Context, args, license,
    manifest_edit::{finish, save, unchanged},
    sync,
    usage_error::usage_error,
};
use explain::Failed;
use helix_skills_format::{__internal::listed_all, DirPath};
use helix_skills_project::{Error, ErrorKind, Project, Synced, manifest::to_json};
use serde_json::json;
use target::Target;
pub(super) use {explain::explain_update, location::short, target::default_names};

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
    let project = context.project_if_any()?.unwrap_or_else(|| {
        let what = (!args.list).then_some("the manifest is that of");
        context.configured(Project::at(context.package(what)))
    });
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
