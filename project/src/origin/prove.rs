//! Proving that lockfile and store are what the locked commits have, by a check and by a sync.

use super::{
    compare::{compare, differences},
    resolve::Resolved,
    saved::{
        NOT_PROVED, StoredFiles, all_remote, commits, file_name, keeps_origin, origin_files, read,
        remote, stored_files,
    },
};
use crate::manifest::{Lock, LockedSource, Manifest};
use crate::{
    Cache, Error, ErrorKind,
    fetch::{OriginFiles, is_local},
    network::limited,
    paths::ProjectPaths,
    repository::Reader,
};
use helix_skills_format::{
    __internal::{listed, one_line_chain, path_key},
    Limits, ObjectId, SourceKey,
};
use helix_skills_git::Git;
use std::{
    collections::{BTreeMap, BTreeSet},
    slice,
};

/// Maximum number of sources or skills that a message lists.
const MAX_LISTED: usize = 10;

/// Checks that the skills in the store are what their locked entries select in the locked commits,
/// by the origin files. Returns notes on what cannot be proved. With `need_store`, a store without
/// any such file is an error.
///
/// # Errors
/// Every difference; the file of a commit is missing, and the store has others.
pub(crate) fn check(
    project: &ProjectPaths,
    manifest: &Manifest,
    lock: &Lock,
    need_store: bool,
) -> Result<Vec<String>, Error> {
    let (limits, stored) = (manifest.limits, stored_files(project, lock));
    // A source without skills would be one whose skills were dropped.
    let has_skills = |key: &_| lock.skills_of(key).next().is_some();
    let is_stored =
        |key: &_| !has_skills(key) || lock.skills_of(key).any(|(name, _)| stored[name].is_some());
    let sources = || remote(lock).filter(|(key, _)| is_stored(key));
    let saved = read(project, None, limits, sources().flat_map(|(_, locked)| commits(locked)))?;
    let is_saved = |locked: &LockedSource| commits(locked).all(|it| saved.contains_key(&it));
    let (mut notes, mut errors) = (Vec::new(), Vec::new());
    let missing: Vec<_> = sources().filter(|(_, it)| !is_saved(it)).map(|(key, _)| key).collect();
    if !missing.is_empty() {
        let store = project.show(&project.store);
        let (store, sources) = (store.display(), listed(missing, MAX_LISTED));
        let what = format!("{NOT_PROVED}: `{store}` lacks the `.origin` files of {sources}");
        let hint = "run `skills sync` with a network, and commit what it writes";
        if need_store || !origin_files(project)?.is_empty() {
            errors.push(Error::new(ErrorKind::Drift, "origin-missing", what).with_hint(hint));
        } else {
            notes.push(format!("{what}; {hint}"));
        }
    }
    let unproved = all_remote(lock).filter(|(key, it)| is_stored(key) && !keeps_origin(it));
    let unproved: Vec<&SourceKey> = unproved.map(|(key, _)| key).collect();
    if !unproved.is_empty() {
        let sources = listed(unproved, MAX_LISTED);
        notes.push(format!("{NOT_PROVED}: the manifest has `\"origin\": false` for {sources}"));
    }
    let git = Git::new(limited(manifest, true));
    let sources: Vec<_> = sources().filter(|(_, locked)| is_saved(locked)).collect();
    let reader = Reader { git: &git, project, limits, saved: Some(&saved) };
    notes.extend(sources.iter().filter_map(|(key, locked)| kept_note(key, locked, lock)));
    errors.extend(compare(&reader, sources.into_iter(), lock, &stored));
    Error::unless_empty(errors)?;
    Ok(notes)
}

/// Returns the sources whose locked skills are not those of the locked commits, of which the store
/// has the origin files. Files are not compared.
pub(crate) fn other_skills(
    git: &Git,
    (project, limits): (&ProjectPaths, Limits),
    lock: &Lock,
) -> BTreeSet<SourceKey> {
    let commits_of = remote(lock).flat_map(|(_, locked)| commits(locked));
    let Ok(saved) = read(project, None, limits, commits_of) else { return BTreeSet::new() };
    let is_saved = |locked: &LockedSource| commits(locked).all(|it| saved.contains_key(&it));
    let reader = Reader { git, project, limits, saved: Some(&saved) };
    let (resolved, _) = reader.resolve(remote(lock).filter(|(_, it)| is_saved(it)), lock);
    let is_other =
        |it: &Resolved| !differences(slice::from_ref(it), lock, &StoredFiles::new()).is_empty();
    resolved.into_iter().filter(is_other).map(|it| it.key).collect()
}

/// Returns a note on a source whose locked skills may not be all that its entry selects, with how
/// to keep these: an entry that names their directories selects them without the lockfile.
pub(crate) fn kept_note(key: &SourceKey, locked: &LockedSource, lock: &Lock) -> Option<String> {
    locked.directories.is_none().then(|| {
        let paths = listed(lock.skills_of(key).map(|(_, it)| path_key(&it.path)), MAX_LISTED);
        format!(
            "the source `{key}`: {NOT_PROVED} that its entry selects these skills, which stay in the directories that are locked; to keep them, include {paths}, then run `skills update {key}`"
        )
    })
}

/// Returns what a sync does with the origin files, for the lockfiles before and after it.
///
/// A file is written again if it is missing, or if one of its sources changed. Where the files of
/// the store or the cache are enough, no repository is asked.
pub(crate) fn of_sync(
    git: &Git,
    (project, cache, limits): (&ProjectPaths, &Cache, Limits),
    is_offline: bool,
    (old, new): (&Lock, &Lock),
) -> Result<OriginFiles, Error> {
    let here = origin_files(project)?;
    let is_stale = |(key, locked): &(&SourceKey, &LockedSource)| {
        old.sources.get(*key) != Some(*locked)
            || !old.skills_of(key).eq(new.skills_of(key))
            || commits(locked).any(|commit| !here.contains(&file_name(&commit)))
    };
    let stale = remote(new).filter(is_stale).flat_map(|(_, locked)| commits(locked));
    let stale: BTreeSet<ObjectId> = stale.collect();
    let is_asked = |locked: &LockedSource| commits(locked).any(|commit| stale.contains(&commit));
    let asked = || remote(new).filter(|(_, locked)| is_asked(locked));
    let before = read(project, Some(cache), limits, stale.iter().copied())?;
    let reader = Reader { git, project, limits, saved: Some(&before) };
    let is_saved = |locked: &LockedSource| commits(locked).all(|it| before.contains_key(&it));
    let (mut resolved, failed) = reader.resolve(asked().filter(|(_, it)| is_saved(it)), new);
    let failed: BTreeSet<SourceKey> = failed.into_iter().map(|(key, _)| key).collect();
    resolved.retain(|source| !failed.contains(&source.key));
    let (mut missing, mut rest) = (Vec::new(), Vec::new());
    for (key, locked) in asked().filter(|(key, it)| !is_saved(it) || failed.contains(*key)) {
        if is_offline && !is_local(&locked.entry, locked.skills_url()) {
            missing.push((key.clone(), "it needs the network".to_owned()));
        } else {
            rest.push((key, locked));
        }
    }
    let (found, failed) = Reader { saved: None, ..reader }.resolve(rest.into_iter(), new);
    resolved.extend(found);
    missing.extend(failed.into_iter().map(|(key, error)| (key, one_line_chain(&error))));
    // What a sync keeps was not read again. Of other files than the locked ones it has an error.
    let stored = if resolved.is_empty() { StoredFiles::new() } else { stored_files(project, new) };
    Error::unless_empty(differences(&resolved, new, &stored))?;
    let mut files: BTreeMap<ObjectId, BTreeSet<&str>> = BTreeMap::new();
    for Resolved { commit, read, .. } in &resolved {
        files.entry(*commit).or_default().extend(read.split_inclusive('\n'));
    }
    let missing_sources = missing.iter().filter_map(|(key, _)| new.sources.get(key));
    missing_sources.flat_map(commits).for_each(|commit| drop(files.remove(&commit)));
    let text = |(commit, lines): (ObjectId, BTreeSet<&str>)| {
        let text: String = lines.into_iter().collect();
        let name = file_name(&commit);
        let is_same = before.get(&commit).is_some_and(|(_, before)| *before == text);
        (!is_same || !here.contains(&name)).then_some((name, text))
    };
    let used = remote(new).flat_map(|(_, locked)| commits(locked));
    let used: BTreeSet<String> = used.map(|commit| file_name(&commit)).collect();
    let warning = |(key, why)| format!("the source `{key}`: {NOT_PROVED}: {why}");
    Ok(OriginFiles {
        new: files.into_iter().filter_map(text).collect(),
        unused: here.difference(&used).cloned().collect(),
        warnings: missing.into_iter().map(warning).collect(),
    })
}
