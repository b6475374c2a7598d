//! Compares the lockfile with the store and with `path` sources.

use super::{
    ComparedSkill, Comparison, SkillChange,
    files::{FileChange, FileDiff, compare},
    locks::pairs,
    side::{self, CacheLookup, ComparedFile, MAX_TEXT, Side},
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
    regular_file::{self, Links},
    state::State,
    store::{self, StoredState, files_below, listed_name},
};
use helix_skills_format::{Digest, Listing, LockedSkill, SkillName, SourceKey};
use std::{collections::BTreeMap, fs, mem, path::Path};

/// Compares the lockfile with the files that a build would read.
///
/// # Errors
/// There is no lockfile; a file cannot be read. A source that cannot be read is among
/// [`Comparison::errors`].
pub(crate) fn with_store(
    mut state: State<'_>,
    cache: &CacheLookup,
    context: usize,
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
                comparison.skills.push(changed(project, lock, (name, skill), cache, context)?);
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
                let found = originals(project, lock, key, &found.skills, cache, context)?;
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
    context: usize,
) -> Result<SkillChange, Error> {
    let directory = project.skill_dir(name);
    let listing = match store::read_listing(&project.listing(name))? {
        None => Some(Difference::Missing),
        Some(listing) if listing.as_ref().map(Listing::integrity) == Some(skill.integrity) => None,
        Some(_) => Some(Difference::Listing { expected: skill.integrity }),
    };
    let files = if is_no_directory(&directory) {
        Ok(vec![FileChange {
            kind: "changed",
            path: String::new(),
            from: None,
            before: None,
            after: Some(ComparedFile::NOT_A_FILE),
            diff: FileDiff::not_a_file(),
        }])
    } else {
        let locked = side::locked(&[project], lock, Some((name, skill)), cache)?;
        let stored = match &locked {
            Some(locked) => on_disk(&directory, locked, skill.bytes)?,
            None => Side::new(),
        };
        compare(locked, Some(stored), context)
    };
    let before = ComparedSkill::new(project, lock, (name, skill));
    Ok(SkillChange { kind: "changed", before: Some(before), after: None, listing, files })
}

/// Returns the side of the directory of a stored skill. `skill_bytes` is its size in the lockfile.
/// Links are not followed, and files that are too long to belong to the skill are not read.
fn on_disk(directory: &Path, locked: &Side, skill_bytes: u64) -> Result<Side, Error> {
    let mut found = Side::new();
    for relative in files_below(directory)? {
        let path = directory.join(&relative);
        let metadata = fs::symlink_metadata(&path).map_err(Error::read(&path))?;
        let listed = listed_name(&relative);
        let is_listed = listed.as_ref().is_some_and(|path| locked.contains_key(path));
        if !is_listed && store::is_ignored(&relative) {
            continue;
        }
        let bytes = Some(metadata.len());
        let limit = if is_listed { LONG.max(skill_bytes) } else { LONG };
        let file = if !metadata.is_file() {
            (ComparedFile::NOT_A_FILE, None)
        } else if metadata.len() > MAX_TEXT {
            let is_hashed = metadata.len() <= limit;
            let digest =
                is_hashed.then(|| digest(&path).map_err(Error::read(&path))).transpose()?;
            (ComparedFile { digest, bytes, is_file: true }, None)
        } else {
            let read = regular_file::read(&path, Links::Refuse, MAX_TEXT);
            let content = read.map_err(Error::read(&path))?;
            side::file(Digest::hash(&content), Some(content))
        };
        let mut shown = listed.unwrap_or_else(|| relative.to_string_lossy().into_owned());
        // Names that are not UTF-8 may be equal after lossy conversion.
        while found.contains_key(&shown) {
            shown.push(char::REPLACEMENT_CHARACTER);
        }
        found.insert(shown, file);
    }
    Ok(found)
}

/// Compares the locked skills of a `path` source with its files.
fn originals(
    project: &ProjectPaths,
    lock: &Lock,
    key: &SourceKey,
    found: &[SourceSkill],
    cache: &CacheLookup,
    context: usize,
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
                resolved.map_or_else(Side::new, |resolved| side::in_memory(&resolved.contents));
            Ok(compare(side::locked(&[project], lock, before, cache)?, Some(side), context))
        };
        let [was, is] =
            [before, after].map(|side| side.map(|found| ComparedSkill::new(project, lock, found)));
        changes.extend(SkillChange::between(was, is, files)?);
    }
    Ok(changes)
}
