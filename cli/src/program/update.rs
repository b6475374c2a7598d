//! `skills update`

use super::{
    Context, args,
    sync::{announce, conclude, document},
};
use helix_skills_format::SourceKey;
use helix_skills_project::manifest::{Manifest, Pin, VersionPin};
use helix_skills_project::{Error, Failure, sync::Mode};
use std::cell::Cell;

pub(super) fn update(context: &Context<'_>, args: &args::Update) -> Result<(), Failure> {
    let project = context.project()?;
    let manifest = project.read_manifest()?;
    let sources = keys(&args.sources, &manifest)?;
    let mode = Mode { dry_run: args.dry_run, ..Mode::default() };
    let told = Cell::new(0);
    let synced = context.bake(&project, mode, "resolving pins", |project| {
        // Told before the first file is written.
        project.update(&sources, |planned| {
            announce(context, planned, mode);
            told.set(planned.warnings.len());
            true
        })
    })?;
    if mode.dry_run {
        announce(context, &synced, mode);
    } else {
        // And what was noticed while it was written.
        synced.warnings.iter().skip(told.get()).for_each(|warning| context.output.warning(warning));
    }
    let all = manifest.sources.keys().filter(|_| sources.is_empty());
    for key in sources.iter().chain(all) {
        if let Some(why) = fixed(&manifest, key).filter(|_| !synced.moved.iter().any(|moved| moved.key == *key)) {
            context.output.note("note:", format!("{key} is pinned to {why}; to move it, change the manifest"));
        }
    }
    conclude(context, &synced, mode);
    context.output.document(document(&synced, mode));
    Ok(())
}

/// The sources that are named.
pub(super) fn keys(named: &[String], manifest: &Manifest) -> Result<Vec<SourceKey>, Failure> {
    let (mut keys, mut errors) = (Vec::new(), Vec::new());
    for name in named {
        match SourceKey::new(name).ok().filter(|key| manifest.sources.contains_key(key)) {
            Some(key) => keys.push(key),
            None => errors.push(Error::unknown_source(name, manifest)),
        }
    }
    Failure::unless_empty(errors)?;
    Ok(keys)
}

/// What a source is pinned to, if that never means anything else.
fn fixed(manifest: &Manifest, key: &SourceKey) -> Option<String> {
    let repository = manifest.sources.get(key)?.repository()?;
    match (&repository.sha, &repository.pin) {
        (Some(sha), _) => Some(format!("the commit {}", sha.short())),
        (None, Pin::Version(VersionPin::Exact(version))) => Some(format!("the version {version}")),
        _ => None,
    }
}
