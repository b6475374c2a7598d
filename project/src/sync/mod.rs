//! Making lockfile and store match the manifest.
//!
//! A sync first reads everything, from manifest, lockfile, store, cache and network, without
//! changing anything. Then it checks that no edited file would be lost. Only then does it write.

mod apply;
mod draft;
mod outcome;
mod reading;

use apply::Pending;
use draft::Draft;

pub(crate) use outcome::has_same_files;
pub use outcome::{Moved, SyncChange, Synced};

use crate::manifest::{Lock, Manifest};
use crate::{
    Cancellation, Error, Progress, cache::Cache, directory, fetch::Remote, merge::Merged,
    paths::ProjectPaths, plan::SourcePlan, state::State,
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
    /// returns false.
    pub approve: &'w dyn Fn(&Synced) -> bool,
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
    let state = State::read(project, manifest, lock.as_ref(), &disputed);
    if mode.locked {
        let stored = state.stored_drift();
        Error::unless_empty(state.drift().into_iter().chain(stored).collect())?;
    }
    let nothing = Lock::default();
    let old = lock.as_ref().unwrap_or(&nothing);
    let mut draft = Draft { pending: Pending::read(&project.store)?, ..Draft::default() };
    draft.notes.warnings.extend(warnings);
    if !disputed.is_empty() {
        let keys = listed(&disputed, 3);
        draft.notes.warn(format!("both sides of the merge changed {keys}: resolved again"));
    }
    let plan = |(key, source)| {
        let is_update = work.update.sources.contains(key);
        (key, source, SourcePlan::new(&state, old, (key, source), is_update))
    };
    let plans: Vec<_> = manifest.sources.iter().map(plan).collect();
    let State { mut own, mut stored, .. } = state;
    let mut requests = Vec::new();
    for (key, source, plan) in plans {
        if old.sources.get(key).is_none_or(|locked| locked.entry != *source) {
            let outside = directory::outside_repository(project, key, source);
            draft.notes.warnings.extend(outside);
        }
        match plan {
            SourcePlan::Own => match own.remove(key) {
                Some(Ok(found)) => draft.add_own(project, (key, source), found, old),
                Some(Err(errors)) => draft.errors.extend(errors),
                None => {}
            },
            SourcePlan::Keep => {
                requests.extend(draft.keep(work, limits, &mut stored, (key, source), old)?);
            }
            SourcePlan::Narrow { lock, warnings } => {
                draft.notes.warnings.extend(warnings);
                requests.extend(draft.keep(work, limits, &mut stored, (key, source), &lock)?);
            }
            SourcePlan::Resolve(request) => requests.push(*request),
        }
    }
    // Fetches nothing if a file was edited. All errors so far are reported at once.
    if draft.errors.iter().any(Error::is_edited) {
        return Err(draft.errors.into());
    }
    let unmoved = draft.fetch(work, limits, requests, old);
    let mut requests = Vec::new();
    for key in &unmoved {
        if let Some(source) = manifest.sources.get(key) {
            requests.extend(draft.keep(work, limits, &mut stored, (key, source), old)?);
        }
    }
    draft.fetch(work, limits, requests, old);
    // After a cancellation, the errors that it caused are not reported.
    work.cancellation.check()?;
    draft.check_invisible_text(&manifest.allow);
    Error::unless_empty(mem::take(&mut draft.errors))?;

    draft.check_names(old)?;
    let mut new = Lock::default();
    new.sources = mem::take(&mut draft.sources);
    for (name, wanted) in &draft.skills {
        new.skills.insert(name.clone(), wanted.locked.clone());
    }
    for error in moved_tags(&work.update.sources, old, &new) {
        if !work.update.moved_tags {
            draft.errors.push(error);
        } else {
            draft.notes.warn(error.to_string());
        }
    }
    Error::unless_empty(mem::take(&mut draft.errors))?;
    // What `--locked` forbids was an error above, so that there is nothing to write.
    let new = if mode.locked { old.clone() } else { new };
    draft.check_budget(project, &new, &manifest.budget)?;
    let (changes, mut synced) = apply::changes(work, draft, new, lock.as_ref(), is_merged)?;
    if !mode.dry_run && (work.approve)(&synced) {
        apply::write(work, changes, &mut synced)?;
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
