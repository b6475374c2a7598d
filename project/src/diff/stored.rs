//! Compares the lockfile with the store and with `path` sources.

use super::{
    ComparedSkill, Comparison, SkillChange, SkillChangeKind,
    blob_lookup::{BlobLookup, CacheLookup},
    files::{FileChange, FileChangeKind, FileDiff, MissingSides, compare},
    lines::DiffBudget,
    locks::{pairs, place, with_slashes},
    side::{ComparedFile, Side, SideEntry},
};
use crate::manifest::{Lock, PathSource, Source, is_own};
use crate::{
    Error,
    candidate::SourceSkill,
    difference::Difference,
    directory,
    locked_file::{LONG, digest},
    metadata::is_no_directory,
    paths::{ProjectPaths, source_root},
    state::State,
    store::{self, StoredState, files_below, listed_name},
};
use helix_skills_format::{Listing, LockedSkill, SkillName, SourceKey};
use std::{
    collections::BTreeMap,
    fs, mem,
    path::{Path, PathBuf},
};

/// The locked files are unknown.
const UNKNOWN: MissingSides = MissingSides { before: true, after: false };

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
        let Source::Path(path) = &source.entry else { continue };
        // A build reads the directory of the locked entry, even if the manifest has another one.
        let found = own.remove(key).filter(|_| state.is_locked(key));
        let read = || directory::read_source(project, key, path, manifest.limits);
        match found.unwrap_or_else(read) {
            Ok(found) => {
                let found = originals(project, lock, (key, path), &found.skills, cache, budget)?;
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
        let after = ComparedFile { digest: None, bytes: None, is_file: false };
        Ok(vec![FileChange {
            kind: FileChangeKind::Changed,
            path: String::new(),
            from: None,
            before: None,
            after: Some(after),
            diff: FileDiff::NotAFile,
        }])
    } else {
        match BlobLookup::new(&[project], lock, name, skill, cache).side()? {
            Some(locked) => {
                Ok(compare(&locked, &on_disk(&directory, &locked, skill.bytes)?, budget)?)
            }
            None => Err(UNKNOWN),
        }
    };
    let before = ComparedSkill {
        name: name.clone(),
        locked: skill.clone(),
        place: place(project, lock, name, skill),
    };
    let kind = SkillChangeKind::Changed;
    Ok(SkillChange { kind, before: Some(before), after: None, listing, files })
}

/// Returns the side of the directory of a stored skill. `skill_bytes` is its size in the lockfile.
/// Links are not followed, and files that are too long to belong to the skill are not read.
fn on_disk(directory: &Path, locked: &Side<'_>, skill_bytes: u64) -> Result<Side<'static>, Error> {
    let mut found: BTreeMap<String, (PathBuf, SideEntry)> = BTreeMap::new();
    for relative in files_below(directory)? {
        let path = directory.join(&relative);
        let metadata = fs::symlink_metadata(&path).map_err(Error::read(&path))?;
        let listed = listed_name(&relative);
        let is_listed = listed.as_ref().is_some_and(|path| locked.has(path));
        if !is_listed && store::is_ignored(&relative) {
            continue;
        }
        let limit = if is_listed { LONG.max(skill_bytes) } else { LONG };
        let entry = if !metadata.is_file() {
            SideEntry::NotAFile
        } else if metadata.len() > limit {
            SideEntry::Large(metadata.len())
        } else {
            SideEntry::File(digest(&path).map_err(Error::read(&path))?)
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
    (key, source): (&SourceKey, &PathSource),
    found: &[SourceSkill],
    cache: &CacheLookup,
    budget: &DiffBudget,
) -> Result<Vec<SkillChange>, Error> {
    let old: BTreeMap<_, _> =
        lock.skills_of(key).map(|(name, skill)| (name.clone(), skill.clone())).collect();
    let new: BTreeMap<_, _> =
        found.iter().map(|resolved| (resolved.name.clone(), resolved.locked.clone())).collect();
    let root = project.show(&source_root(project, source));
    let mut changes = Vec::new();
    for (before, after) in pairs(&old, &new) {
        let before = before.map(|(name, skill)| ComparedSkill {
            name: name.clone(),
            locked: skill.clone(),
            place: place(project, lock, name, skill),
        });
        let after = after.map(|(name, skill)| {
            let directory =
                if skill.path.is_root() { root.clone() } else { root.join(skill.path.as_str()) };
            ComparedSkill {
                name: name.clone(),
                locked: skill.clone(),
                place: with_slashes(&directory),
            }
        });
        let contents = after
            .as_ref()
            .and_then(|after| found.iter().find(|resolved| resolved.name == after.name));
        let side =
            contents.map_or_else(Side::empty, |resolved| Side::in_memory(&resolved.contents));
        let locked = match &before {
            None => Some(Side::empty()),
            Some(before) => {
                BlobLookup::new(&[project], lock, &before.name, &before.locked, cache).side()?
            }
        };
        let files =
            || locked.map_or(Ok(Err(UNKNOWN)), |locked| compare(&locked, &side, budget).map(Ok));
        changes.extend(SkillChange::between(before, after, files)?);
    }
    Ok(changes)
}
