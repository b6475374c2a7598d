//! The writing half of a sync.
//!
//! The order makes an interruption at any point safe. New files are complete in the staging
//! directory before the first one is moved. Their listings are staged with them, so that the sync
//! after a killed one can distinguish these files from edited ones. A listing is written after its
//! files, the lockfile after the listings, and only then are skills removed.

mod changes;
mod edits;
mod install_plan;
mod pending;
mod prune;
mod stage;

pub(super) use changes::{Changes, changes};
pub(super) use edits::edits_of_locked;
pub(super) use pending::Pending;

use super::{SyncInputs, Synced};
use crate::{
    Error, ProgressEvent,
    disk::{self, RootedDir},
    fetch::OriginFiles,
    paths::ProjectPaths,
    store::{self, ATTRIBUTES, STAGING},
};
use helix_skills_format::{__internal::one_line_chain, Listing, SkillName};
use install_plan::InstallPlan;
use prune::prune;
use stage::stage;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// Skills to remove, each with all listings that have its files.
type Leaving = BTreeMap<SkillName, Vec<Listing>>;

/// Writes the changes, and the lockfile if it changed. Adds to `synced` what was written.
pub(super) fn write(
    work: &SyncInputs<'_>,
    changes: Changes,
    origins: OriginFiles,
    synced: &mut Synced,
) -> Result<(), Error> {
    let SyncInputs { project, cache, mode, .. } = *work;
    let Changes { mut installs, modes, in_the_way, leaving, writes_attributes, pending } = changes;
    work.progress.on(ProgressEvent::Writing);
    let arrivals = installs.iter().map(|(_, install)| &install.arrival);
    let keep = arrivals.filter(|arrival| arrival.cache);
    let keep = keep.map(|arrival| (arrival.listing.integrity(), &arrival.contents));
    if let Err(error) = cache.put(project, keep.collect(), &origins.new) {
        // The cache only saves downloads.
        let help = error.hint().map(|help| format!("; {help}")).unwrap_or_default();
        synced
            .warnings
            .push(format!("cannot add the skills to the cache: {}{help}", one_line_chain(&error)));
    }
    let staging = Path::new(STAGING);
    let all_leaving = in_the_way.iter().chain(&leaving);
    let has_work = writes_attributes
        || !origins.new.is_empty()
        || all_leaving.clone().next().is_some()
        || installs.iter().any(|(_, install)| install.has_work());
    let parents = if has_work { disk::create_dir(&project.store)? } else { Vec::new() };
    // From here on, the store is this directory, even if another one gets its path.
    let store = RootedDir::open_nofollow(&project.store)?;
    let staged = match &store {
        Some(store) if has_work => {
            stage(store, &mut installs, all_leaving, pending, work.cancellation)
        }
        _ => Ok(()),
    };
    if let Err(error) = staged {
        // Windows does not remove an open directory.
        drop(store);
        if !parents.is_empty() {
            let (above, name) = RootedDir::open_parent(&project.store)?;
            above.remove_empty_dir(name);
        }
        return Err(error);
    }
    if has_work && let Some(store) = &store {
        for directory in parents {
            RootedDir::open(&directory)?.sync_dir(Path::new(""))?;
        }
        if writes_attributes {
            let (name, text) = ATTRIBUTES;
            store.replace_via(&staging.join("attributes"), Path::new(name), text.as_bytes())?;
            synced.wrote.push(project.store.join(name));
        }
        for (name, text) in &origins.new {
            store.replace_via(&staging.join("origin"), Path::new(name), text.as_bytes())?;
            synced.wrote.push(project.store.join(name));
        }
        prune(store, &in_the_way, mode.restore)?;
        install(store, &installs, &mut synced.wrote)?;
    }
    if let Some(store) = &store {
        modes.iter().try_for_each(|(path, executable)| store.make_executable(path, *executable))?;
    }
    if synced.lock_changed {
        disk::replace(&project.lock, synced.lock.to_string().as_bytes())?;
        synced.wrote.push(project.lock.clone());
    }
    if let Some(store) = &store {
        prune(store, &leaving, mode.restore)?;
        origins.unused.iter().try_for_each(|name| store.remove_file(Path::new(name)))?;
        if !leaving.is_empty() || !origins.unused.is_empty() {
            // The staged listings are removed only after the skills.
            store.sync_dir(Path::new(""))?;
        }
        store.remove_tree(staging)?;
    }
    synced.warnings.extend(origins.warnings);
    remove_orphans(project, store.as_ref(), synced)
}

/// Removes listings without a skill, and reports entries of the store that do not belong to a
/// skill.
fn remove_orphans(
    project: &ProjectPaths,
    store: Option<&RootedDir>,
    synced: &mut Synced,
) -> Result<(), Error> {
    let unknown = store::unknown_entries(project, |name| synced.lock.skills.contains_key(name))?;
    let (orphans, unknown): (Vec<_>, Vec<_>) =
        unknown.into_iter().partition(|name| store::is_orphan(project, name));
    for name in orphans {
        if let Some(store) = store {
            store.remove_file(Path::new(&name))?;
        }
        let path = project.show_stored(&name);
        synced.details.push(format!("removed `{path}`, the listing of a skill that is not locked"));
    }
    let ignored = unknown.iter().map(|name| project.show_stored(name));
    let ignored = ignored.map(|path| format!("ignored `{path}`, which does not belong to a skill"));
    synced.warnings.extend(ignored);
    Ok(())
}

/// Moves staged skills into place: all files, then, when these are durable, all listings.
fn install(
    store: &RootedDir,
    installs: &[(SkillName, InstallPlan)],
    wrote: &mut Vec<PathBuf>,
) -> Result<(), Error> {
    let installs = || installs.iter().filter(|(_, install)| install.has_work());
    let mut touched = BTreeSet::new();
    for (name, install) in installs() {
        install.install_files(store, name, wrote, &mut touched)?;
    }
    store.sync_dirs(touched)?;
    for (name, install) in installs() {
        install.install_listing(store, name, wrote)?;
    }
    store.sync_dir(Path::new(""))
}
