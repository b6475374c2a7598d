//! What a sync changes in the store. Nothing is written here.

use super::{Leaving, Pending, edits::conflicting_edits, install_plan::InstallPlan};
use crate::manifest::Lock;
use crate::{
    Error,
    difference::Difference,
    entries::hops,
    error::Fact,
    license,
    paths::ProjectPaths,
    plan::{Plan, SkillPlan},
    store::{self, ATTRIBUTES},
    sync::{Moved, SyncChange, SyncInputs, Synced, has_same_files},
};
use helix_skills_format::{Listing, LockedSkill, SkillName};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The changes of a sync to the store.
#[derive(Default)]
pub(in crate::sync) struct Changes {
    pub(super) installs: Vec<(SkillName, InstallPlan)>,
    /// Files whose executable bit is set or removed.
    pub(super) modes: Vec<(PathBuf, bool)>,
    /// Skills to remove first, because a new one may have the same directory.
    pub(super) in_the_way: Leaving,
    /// Skills to remove at the end.
    pub(super) leaving: Leaving,
    pub(super) writes_attributes: bool,
    pub(super) pending: Pending,
}

/// Compares the store and the lockfile `before` with what a sync found, of which `lock` is the new
/// lockfile.
///
/// # Errors
/// Edited files would be lost.
pub(in crate::sync) fn changes(
    work: &SyncInputs<'_>,
    plan: Plan,
    pending: Pending,
    lock: Lock,
    before: Option<&Lock>,
    is_merged: bool,
) -> Result<(Changes, Synced), Error> {
    let SyncInputs { project, cache, mode, .. } = *work;
    let nothing = Lock::default();
    let old = before.unwrap_or(&nothing);
    let mut leaving = leaving(project, old, &lock, &pending)?;
    let edits = conflicting_edits(project, cache, old, &plan.skills, &leaving, &pending)?;
    if !mode.restore && !edits.is_empty() {
        return Err(edits.into());
    }
    let lost = edits.iter().filter_map(|error| match error.fact() {
        Fact::Edited(_, path, difference) => Some((path.clone(), *difference)),
        _ => None,
    });
    let attributes = match lock.skills.is_empty() {
        true => None,
        false => store::attributes_difference(project)?,
    };
    let attributes = attributes.filter(|found| *found != Difference::Former || !mode.locked);
    let restored = attributes.filter(|difference| {
        // In a new store, it is written like any other file.
        let is_new_store = || old.skills.is_empty() || !project.store.exists();
        *difference != Difference::Missing || !is_new_store()
    });
    let path = project.show(&project.store.join(ATTRIBUTES.0));
    let (warnings, details) = plan.notes.into_lines();
    let mut synced = Synced {
        replaced: lost.chain(restored.map(|difference| (path, difference))).collect(),
        moved: moved(old, &lock),
        // The file of a merged lockfile still has its conflict markers.
        lock_changed: is_merged || before != Some(&lock),
        lock_is_new: before.is_none(),
        upstream: plan.upstream,
        warnings,
        details,
        deferred: plan.deferred,
        lock,
        ..Synced::default()
    };
    synced.changes.extend(leaving.keys().map(|name| (name.clone(), SyncChange::Removed)));
    leaving.retain(|name, listings| !listings.is_empty() || project.skill_dir(name).exists());
    // On some file systems, a skill to remove and a new one have the same directory. It is removed
    // first, and its files are not reused.
    let folded: BTreeSet<String> = synced.lock.skills.keys().map(SkillName::folded).collect();
    let (in_the_way, leaving): (Leaving, Leaving) =
        leaving.into_iter().partition(|(name, _)| folded.contains(&name.folded()));
    let taken: BTreeSet<String> = in_the_way.keys().map(SkillName::folded).collect();
    let writes_attributes = attributes.is_some();
    let mut changes =
        Changes { in_the_way, leaving, writes_attributes, pending, ..Changes::default() };
    let by_place: BTreeMap<_, _> =
        old.skills.values().map(|skill| ((&skill.source, &skill.path), skill)).collect();
    for (name, skill) in plan.skills {
        let makes_room = taken.contains(&name.folded());
        // Another text under another name is not new to its user.
        let renamed = || by_place.get(&(&skill.locked.source, &skill.locked.path)).copied();
        let renamed = || renamed().filter(|before| before.integrity != skill.locked.integrity);
        let before = old.skills.get(&name).or_else(renamed);
        changes.add(project, before, (name, skill), makes_room, &mut synced)?;
    }
    Ok((changes, synced))
}

impl Changes {
    /// Adds the changes of a skill of the new lockfile. `before` is the skill as it was locked.
    fn add(
        &mut self,
        project: &ProjectPaths,
        before: Option<&LockedSkill>,
        (name, plan): (SkillName, SkillPlan),
        makes_room: bool,
        synced: &mut Synced,
    ) -> Result<(), Error> {
        let SkillPlan { locked, arrival, modes, skill, facts, .. } = plan;
        if let (Some(skill), Some(arrival)) = (&skill, &arrival) {
            let paths = arrival.listing.iter().map(|(path, _)| path.as_str());
            let source = synced.lock.sources.get(&locked.source);
            let license = license::of_skill(skill, paths, source);
            let files = arrival.contents.files().iter();
            let texts = files.filter_map(|file| {
                license::files([file.path.as_str()]).and(str::from_utf8(&file.bytes).ok())
            });
            let is_refused = texts.chain(license.as_deref()).any(license::forbids_copies);
            let is_own = source.is_some_and(|source| source.entry.directory().is_some());
            if let (None, Some(license), false, true) = (before, &license, is_own, is_refused) {
                synced.warnings.push(format!(
                    "the license of the skill `{name}` seems to forbid copies, and a program that embeds it is one: {license}"
                ));
            }
            synced.licenses.insert(name.clone(), license);
        }
        let install = arrival
            .map(|arrival| InstallPlan::new(project, &name, arrival, makes_room))
            .transpose()?;
        let has_work = install.as_ref().is_some_and(InstallPlan::has_work) || !modes.is_empty();
        // Nor is a skill new that only the store has.
        let listed = install.as_ref().and_then(|install| install.listed.as_ref());
        let listed = listed.filter(|_| before.is_none());
        let listed = listed.map(|listing| listing.as_ref().map(Listing::integrity));
        let integrity = locked.integrity;
        let change = match (before, listed) {
            (Some(before), _) if !has_same_files(before, &locked) => SyncChange::Updated,
            (Some(_), _) if has_work => SyncChange::Restored,
            (Some(_), _) => SyncChange::Unchanged,
            (None, Some(listed)) if listed != Some(integrity) => SyncChange::Updated,
            (None, Some(_)) if has_work => SyncChange::Restored,
            (None, _) => SyncChange::Added,
        };
        let was = before.map(|before| before.integrity).or(listed.flatten());
        synced.was.extend(was.filter(|was| *was != integrity).map(|was| (name.clone(), was)));
        synced.changes.insert(name.clone(), change);
        synced.facts.extend(facts.map(|facts| (name.clone(), facts)));
        self.modes.extend(modes.into_iter().map(|path| {
            let executable = locked.executable.as_ref().is_some_and(|them| them.contains(&path));
            (Path::new(name.as_str()).join(path.as_str()), executable)
        }));
        self.installs.extend(install.map(|install| (name, install)));
        Ok(())
    }
}

/// Returns the sources whose commits changed, and those of plugins in other repositories.
fn moved(old: &Lock, new: &Lock) -> Vec<Moved> {
    let mut moved = Vec::new();
    for (key, source) in &new.sources {
        let before = old.sources.get(key).map(hops).unwrap_or_default();
        let hops = hops(source).into_iter().zip(before);
        for (is_plugin, ((url, reference, after), (.., before))) in
            [false, true].into_iter().zip(hops)
        {
            if let Some(after) = after.filter(|after| before != Some(*after)) {
                let (key, plugin_url) = (key.clone(), url.filter(|_| is_plugin));
                moved.push(Moved { key, plugin_url, reference, before, after });
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
