//! `skills update`

use super::{
    Context,
    add::explain_update,
    args,
    suggested::pin_command,
    sync::{announce, conclude, document},
};
use helix_skills_format::{Pin, SourceKey, VersionPin};
use helix_skills_project::{Error, manifest::Manifest};
use std::cell::Cell;

pub(super) fn update(context: &Context<'_>, args: &args::Update) -> Result<(), Error> {
    let dry_run = args.dry_run;
    let project = context.project()?.dry_run(dry_run);
    let manifest = project.manifest()?;
    let sources = project.source_keys(&args.sources)?;
    let printed = Cell::new(None);
    let synced = context.run("resolving pins", || {
        // Prints the plan before the first file is written.
        project.update(&sources, |planned| {
            context.screen.suspend(|| announce(context, &project, planned, dry_run));
            printed.set(Some(planned.warnings.len()));
            true
        })
    });
    let synced = synced.map_err(|failure| explain_update(&project, &manifest, failure))?;
    match printed.get() {
        None => announce(context, &project, &synced, dry_run),
        // Other warnings were added while files were written.
        Some(count) => {
            synced.warnings.iter().skip(count).for_each(|warning| context.output.warning(warning));
        }
    }
    let all = manifest.sources.keys().filter(|_| sources.is_empty());
    for key in sources.iter().chain(all) {
        if let Some(why) =
            fixed(&manifest, key).filter(|_| !synced.moved.iter().any(|moved| moved.key == *key))
        {
            context.output.note("note:", format!("{key} is pinned to {why}"));
        }
    }
    conclude(context, &project, &synced, dry_run);
    context.output.document(document(&synced, dry_run));
    Ok(())
}

/// Returns the pin of a source if it is fixed, a commit or an exact version, and how to change it.
fn fixed(manifest: &Manifest, key: &SourceKey) -> Option<String> {
    let source = manifest.sources.get(key)?;
    let repository = source.repository()?;
    match (&repository.sha, &repository.pin) {
        (Some(sha), _) => {
            let command = pin_command(key, source, None)?;
            Some(format!("the commit {}; change it with `{command} --sha COMMIT`", sha.short()))
        }
        (None, Pin::Version(VersionPin::Exact(version))) => {
            Some(format!("the version {version}; `skills outdated {key}` shows newer releases"))
        }
        _ => None,
    }
}
