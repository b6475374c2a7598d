//! Compares the lockfile with the store and with `path` sources.

use super::{
    Comparison,
    locks::pairs,
    side::{CacheLookup, ComparedFile, LockedSide, MAX_TEXT, Side},
};
use crate::manifest::is_own;
use crate::{
    Error,
    difference::Difference,
    directory,
    locked_file::{LONG, digest},
    metadata::is_no_directory,
    regular_file::{self, Links},
    state::State,
    store::{self, StoredState, files_below, listed_name},
};
use helix_skills_format::{Digest, Listing};
use std::{fs, mem, path::Path};

/// The hint if the locked text of a skill in the store is missing.
const FETCH: &str = "the locked text is neither in the store nor in the cache; if the store is not committed, run `skills sync --locked --out DIR` to fetch it to a new directory";

/// The hint if the locked text of a skill of a `path` source is missing.
const GIT_DIFF: &str =
    "the locked text of a `path` source is only in version control; run `git diff -- PLACE`";

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
    let locked = LockedSide { lock, projects: vec![*project], cache, hint: FETCH };
    for ((name, skill), stored) in lock.skills.iter().zip(stored.into_values()) {
        // The files of a `path` source are compared below, and its listings are not.
        if is_own(lock, skill) {
            continue;
        }
        match stored? {
            StoredState::Whole(_) | StoredState::Listed => {}
            StoredState::Absent => comparison.absent.push(name.clone()),
            StoredState::Differs(_) => {
                let listing = match store::read_listing(&project.listing(name))? {
                    None => Some(Difference::Missing),
                    Some(found)
                        if found.as_ref().map(Listing::integrity) == Some(skill.integrity) =>
                    {
                        None
                    }
                    Some(_) => Some(Difference::Listing { expected: skill.integrity }),
                };
                let directory = project.skill_dir(name);
                let old = locked.files(Some((name, skill)))?;
                let sides = match old {
                    _ if is_no_directory(&directory) => {
                        let stored = Side::from([(String::new(), ComparedFile::NOT_A_FILE)]);
                        [Some(Side::new()), Some(stored)]
                    }
                    Some(old) => {
                        let stored = on_disk(&directory, &old, skill.bytes)?;
                        [Some(old), Some(stored)]
                    }
                    None => [None, Some(Side::new())],
                };
                let skills = [locked.skill(Some((name, skill))), None];
                comparison.add_change("changed", skills, listing, sides, context);
            }
        }
    }
    let locked = LockedSide { hint: GIT_DIFF, ..locked };
    for (key, source) in &lock.sources {
        let Some(path) = source.entry.directory() else { continue };
        // A build reads the directory of the locked entry, even if the manifest has another one.
        let found = own.remove(key).filter(|_| state.is_locked(key));
        let read =
            || directory::read_source(project, key, (path, &source.entry.select), manifest.limits);
        let found = match found.unwrap_or_else(read) {
            Ok(found) => found.skills,
            Err(errors) => {
                comparison.errors.extend(errors);
                continue;
            }
        };
        let new = found.iter().map(|skill| (&skill.name, &skill.locked)).collect();
        for (before, after) in pairs(lock.skills_of(key).collect(), new) {
            let files = || {
                let skill = found.iter().find(|skill| Some(&skill.name) == after.map(|it| it.0));
                let files = skill.into_iter().flat_map(|skill| skill.contents.files());
                let new = files.map(|file| {
                    let digest = Digest::hash(&file.bytes);
                    (file.path.to_string(), ComparedFile::new(digest, Some(file.bytes.clone())))
                });
                Ok([locked.files(before)?, Some(new.collect())])
            };
            comparison.add([locked.skill(before), locked.skill(after)], context, files)?;
        }
    }
    comparison.skills.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    Ok(comparison)
}

/// Returns the files of the directory of a stored skill. `skill_bytes` is its size in the lockfile.
/// Links are not followed, and files that are too long to belong to the skill are not read.
fn on_disk(directory: &Path, locked: &Side, skill_bytes: u64) -> Result<Side, Error> {
    let mut found = Side::new();
    for relative in files_below(directory)? {
        let path = directory.join(&relative);
        let listed = listed_name(&relative);
        let is_listed = listed.as_ref().is_some_and(|path| locked.contains_key(path));
        if !is_listed && store::is_ignored(&relative) {
            continue;
        }
        let metadata = fs::symlink_metadata(&path).map_err(Error::read(&path))?;
        let bytes = Some(metadata.len());
        let file = if !metadata.is_file() {
            ComparedFile::NOT_A_FILE
        } else if metadata.len() > LONG.max(skill_bytes) {
            ComparedFile { digest: None, bytes, content: None }
        } else if metadata.len() > MAX_TEXT {
            let digest = digest(&path).map_err(Error::read(&path))?;
            ComparedFile { digest: Some(digest), bytes, content: None }
        } else {
            let read = regular_file::read(&path, Links::Refuse, MAX_TEXT);
            let content = read.map_err(Error::read(&path))?;
            ComparedFile::new(Digest::hash(&content), Some(content))
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
