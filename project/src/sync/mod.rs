//! Making lockfile and store match the manifest.
//!
//! A sync first reads everything, from manifest, lockfile, store, cache and network, without
//! changing anything. Then it checks that no edited file would be lost. Only then does it write.

mod apply;
mod outcome;
mod reading;

use apply::Pending;

pub(crate) use outcome::Moved;
pub(crate) use outcome::has_same_files;
pub use outcome::{SyncChange, Synced};

use crate::manifest::{Lock, Manifest};
use crate::{
    Cancellation, Error, Progress, budget,
    cache::Cache,
    directory,
    entries::is_locked,
    fetch::Remote,
    merge::Merged,
    paths::ProjectPaths,
    plan::{Plan, SkillPlan, SourcePlan},
    state::State,
};
use helix_skills_format::{__internal::listed, SourceKey};
use std::{collections::BTreeSet, mem};

/// What a sync may do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mode {
    /// Fail if the lockfile would change.
    pub locked: bool,
    /// Fail if the network is needed.
    pub offline: bool,
    /// Restore edited files in the store.
    pub restore: bool,
    /// Write nothing.
    pub dry_run: bool,
}

/// The inputs of a sync.
#[derive(Clone, Copy)]
pub(crate) struct SyncInputs<'w> {
    pub project: &'w ProjectPaths,
    pub cache: &'w Cache,
    pub mode: Mode,
    pub update: &'w Update,
    pub remote: &'w dyn Remote,
    pub progress: &'w dyn Progress,
    pub cancellation: &'w Cancellation,
    /// Called with the planned changes before the first file is written. Nothing is written if it
    /// returns false or an error.
    pub approve: &'w dyn Fn(&Synced) -> Result<bool, Error>,
}

/// The sources whose pins are resolved again although they are locked.
#[derive(Debug, Default)]
pub(crate) struct Update {
    pub sources: BTreeSet<SourceKey>,
    /// Whether a release tag may point to another commit than the locked one.
    pub moved_tags: bool,
}

/// Makes lockfile and store match the manifest.
///
/// Unless this is a dry run, the caller must have acquired a
/// [`ProjectLock`](crate::project_lock::ProjectLock) before it read the manifest.
///
/// # Errors
/// All errors at once. On error, nothing has been written, unless the file system failed half-way;
/// the next sync repairs that.
pub(crate) fn sync(work: &SyncInputs<'_>, manifest: &Manifest) -> Result<Synced, Error> {
    let (SyncInputs { project, mode, .. }, limits) = (*work, manifest.limits);
    let (lock, merged) = match mode.locked {
        true => (project.read_lock()?, None),
        false => project.read_or_merge_lock(manifest, mode.offline)?,
    };
    let is_merged = merged.is_some();
    let Merged { disputed, warnings } = merged.unwrap_or_default();
    let mut state = State::read(project, manifest, lock.as_ref(), &disputed);
    if let (Some(lock), false) = (&lock, mode.locked || mode.offline) {
        state.other_skills = work.remote.other_skills(project, limits, lock);
    }
    if mode.locked {
        Error::unless_empty(state.drift())?;
    }
    let nothing = Lock::default();
    let old = lock.as_ref().unwrap_or(&nothing);
    let (mut plan, pending) = (Plan::default(), Pending::read(&project.store)?);
    plan.notes.warnings.extend(warnings);
    if !disputed.is_empty() {
        let keys = listed(&disputed, 3);
        plan.notes.warn(format!("both sides of the merge changed {keys}: resolved again"));
    }
    let source_plan = |(key, source)| {
        let is_update = work.update.sources.contains(key);
        (key, source, SourcePlan::new(&state, old, (key, source), is_update))
    };
    let plans: Vec<_> = manifest.sources.iter().map(source_plan).collect();
    let State { mut own, mut stored, .. } = state;
    let mut keep = |plan: &mut Plan, entry, lock: &_| {
        plan.keep_locked(work, limits, (&mut stored, &pending), entry, lock)
    };
    let mut requests = Vec::new();
    for (key, source, source_plan) in plans {
        if !is_locked(key, source, old) {
            let outside = directory::outside_repository(project, key, source);
            plan.notes.warnings.extend(outside);
        }
        match source_plan {
            SourcePlan::Own => match own.remove(key) {
                Some(Ok(found)) => plan.add_own((key, source), found, old),
                Some(Err(errors)) => plan.problems.extend(errors),
                None => {}
            },
            SourcePlan::Keep => {
                requests.extend(keep(&mut plan, (key, source), old)?);
            }
            SourcePlan::Narrow { lock, warnings } => {
                plan.notes.warnings.extend(warnings);
                requests.extend(keep(&mut plan, (key, source), &lock)?);
            }
            SourcePlan::Resolve(request) => requests.push(*request),
        }
    }
    // Fetches nothing if a file was edited. All errors so far are reported at once.
    if plan.problems.iter().any(Error::is_edited) {
        return Err(plan.problems.into());
    }
    let unmoved = plan.fetch(work, limits, requests, old);
    let mut requests = Vec::new();
    for key in &unmoved {
        if let Some(source) = manifest.sources.get(key) {
            requests.extend(keep(&mut plan, (key, source), old)?);
        }
    }
    plan.fetch(work, limits, requests, old);
    // After a cancellation, the errors that it caused are not reported.
    work.cancellation.check()?;
    plan.check_invisible_text(&manifest.allow);
    plan.close_refusals();
    Error::unless_empty(mem::take(&mut plan.problems))?;

    plan.check_names(old)?;
    let mut new = Lock::default();
    new.sources = mem::take(&mut plan.sources);
    for (name, skill) in &plan.skills {
        new.skills.insert(name.clone(), skill.locked.clone());
    }
    for error in moved_tags(&work.update.sources, old, &new) {
        if !work.update.moved_tags {
            plan.problems.push(error);
        } else {
            plan.notes.warn(error.to_string());
        }
    }
    Error::unless_empty(mem::take(&mut plan.problems))?;
    // What `--locked` forbids was an error above, so that there is nothing to write.
    let new = if mode.locked { old.clone() } else { new };
    plan.check_budget(project, &new, &manifest.budget)?;
    let is_new = |(name, skill): &&(_, SkillPlan)| {
        skill.skill.is_some() && old.skills.get(name) != Some(&skill.locked)
    };
    if manifest.budget.catalog_tokens.is_none() {
        let new = plan.skills.iter().filter(is_new);
        let new = new.filter_map(|(name, plan)| Some((name, plan.skill.as_ref()?)));
        plan.notes.warnings.extend(budget::large_catalog(new));
    }
    let (changes, mut synced) = apply::changes(work, plan, pending, new, lock.as_ref(), is_merged)?;
    if !mode.dry_run && (work.approve)(&synced)? {
        let (inputs, locks) = ((project, work.cache, limits), (old, &synced.lock));
        let mut origins = work.remote.origin_files(inputs, mode.offline, locks)?;
        if mode.locked {
            // A store that passes a check is not changed.
            origins.unused.clear();
        }
        apply::write(work, changes, origins, &mut synced)?;
    }
    Ok(synced)
}

/// Returns an error for each locked tag that now points to another commit. A branch may move; a
/// release tag should not.
fn moved_tags(update: &BTreeSet<SourceKey>, old: &Lock, new: &Lock) -> Vec<Error> {
    let moved = update.iter().filter_map(|key| {
        let (before, after) = (old.sources.get(key)?, new.sources.get(key)?);
        let tag = after.reference.as_ref().filter(|name| name.starts_with("refs/tags/"))?;
        let is_moved = before.reference.as_ref() == Some(tag)
            && before.commit != after.commit
            && before.entry.repository()?.url == after.entry.repository()?.url;
        let pin = format!("the tag `{tag}`");
        let (expected, found) = (before.commit?, after.commit?);
        is_moved.then(|| Error::moved(key, &pin, &expected, &found))
    });
    moved.collect()
}
