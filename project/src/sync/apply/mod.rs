//! The writing half of a sync.
//!
//! The order makes every moment safe: new files are complete in the staging directory before the first one moves; the
//! listing of what is coming lies beside them, so that a sync that was killed half-way knows its own files from edited
//! ones; a listing follows its files, the lock follows the listings, and only then is anything pruned.

mod edits;
mod install_plan;
mod pending;
mod prune;
mod stage;

pub(super) use edits::edits_of_locked;
pub(super) use pending::Pending;

use super::{Moved, Plan, SyncChange, Synced, Work, has_same_files};
use crate::manifest::Lock;
use crate::{
    Error, Failure,
    difference::Difference,
    disk,
    metadata::is_no_directory,
    paths::ProjectPaths,
    store::{self, ATTRIBUTES, STAGING},
};
use edits::edits_in_the_way;
use helix_skills_format::{__internal::one_line_chain, Listing, SkillName};
use install_plan::InstallPlan;
use prune::prune;
use stage::stage;
use std::collections::{BTreeMap, BTreeSet};

/// Skills that leave, each with every listing that knows its files.
type Leaving = BTreeMap<SkillName, Vec<Listing>>;

pub(super) fn apply(
    work: &Work<'_>,
    plan: Plan,
    lock: Lock,
    before: Option<&Lock>,
) -> Result<Synced, Failure> {
    let Work { project, cache, mode, .. } = *work;
    let (lock_changed, lock_is_new) = (before != Some(&lock), before.is_none());
    let nothing = Lock::default();
    let old = before.unwrap_or(&nothing);
    let mut leaving: Leaving = leaving(project, old, &lock, &plan.pending)?;
    let edits = edits_in_the_way(project, cache, old, &plan.skills, &leaving, &plan.pending)?;
    if !mode.restore && !edits.is_empty() {
        return Err(edits.into());
    }
    let lost = edits.into_iter().filter_map(|error| match error {
        Error::Edited { path, difference, .. } => Some((path, difference)),
        _ => None,
    });
    let attributes = project.store.join(ATTRIBUTES.0);
    let attributes_differ = match lock.skills.is_empty() {
        true => None,
        false => store::attributes_difference(project)?,
    };
    // One that is missing is written like any other file of a new store.
    let put_back = attributes_differ.filter(|difference| *difference != Difference::Missing);
    let put_back = put_back.map(|difference| (project.show(&attributes), difference));
    let mut synced = Synced {
        replaced: lost.chain(put_back).collect(),
        moved: moved(old, &lock),
        lock_changed,
        lock_is_new,
        changes: BTreeMap::new(),
        audited: BTreeMap::new(),
        upstream: plan.upstream,
        warnings: plan.warnings,
        details: plan.details,
        deferred: plan.deferred,
        wrote: Vec::new(),
        lock,
    };
    synced.changes.extend(leaving.keys().map(|name| (name.clone(), SyncChange::Removed)));
    leaving.retain(|name, listings| !listings.is_empty() || project.skill_dir(name).exists());
    // To some file systems the directory of a skill that leaves is that of one that comes: it goes first, and nothing
    // that lies there counts.
    let folded: BTreeSet<String> = synced.lock.skills.keys().map(SkillName::folded).collect();
    let (in_the_way, leaving): (Leaving, Leaving) =
        leaving.into_iter().partition(|(name, _)| folded.contains(&name.folded()));
    let taken: BTreeSet<String> = in_the_way.keys().map(SkillName::folded).collect();
    let (mut plans, mut modes) = (Vec::new(), Vec::new());
    for (name, wanted) in plan.skills {
        let makes_room = taken.contains(&name.folded());
        let plan = wanted
            .arrival
            .map(|arrival| InstallPlan::new(project, &name, arrival, makes_room))
            .transpose()?;
        let change = match old.skills.get(&name) {
            None => SyncChange::Added,
            Some(before) if !has_same_files(before, &wanted.locked) => SyncChange::Updated,
            Some(_)
                if plan.as_ref().is_some_and(InstallPlan::has_work) || !wanted.modes.is_empty() =>
            {
                SyncChange::Restored
            }
            Some(_) => SyncChange::Unchanged,
        };
        synced.changes.insert(name.clone(), change);
        synced.audited.extend(wanted.audited.map(|audited| (name.clone(), audited)));
        modes.extend(wanted.modes.into_iter().map(|path| {
            let executable = wanted
                .locked
                .executable
                .as_ref()
                .is_some_and(|executable| executable.contains(&path));
            (project.skill_dir(&name).join(path.as_str()), executable)
        }));
        plans.extend(plan.map(|plan| (name, plan)));
    }
    if mode.dry_run || !(work.approve)(&synced) {
        return Ok(synced);
    }
    let mut keep = plans.iter().filter(|(_, plan)| plan.cache);
    if let Err(error) =
        keep.try_for_each(|(_, plan)| cache.put(project, plan.listing.integrity(), &plan.contents))
    {
        // It only saves a download, and what is wrong with it is wrong for every skill.
        let help = error.hint().map(|help| format!("; {help}")).unwrap_or_default();
        synced
            .warnings
            .push(format!("cannot keep the skills in the cache: {}{help}", one_line_chain(&error)));
    }
    let staging = project.store.join(STAGING);
    let all_leaving = in_the_way.iter().chain(&leaving);
    if attributes_differ.is_some()
        || all_leaving.clone().next().is_some()
        || plans.iter().any(|(_, plan)| plan.has_work())
    {
        let above = disk::create_dir(&project.store)?;
        if is_no_directory(&staging) {
            disk::remove_file(&staging)?;
        }
        let is_new = !staging.exists();
        if let Err(error) = stage(&staging, &mut plans, all_leaving, work.cancellation) {
            // Nothing has moved yet: what an earlier sync left there is all that is worth keeping.
            if is_new && staging.exists() {
                let _ = disk::remove_tree(&staging);
            }
            if !above.is_empty() {
                disk::remove_empty_dir(&project.store);
            }
            return Err(error.into());
        }
        for directory in above {
            disk::sync_dir(&directory)?;
        }
        if attributes_differ.is_some() {
            disk::replace_via(&staging.join("attributes"), &attributes, ATTRIBUTES.1.as_bytes())?;
            synced.wrote.push(attributes);
        }
        for (name, listings) in &in_the_way {
            prune(project, name, listings, mode.restore)?;
        }
        for (name, plan) in plans.iter().filter(|(_, plan)| plan.has_work()) {
            synced.wrote.extend(plan.install(project, &staging, name)?);
        }
        disk::sync_dir(&project.store)?;
    }
    for (path, executable) in modes {
        disk::make_executable(&path, executable)?;
    }
    if lock_changed {
        disk::replace(&project.lock, synced.lock.to_string().as_bytes())?;
        synced.wrote.push(project.lock.clone());
    }
    for (name, listings) in &leaving {
        prune(project, name, listings, mode.restore)?;
    }
    if !leaving.is_empty() {
        // What is known of them goes only after they have.
        disk::sync_dir(&project.store)?;
    }
    if staging.exists() {
        disk::remove_tree(&staging)?;
    }
    let strangers = store::unknown_entries(project, |name| synced.lock.skills.contains_key(name))?;
    let mentioned = strangers
        .into_iter()
        .map(|name| project.show(&project.store.join(name)).display().to_string());
    synced
        .warnings
        .extend(mentioned.map(|path| format!("`{path}` belongs to no skill and was left alone")));
    Ok(synced)
}

/// The sources that mean another commit than before, with both; and the plugins of other repositories that do.
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

/// Skills that leave: those of the old lock, or of a sync that did not come to its end, that the new lock does not name;
/// each with every listing that knows its files. What else lies in the store is somebody else's.
fn leaving(
    project: &ProjectPaths,
    old: &Lock,
    lock: &Lock,
    pending: &Pending,
) -> Result<Leaving, Error> {
    // What an unfinished sync took away has left, if what came has its place now.
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
