//! The writing half of a sync.
//!
//! The order makes an interruption at any point safe. New files are complete in the staging
//! directory before the first one is moved. Their listings are staged with them, so that the sync
//! after a killed one can distinguish these files from edited ones. A listing is written after its
//! files, the lockfile after the listings, and only then are skills removed.

mod edits;
mod install_plan;
mod pending;
mod prune;
mod stage;

pub(super) use edits::edits_of_locked;
pub(super) use pending::Pending;

use super::{Moved, SyncChange, SyncInputs, Synced, draft::Draft, has_same_files};
use crate::manifest::Lock;
use crate::{
    Error, ProgressEvent,
    difference::Difference,
    disk::{self, RootedDir},
    error::Fact,
    license,
    paths::ProjectPaths,
    store::{self, ATTRIBUTES, STAGING},
};
use edits::conflicting_edits;
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

pub(super) fn apply(
    work: &SyncInputs<'_>,
    draft: Draft,
    lock: Lock,
    before: Option<&Lock>,
    is_merged: bool,
) -> Result<Synced, Error> {
    let SyncInputs { project, cache, mode, .. } = *work;
    // The file of a merged lockfile still has its conflict markers.
    let (lock_changed, lock_is_new) = (is_merged || before != Some(&lock), before.is_none());
    let nothing = Lock::default();
    let old = before.unwrap_or(&nothing);
    let mut leaving: Leaving = leaving(project, old, &lock, &draft.pending)?;
    let edits = conflicting_edits(project, cache, old, &draft.skills, &leaving, &draft.pending)?;
    if !mode.restore && !edits.is_empty() {
        return Err(edits.into());
    }
    let lost = edits.iter().filter_map(|error| match error.fact() {
        Fact::Edited(_, path, difference) => Some((path.clone(), *difference)),
        _ => None,
    });
    let attributes = project.store.join(ATTRIBUTES.0);
    let attributes_differ = match lock.skills.is_empty() {
        true => None,
        false => store::attributes_difference(project)?,
    };
    let attributes_differ =
        attributes_differ.filter(|found| *found != Difference::Former || !mode.locked);
    let restored = attributes_differ.filter(|difference| {
        // In a new store, it is written like any other file.
        let is_new_store = || old.skills.is_empty() || !project.store.exists();
        *difference != Difference::Missing || !is_new_store()
    });
    let restored = restored.map(|difference| (project.show(&attributes), difference));
    let (warnings, details) = draft.notes.into_lines();
    let mut synced = Synced {
        replaced: lost.chain(restored).collect(),
        moved: moved(old, &lock),
        lock_changed,
        lock_is_new,
        changes: BTreeMap::new(),
        was: BTreeMap::new(),
        licenses: BTreeMap::new(),
        facts: BTreeMap::new(),
        upstream: draft.upstream,
        warnings,
        details,
        deferred: draft.deferred,
        wrote: Vec::new(),
        lock,
    };
    synced.changes.extend(leaving.keys().map(|name| (name.clone(), SyncChange::Removed)));
    leaving.retain(|name, listings| !listings.is_empty() || project.skill_dir(name).exists());
    // On some file systems, a skill to remove and a new one have the same directory. It is removed
    // first, and its files are not reused.
    let folded: BTreeSet<String> = synced.lock.skills.keys().map(SkillName::folded).collect();
    let (in_the_way, leaving): (Leaving, Leaving) =
        leaving.into_iter().partition(|(name, _)| folded.contains(&name.folded()));
    let taken: BTreeSet<String> = in_the_way.keys().map(SkillName::folded).collect();
    let (mut installs, mut modes) = (Vec::new(), Vec::new());
    for (name, wanted) in draft.skills {
        let makes_room = taken.contains(&name.folded());
        if let (Some(skill), Some(arrival)) = (&wanted.skill, &wanted.arrival) {
            let paths = arrival.listing.iter().map(|(path, _)| path.as_str());
            let source = synced.lock.sources.get(&wanted.locked.source);
            let license = license::of_skill(skill, paths, source);
            synced.licenses.insert(name.clone(), license);
        }
        let install = wanted
            .arrival
            .map(|arrival| InstallPlan::new(project, &name, arrival, makes_room))
            .transpose()?;
        let has_work =
            install.as_ref().is_some_and(InstallPlan::has_work) || !wanted.modes.is_empty();
        let before = old.skills.get(&name);
        // A skill that only the store has is not new to its user.
        let listed = match before {
            None => store::read_listing(&project.listing(&name))?,
            Some(_) => None,
        };
        let listed = listed.map(|listing| listing.map(|listing| listing.integrity()));
        let integrity = wanted.locked.integrity;
        let change = match (before, listed) {
            (Some(before), _) if !has_same_files(before, &wanted.locked) => SyncChange::Updated,
            (Some(_), _) if has_work => SyncChange::Restored,
            (Some(_), _) => SyncChange::Unchanged,
            (None, Some(listed)) if listed != Some(integrity) => SyncChange::Updated,
            (None, Some(_)) if has_work => SyncChange::Restored,
            (None, _) => SyncChange::Added,
        };
        let was = before.map(|before| before.integrity).or(listed.flatten());
        synced.was.extend(was.filter(|was| *was != integrity).map(|was| (name.clone(), was)));
        synced.changes.insert(name.clone(), change);
        synced.facts.extend(wanted.facts.map(|facts| (name.clone(), facts)));
        modes.extend(wanted.modes.into_iter().map(|path| {
            let executable = wanted
                .locked
                .executable
                .as_ref()
                .is_some_and(|executable| executable.contains(&path));
            (Path::new(name.as_str()).join(path.as_str()), executable)
        }));
        installs.extend(install.map(|install| (name, install)));
    }
    if mode.dry_run || !(work.approve)(&synced) {
        return Ok(synced);
    }
    work.progress.on(&ProgressEvent::Writing);
    let keep = installs.iter().map(|(_, install)| install).filter(|install| install.cache);
    let keep = keep.map(|install| (install.listing.integrity(), &install.contents));
    if let Err(error) = cache.put(project, keep.collect()) {
        // The cache only saves downloads.
        let help = error.hint().map(|help| format!("; {help}")).unwrap_or_default();
        synced
            .warnings
            .push(format!("cannot add the skills to the cache: {}{help}", one_line_chain(&error)));
    }
    let staging = Path::new(STAGING);
    let all_leaving = in_the_way.iter().chain(&leaving);
    let has_work = attributes_differ.is_some()
        || all_leaving.clone().next().is_some()
        || installs.iter().any(|(_, install)| install.has_work());
    let parents = if has_work { disk::create_dir(&project.store)? } else { Vec::new() };
    // From here on, the store is this directory, even if another one gets its path.
    let store = RootedDir::open_nofollow(&project.store)?;
    let staged = match &store {
        Some(store) if has_work => {
            stage(store, &mut installs, all_leaving, draft.pending, work.cancellation)
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
        if attributes_differ.is_some() {
            let (name, text) = ATTRIBUTES;
            store.replace_via(&staging.join("attributes"), Path::new(name), text.as_bytes())?;
            synced.wrote.push(attributes);
        }
        prune(store, &in_the_way, mode.restore)?;
        install(store, &installs, &mut synced.wrote)?;
    }
    if let Some(store) = &store {
        modes.iter().try_for_each(|(path, executable)| store.make_executable(path, *executable))?;
    }
    if lock_changed {
        disk::replace(&project.lock, synced.lock.to_string().as_bytes())?;
        synced.wrote.push(project.lock.clone());
    }
    if let Some(store) = &store {
        prune(store, &leaving, mode.restore)?;
        if !leaving.is_empty() {
            // The staged listings are removed only after the skills.
            store.sync_dir(Path::new(""))?;
        }
        store.remove_tree(staging)?;
    }
    let unknown = store::unknown_entries(project, |name| synced.lock.skills.contains_key(name))?;
    let (orphans, unknown): (Vec<_>, Vec<_>) =
        unknown.into_iter().partition(|name| store::is_orphan(project, name));
    for name in orphans {
        if let Some(store) = &store {
            store.remove_file(Path::new(&name))?;
        }
        let path = project.show(&project.store.join(name)).display().to_string();
        synced.details.push(format!("removed `{path}`, the listing of a skill that is not locked"));
    }
    let ignored = unknown
        .into_iter()
        .map(|name| project.show(&project.store.join(name)).display().to_string());
    synced
        .warnings
        .extend(ignored.map(|path| format!("ignored `{path}`, which does not belong to a skill")));
    Ok(synced)
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

/// Returns the sources whose commits changed, and those of plugins in other repositories.
fn moved(old: &Lock, new: &Lock) -> Vec<Moved> {
    let mut moved = Vec::new();
    for (key, source) in &new.sources {
        let before = old.sources.get(key);
        let plugin = source.plugin.as_ref().filter(|plugin| plugin.url.is_some());
        let plugin_before = before.and_then(|before| before.plugin.as_ref());
        let hops = [
            (None, &source.reference, &source.commit, before.and_then(|before| before.commit)),
            (
                plugin.and_then(|plugin| plugin.url.clone()),
                plugin.map_or(&None, |plugin| &plugin.reference),
                plugin.map_or(&None, |plugin| &plugin.commit),
                plugin_before.and_then(|before| before.commit),
            ),
        ];
        for (plugin_url, reference, after, before) in hops {
            if let Some(after) = (*after).filter(|after| before.as_ref() != Some(after)) {
                moved.push(Moved {
                    key: key.clone(),
                    plugin_url,
                    reference: reference.clone(),
                    before,
                    after,
                });
            }
        }
    }
    moved
}

/// Returns the skills to remove: those of the old lockfile or of an interrupted sync that are not
/// in the new lockfile. Other directories of the store are not ours.
fn leaving(
    project: &ProjectPaths,
    old: &Lock,
    lock: &Lock,
    pending: &Pending,
) -> Result<Leaving, Error> {
    // A skill of an interrupted sync is gone if a new skill has its directory.
    let here: BTreeSet<String> = lock.skills.keys().map(SkillName::folded).collect();
    let unfinished = pending.0.keys().filter(|name| !here.contains(&name.folded()));
    let names: BTreeSet<SkillName> = old.skills.keys().chain(unfinished).cloned().collect();
    let mut leaving = BTreeMap::new();
    for name in names.into_iter().filter(|name| !lock.skills.contains_key(name)) {
        let on_disk = store::read_listing(&project.listing(&name))?.flatten();
        let listings: Vec<Listing> =
            on_disk.into_iter().chain(pending.listings(&name).iter().cloned()).collect();
        leaving.insert(name, listings);
    }
    Ok(leaving)
}
