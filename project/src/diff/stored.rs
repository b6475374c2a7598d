//! Compares the lockfile with the store and with `path` sources.

use super::{
    ChangeKind, ComparedSkill, Comparison, SkillChange,
    blob_lookup::CacheLookup,
    files::{FileChange, FileDiff, compare},
    lines::DiffBudget,
    locks::pairs,
    side::{ComparedFile, Side},
};
use crate::manifest::{Lock, is_own};
use crate::{
    Error,
    candidate::SourceSkill,
    difference::Difference,
    directory,
    locked_file::{LONG, digest},
    metadata::is_no_directory,
    paths::ProjectPaths,
    state::State,
    store::{self, StoredState, files_below, listed_name},
};
use helix_skills_format::{Listing, LockedSkill, SkillName, SourceKey};
use std::{
    collections::BTreeMap,
    fs, mem,
    path::{Path, PathBuf},
};

/// Compares the lockfile with the files that a build would read.
///
/// # Errors
/// There is no lockfile; a file cannot be read. A source that cannot be read is among
/// [`Comparison::errors`].
pub(crate) fn with_store(
    mut state: State<'_>,
    cache: &CacheLookup,
    budget: &DiffBudget,
) -> Result<Comparison, Error> {
    let mut comparison = Comparison::default();
    let (mut own, stored) = (mem::take(&mut state.own), mem::take(&mut state.stored));
    let (lock, State { project, manifest, .. }) = (state.need_lock()?, &state);
    for ((name, skill), stored) in lock.skills.iter().zip(stored.into_values()) {
        // The files of a `path` source are compared below, and its listings are not.
        if is_own(lock, skill) {
            continue;
        }
        match stored? {
            StoredState::Whole(_) | StoredState::Listed => {}
            StoredState::Absent => comparison.absent.push(name.clone()),
            StoredState::Differs(_) => {
                comparison.skills.push(changed(project, lock, (name, skill), cache, budget)?);
            }
        }
    }
    for (key, source) in &lock.sources {
        let Some(path) = source.entry.directory() else { continue };
        // A build reads the directory of the locked entry, even if the manifest has another one.
        let found = own.remove(key).filter(|_| state.is_locked(key));
        let read =
            || directory::read_source(project, key, (path, &source.entry.select), manifest.limits);
        match found.unwrap_or_else(read) {
            Ok(found) => {
                let found = originals(project, lock, key, &found.skills, cache, budget)?;
                comparison.skills.extend(found);
            }
            Err(errors) => comparison.errors.extend(errors),
        }
    }
    comparison.skills.sort_by(|a, b| a.name().cmp(&b.name()));
    Ok(comparison)
}

/// Compares a locked skill with its files in the store, which differ.
fn changed(
    project: &ProjectPaths,
    lock: &Lock,
    (name, skill): (&SkillName, &LockedSkill),
    cache: &CacheLookup,
    budget: &DiffBudget,
) -> Result<SkillChange, Error> {
    let directory = project.skill_dir(name);
    let listing = match store::read_listing(&project.listing(name))? {
        None => Some(Difference::Missing),
        Some(listing) if listing.as_ref().map(Listing::integrity) == Some(skill.integrity) => None,
        Some(_) => Some(Difference::Listing { expected: skill.integrity }),
    };
    let files = if is_no_directory(&directory) {
        Ok(vec![FileChange {
            kind: ChangeKind::Changed,
            path: String::new(),
            from: None,
            before: None,
            after: Some(ComparedFile::NOT_A_FILE),
            diff: FileDiff::NotAFile,
        }])
    } else {
        let locked = Side::locked(&[project], lock, Some((name, skill)), cache)?;
        let stored = match &locked {
            Some(locked) => on_disk(&directory, locked, skill.bytes)?,
            None => Side::empty(),
        };
        compare(locked, Some(stored), budget)?
    };
    let before = ComparedSkill::new(project, lock, (name, skill));
    let kind = ChangeKind::Changed;
    Ok(SkillChange { kind, before: Some(before), after: None, listing, files })
}

/// Returns the side of the directory of a stored skill. `skill_bytes` is its size in the lockfile.
/// Links are not followed, and files that are too long to belong to the skill are not read.
fn on_disk(directory: &Path, locked: &Side<'_>, skill_bytes: u64) -> Result<Side<'static>, Error> {
    let mut found: BTreeMap<String, (PathBuf, ComparedFile)> = BTreeMap::new();
    for relative in files_below(directory)? {
        let path = directory.join(&relative);
        let metadata = fs::symlink_metadata(&path).map_err(Error::read(&path))?;
        let listed = listed_name(&relative);
        let is_listed = listed.as_ref().is_some_and(|path| locked.entries.contains_key(path));
        if !is_listed && store::is_ignored(&relative) {
            continue;
        }
        let limit = if is_listed { LONG.max(skill_bytes) } else { LONG };
        let entry = if !metadata.is_file() {
            ComparedFile::NOT_A_FILE
        } else if metadata.len() > limit {
            ComparedFile::too_large(metadata.len())
        } else {
            ComparedFile::with_digest(digest(&path).map_err(Error::read(&path))?)
        };
        let mut shown = listed.unwrap_or_else(|| relative.to_string_lossy().into_owned());
        // Names that are not UTF-8 may be equal after lossy conversion.
        while found.contains_key(&shown) {
            shown.push(char::REPLACEMENT_CHARACTER);
        }
        found.insert(shown, (path, entry));
    }
    Ok(Side::on_disk(found))
}

/// Compares the locked skills of a `path` source with its files.
fn originals(
    project: &ProjectPaths,
    lock: &Lock,
    key: &SourceKey,
    found: &[SourceSkill],
    cache: &CacheLookup,
    budget: &DiffBudget,
) -> Result<Vec<SkillChange>, Error> {
    let old: BTreeMap<_, _> =
        lock.skills_of(key).map(|(name, skill)| (name.clone(), skill.clone())).collect();
    let new: BTreeMap<_, _> =
        found.iter().map(|resolved| (resolved.name.clone(), resolved.locked.clone())).collect();
    let mut changes = Vec::new();
    for (before, after) in pairs(&old, &new) {
        let files = || {
            let resolved =
                after.and_then(|(name, _)| found.iter().find(|resolved| resolved.name == *name));
            let side =
                resolved.map_or_else(Side::empty, |resolved| Side::in_memory(&resolved.contents));
            compare(Side::locked(&[project], lock, before, cache)?, Some(side), budget)
        };
        let [was, is] =
            [before, after].map(|side| side.map(|found| ComparedSkill::new(project, lock, found)));
        changes.extend(SkillChange::between(was, is, files)?);
    }
    Ok(changes)
}
