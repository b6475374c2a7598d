//! Compares the lockfile with the store and with `path` sources.

use super::{
    Comparison, NamedSkill,
    side::{ComparedFile, LockedSide, MAX_TEXT, Side, in_memory},
    skills::Shown,
};
use crate::manifest::is_own;
use crate::{
    Error,
    cache::Cache,
    candidate::SourceSkill,
    directory,
    locked_file::{LONG, digest},
    metadata::is_no_directory,
    regular_file::{self, Links},
    state::State,
    store::{self, StoredState, files_below, listed_name},
};
use helix_skills_format::Digest;
use serde_json::{Value, json};
use std::{fs, mem, path::Path};

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
    mut state: State<'_>,
    cache: &Cache,
    context: usize,
) -> Result<Comparison, Error> {
    let mut comparison = Comparison::default();
    let (mut own, stored) = (mem::take(&mut state.own), mem::take(&mut state.stored));
    let (lock, State { project, manifest, .. }) = (state.need_lock()?, &state);
    let locked = LockedSide { lock, projects: vec![*project], cache };
    // The files of a `path` source are compared below, and its listings are not.
    let in_store = lock.skills.iter().zip(stored.into_values());
    for ((name, skill), stored) in in_store.filter(|((_, skill), _)| !is_own(lock, skill)) {
        let differences = match stored? {
            StoredState::Whole(_) | StoredState::Listed => continue,
            StoredState::Absent => {
                comparison.absent.push(name.clone());
                continue;
            }
            StoredState::Differs(differences) => differences,
        };
        let directory = project.skill_dir(name);
        let sides = if is_no_directory(&directory) {
            [Side::new(), Side::from([(String::new(), ComparedFile::NOT_A_FILE)])].map(Some)
        } else {
            let old = locked.files(Some((name, skill)), &mut comparison.warnings)?;
            let new = old.as_ref().map(|old| on_disk(&directory, old, skill.bytes));
            [old, Some(new.transpose()?.unwrap_or_default())]
        };
        let skills = [locked.document(Some((name, skill))), Value::Null];
        let change = comparison.add("changed", skills, sides, Shown { context, hint: FETCH });
        let path = project.listing(name);
        if let Some((_, listing)) = differences.into_iter().find(|(found, _)| *found == path) {
            change["listing"] = json!(listing.code());
            change["why"] = json!(listing.to_string());
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
                let new = found.skills.iter().map(|skill| (&skill.name, &skill.locked));
                let skills = (lock.skills_of(key).collect(), new.collect());
                let files = |after: NamedSkill<'_>, _: &mut _| {
                    let is_it = |skill: &&SourceSkill| Some(&skill.name) == after.map(|it| it.0);
                    let found = found.skills.iter().find(is_it);
                    Ok(Some(found.map(|found| in_memory(&found.contents)).unwrap_or_default()))
                };
                let shown = Shown { context, hint: GIT_DIFF };
                comparison.add_skills([&locked, &locked], skills, files, shown)?;
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
