//! Making lockfile and store match the manifest.
//!
//! A sync first reads everything, from manifest, lockfile, store, cache and network, without
//! changing anything. Then it checks that no edited file would be lost. Only then does it write.

mod apply;
mod narrow;
mod outcome;
mod plan;
mod reading;
mod remote;

use crate::error::ResolvedPin;
use apply::Pending;
use plan::Plan;

pub(crate) use outcome::has_same_files;
pub use outcome::{Moved, Renamed, SyncChange, Synced, Upstream};
#[cfg(feature = "git")]
pub(crate) use remote::PreviousLock;
pub(crate) use remote::{FetchKind, FetchRequest, Fetched, MissingSkill, Remote};

use crate::manifest::{Lock, Manifest, Source};
use crate::{
    Cancellation, Error, Progress, cache::Cache, directory, entries::EntryState,
    paths::ProjectPaths, state::State,
};
use helix_skills_format::SourceKey;
use std::collections::BTreeSet;

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
    /// Sources whose pins are resolved again although they are locked.
    pub update: &'w BTreeSet<SourceKey>,
    pub remote: &'w dyn Remote,
    pub progress: &'w dyn Progress,
    pub cancellation: &'w Cancellation,
    /// Called with the planned changes before the first file is written. Nothing is written if it
    /// returns false.
    pub approve: &'w dyn Fn(&Synced) -> bool,
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
    let SyncInputs { project, mode, .. } = *work;
    let state = State::read(project, manifest)?;
    if mode.locked {
        Error::unless_empty(state.drift())?;
    }
    let State { lock: before, mut own, .. } = state;
    let old = before.clone().unwrap_or_default();
    let mut plan = Plan { pending: Pending::read(&project.store)?, ..Plan::default() };
    let mut requests = Vec::new();
    for (key, source) in &manifest.sources {
        let state = EntryState::new(key, source, &old);
        if matches!(state, EntryState::New | EntryState::Changed { .. }) {
            plan.warnings.extend(directory::outside_repository(project, key, source));
        }
        if let Source::Path(path) = source {
            match own.remove(key) {
                Some(Ok(found)) => plan.add_own(project, (key, path), found, &old),
                Some(Err(errors)) => plan.errors.extend(errors),
                None => {}
            }
            continue;
        }
        let is_update = work.update.contains(key);
        let narrowed = match &state {
            EntryState::Changed { keys, .. } if !is_update => {
                narrow::narrowed(key, source, keys, &old)
            }
            _ => None,
        };
        match (state, narrowed) {
            (EntryState::Locked(locked), _) if !is_update => {
                let source = (key, source, locked);
                plan.keep(work, manifest.limits, source, &old, &mut requests)?;
            }
            (_, Some((lock, warnings))) => {
                plan.warnings.extend(warnings);
                let source = (key, source, &lock.sources[key]);
                plan.keep(work, manifest.limits, source, &lock, &mut requests)?;
            }
            (state, None) => {
                requests.push(FetchRequest::resolve(key, source, state, is_update, project, &old));
            }
        }
    }
    // Fetches nothing if a file was edited. All errors so far are reported at once.
    if plan.errors.iter().any(Error::is_edited) {
        return Err(plan.errors.into());
    }
    let unmoved = plan.fetch(work, manifest, &old, requests);
    let mut requests = Vec::new();
    for key in &unmoved {
        if let (Some(source), Some(locked)) = (manifest.sources.get(key), old.sources.get(key)) {
            plan.keep(work, manifest.limits, (key, source, locked), &old, &mut requests)?;
        }
    }
    plan.fetch(work, manifest, &old, requests);
    // After a cancellation, the errors that it caused are not reported.
    work.cancellation.check()?;
    plan.check_invisible_text(&manifest.allow);
    Error::unless_empty(std::mem::take(&mut plan.errors))?;

    let mut lock = Lock::default();
    lock.sources = std::mem::take(&mut plan.sources);
    plan.check_names()?;
    for (name, wanted) in &plan.skills {
        lock.skills.insert(name.clone(), wanted.locked.clone());
    }
    for error in moved_tags(work.update, &old, &lock) {
        if !work.moved_tags {
            plan.errors.push(error);
        } else {
            plan.warnings.push(error.to_string());
        }
    }
    Error::unless_empty(std::mem::take(&mut plan.errors))?;
    // What `--locked` forbids was an error above, so that there is nothing to write.
    let lock = if mode.locked { old } else { lock };
    plan.check_budget(project, &lock, &manifest.budget)?;
    apply::apply(work, plan, lock, before.as_ref())
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
        let pin = ResolvedPin::Tag(tag.clone());
        let (expected, found) = (before.commit?, after.commit?);
        is_moved.then(|| Error::moved(key, &pin, &expected, &found))
    });
    moved.collect()
}
