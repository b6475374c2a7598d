//! The origin files of the store.

use super::OriginFiles;
use crate::manifest::{Lock, LockedSource};
use crate::{
    Cache, Error,
    fetch::is_local,
    paths::ProjectPaths,
    regular_file::{self, Links},
    repository::{Reader, Resolved, SavedObjects},
    store::{self, ORIGIN},
};
use helix_skills_format::{__internal::one_line_chain, Limits, ObjectId, SourceKey};
use helix_skills_git::Git;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

/// Begins what is said about skills whose origin is not known.
pub(super) const NOT_PROVED: &str = "origin not proved";

/// A text is at most this many times as large as the objects of a repository may be.
const EXPANSION_FACTOR: u64 = 4;

/// Returns the locked sources with a commit and skills.
pub(super) fn remote(lock: &Lock) -> impl Iterator<Item = (&SourceKey, &LockedSource)> {
    let has_skills = |key| lock.skills_of(key).next().is_some();
    lock.sources.iter().filter(move |(key, it)| it.commit.is_some() && has_skills(key))
}

/// Returns the commits of a locked source: its own, and that of its plugin.
pub(super) fn commits(locked: &LockedSource) -> impl Iterator<Item = ObjectId> + use<> {
    let plugin = locked.plugin.as_ref().and_then(|plugin| plugin.commit);
    locked.commit.into_iter().chain(plugin)
}

fn file_name(commit: &ObjectId) -> String {
    format!("{commit}{ORIGIN}")
}

/// Returns the names of the origin files in the store.
pub(super) fn origin_files(project: &ProjectPaths) -> Result<BTreeSet<String>, Error> {
    let entries = match fs::read_dir(&project.store) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(Error::read(&project.store)(error)),
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(names.filter(|name| store::is_origin(name)).collect())
}

/// Reads the origin files of commits, those that the store or the cache has.
pub(super) fn read(
    project: &ProjectPaths,
    cache: Option<&Cache>,
    limits: Limits,
    commits: impl Iterator<Item = ObjectId>,
) -> Result<SavedObjects, Error> {
    let limit = limits.bytes_per_fetch.saturating_mul(EXPANSION_FACTOR);
    let mut found = BTreeMap::new();
    for commit in commits.collect::<BTreeSet<_>>() {
        let name = file_name(&commit);
        let cached = cache.map(|cache| cache.origin_file(&name));
        let path = project.store.join(name);
        let shown = project.show(&path).display().to_string();
        let read = |path: &Path| regular_file::read(path, Links::Refuse, limit);
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match cached.map(|path| read(&path)) {
                    Some(Ok(bytes)) => bytes,
                    _ => continue,
                }
            }
            Err(error) => return Err(Error::read(path)(error)),
        };
        // A line that is not UTF-8 is invalid.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        found.insert(commit, (shown, text));
    }
    Ok(found)
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
    let mut files: BTreeMap<ObjectId, BTreeSet<&str>> = BTreeMap::new();
    for Resolved { commit, read, .. } in &resolved {
        files.entry(*commit).or_default().extend(read.split_inclusive('\n'));
    }
    for (key, _) in &missing {
        let commits = new.sources.get(key).into_iter().flat_map(commits);
        commits.for_each(|commit| drop(files.remove(&commit)));
    }
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
