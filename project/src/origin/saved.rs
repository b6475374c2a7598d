//! The origin files of the store.

use crate::manifest::{Lock, LockedSource};
use crate::{
    Cache, Error, locked_file, parallel,
    paths::ProjectPaths,
    regular_file::{self, Links},
    repository::SavedObjects,
    store::{self, ORIGIN},
};
use helix_skills_format::{Limits, LockedSkill, ObjectId, RelPath, SkillName, SourceKey};
use helix_skills_git::__internal::blob_id;
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

/// Begins what is said about skills whose origin is not known.
pub(super) const NOT_PROVED: &str = "origin not proved";

/// A text is at most this many times as large as the objects of a repository may be.
const EXPANSION_FACTOR: u64 = 4;

/// Returns the locked sources with a commit, except those without an origin file.
pub(super) fn remote(lock: &Lock) -> impl Iterator<Item = (&SourceKey, &LockedSource)> {
    all_remote(lock).filter(|(_, it)| keeps_origin(it))
}

/// Returns whether the store keeps origin files for a source.
pub(super) fn keeps_origin(locked: &LockedSource) -> bool {
    locked.entry.repository().is_some_and(|repository| repository.origin)
}

/// Returns the locked sources with a commit, except those that select nothing.
pub(super) fn all_remote(lock: &Lock) -> impl Iterator<Item = (&SourceKey, &LockedSource)> {
    let is_empty =
        |it: &LockedSource| it.entry.select.include.as_ref().is_some_and(BTreeSet::is_empty);
    lock.sources.iter().filter(move |(_, it)| it.commit.is_some() && !is_empty(it))
}

/// Returns the commits of a locked source: its own, and that of its plugin.
pub(super) fn commits(locked: &LockedSource) -> impl Iterator<Item = ObjectId> + use<> {
    let plugin = locked.plugin.as_ref().and_then(|plugin| plugin.commit);
    locked.commit.into_iter().chain(plugin)
}

pub(super) fn file_name(commit: &ObjectId) -> String {
    format!("{commit}{ORIGIN}")
}

/// Returns the names of the origin files in the store.
pub(super) fn origin_files(project: &ProjectPaths) -> Result<BTreeSet<String>, Error> {
    let mut names = store::entries(project)?;
    names.retain(|name| store::is_origin(name));
    Ok(names)
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

/// The git ids of the files of each skill in the store; `None` for one that is not as locked.
pub(crate) type StoredFiles = BTreeMap<SkillName, Option<BTreeMap<RelPath, ObjectId>>>;

/// Returns the git ids of all files in the store.
pub(crate) fn stored_files(project: &ProjectPaths, lock: &Lock) -> StoredFiles {
    let files = |(name, skill): (&SkillName, &LockedSkill)| {
        let listing = store::locked_listing(project, name, skill)?;
        let (directory, limit) = (project.skill_dir(name), skill.bytes + locked_file::LONG);
        let id = |(path, _): (&RelPath, _)| {
            let bytes =
                regular_file::read(&directory.join(path.as_str()), Links::Refuse, limit).ok()?;
            // A file that attacks SHA-1 has no id, and is none of the commit.
            Some((path.clone(), blob_id(&bytes).unwrap_or_else(|| ObjectId::from([0; 20]))))
        };
        listing.iter().map(id).collect()
    };
    let skills = all_remote(lock).flat_map(|(key, _)| lock.skills_of(key));
    parallel::map(skills.collect(), |skill| (skill.0.clone(), files(skill))).into_iter().collect()
}
