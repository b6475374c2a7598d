//! Compares the lockfile with the store and with `path` sources.

use super::{
    Comparison, Skill,
    side::{ComparedFile, LockedSide, MAX_TEXT, Side, in_memory},
};
use crate::manifest::is_own;
use crate::{
    Error,
    cache::Cache,
    directory,
    locked_file::{LONG, digest},
    metadata::is_no_directory,
    regular_file::{self, Links},
    state::State,
    store::{self, StoredState, files_below, listed_name},
};
use helix_skills_format::Digest;
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path};

/// The warning if the locked text of a skill in the store is missing.
const FETCH: &str = "the locked text is neither in the store nor in the cache; if the store is not committed, run `skills sync --locked --out DIR` to fetch it to a new directory";

/// The warning if the locked text of a skill of a `path` source is missing.
const GIT_DIFF: &str =
    "the locked text of a `path` source is only in version control; run `git diff -- PLACE`";

/// Compares the lockfile with the files that a build would read.
///
/// # Errors
/// There is no lockfile; a file cannot be read. A source that cannot be read is among
/// [`Comparison::errors`].
pub(crate) fn with_store(
    state: State<'_>,
    cache: &Cache,
    context: usize,
) -> Result<Comparison, Error> {
    let mut comparison = Comparison { context, hint: FETCH, ..Comparison::default() };
    let lock = state.need_lock()?;
    let State { project, manifest, mut own, stored, .. } = state;
    let locked = LockedSide { lock, projects: vec![project], cache };
    // The files of a `path` source are compared below, and its listings are not.
    let in_store = lock.skills.iter().zip(stored.into_values());
    for ((name, skill), stored) in in_store.filter(|((_, skill), _)| !is_own(lock, skill)) {
        let stored = stored?;
        if matches!(stored, StoredState::Absent) {
            comparison.absent.push(name.clone());
        }
        let StoredState::Differs(differences) = stored else { continue };
        let directory = project.skill_dir(name);
        let sides = if is_no_directory(&directory) {
            [Side::new(), Side::from([(String::new(), ComparedFile::default())])].map(Some)
        } else {
            let old = locked.files((name, skill));
            let new = old.as_ref().map(|old| on_disk(&directory, old, skill.bytes));
            [old, Some(new.transpose()?.unwrap_or_default())]
        };
        let skills = [locked.document(Some((name, skill))), Value::Null];
        let path = project.listing(name);
        let listing = differences.into_iter().find(|(differs, _)| *differs == path);
        comparison.add("changed", skills, listing.map(|(_, difference)| difference), sides);
    }
    comparison.hint = GIT_DIFF;
    for (key, source) in &lock.sources {
        let Some(path) = source.entry.directory() else { continue };
        // A build reads the directory of the locked entry, even if the manifest has another one.
        let is_locked = manifest.sources.get(key) == Some(&source.entry);
        let found = own.remove(key).filter(|_| is_locked);
        let read =
            || directory::read_source(project, key, (path, &source.entry.select), manifest.limits);
        match found.unwrap_or_else(read) {
            Ok(found) => {
                let new = found.skills.iter().map(|skill| (&skill.name, &skill.locked));
                let skills = (lock.skills_of(key).collect(), new.collect());
                let contents = found.skills.iter().map(|skill| (&skill.name, &skill.contents));
                let contents: BTreeMap<_, _> = contents.collect();
                let files = |(name, _): Skill<'_>| Some(in_memory(contents[name]));
                comparison.add_skills([&locked, &locked], skills, files);
            }
            Err(errors) => comparison.errors.extend(errors),
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
            ComparedFile::default()
        } else if metadata.len() > MAX_TEXT {
            let is_hashed = metadata.len() <= LONG.max(skill_bytes);
            let digest = is_hashed.then(|| digest(&path).map_err(Error::read(&path)));
            ComparedFile { digest: digest.transpose()?, bytes, content: None }
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
