//! Comparing the lockfile with what the sources select in the locked commits.

use super::saved::{NOT_PROVED, commits, origin_files, read, remote};
use crate::manifest::{Lock, LockedSource, Manifest};
use crate::{
    Error, ErrorKind, SourceStatus,
    contents::was_left_out,
    locked_file, parallel,
    paths::ProjectPaths,
    regular_file::{self, Links},
    repository::{Reader, Resolved, ResolvedSkill},
    store,
};
use helix_skills_format::{
    __internal::{listed, listed_all},
    DirPath, LockedSkill, ObjectId, RelPath, SkillName, SourceKey,
};
use helix_skills_git::{__internal::blob_id, Git, GitOptions};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of sources that a message lists.
const MAX_LISTED: usize = 5;

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
    let is_stored = |key| lock.skills_of(key).all(|(name, _)| stored[name].is_some());
    let sources = || remote(lock).filter(|(key, _)| is_stored(key));
    let saved = read(project, None, limits, sources().flat_map(|(_, locked)| commits(locked)))?;
    let is_saved = |locked: &LockedSource| commits(locked).all(|it| saved.contains_key(&it));
    let (mut notes, mut errors) = (Vec::new(), Vec::new());
    let missing = sources().filter(|(_, locked)| !is_saved(locked)).map(|(key, _)| key);
    let missing: Vec<&SourceKey> = missing.collect();
    if !missing.is_empty() {
        let store = project.show(&project.store);
        let (store, sources) = (store.display(), listed(missing, MAX_LISTED));
        let what = format!("{NOT_PROVED}: `{store}` lacks the `.origin` files of {sources}");
        let hint = "run `skills sync` with a network, and commit what it writes";
        match need_store || !origin_files(project)?.is_empty() {
            true => errors.push(Error::new(ErrorKind::Drift, "origin", what).with_hint(hint)),
            false => notes.push(format!("{what}; {hint}")),
        }
    }
    let mut options = GitOptions::default();
    options.objects_per_fetch = limits.objects_per_fetch;
    options.bytes_per_fetch = limits.bytes_per_fetch;
    options.bytes_per_object = limits.bytes_per_file;
    options.offline = true;
    let git = Git::new(options);
    let sources: Vec<_> = sources().filter(|(_, locked)| is_saved(locked)).collect();
    let reader = Reader { git: &git, project, limits, saved: Some(&saved) };
    notes.extend(sources.iter().filter_map(|(key, locked)| kept_note(key, locked)));
    errors.extend(compare(&reader, sources.into_iter(), lock, &stored));
    Error::unless_empty(errors)?;
    Ok(notes)
}

/// Returns a note on a source whose locked skills may not be all that its entry selects.
pub(super) fn kept_note(key: &SourceKey, locked: &LockedSource) -> Option<String> {
    locked.directories.is_none().then(|| {
        format!(
            "the source `{key}`: {NOT_PROVED} that its entry selects these skills, which stay in the directories that are locked"
        )
    })
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
            Some((path.clone(), blob_id(&bytes)?))
        };
        listing.iter().map(id).collect()
    };
    let skills = remote(lock).flat_map(|(key, _)| lock.skills_of(key));
    parallel::map(skills.collect(), |skill| (skill.0.clone(), files(skill))).into_iter().collect()
}

/// Returns the differences of the lockfile and the store from what the locked entries select in the
/// locked commits.
pub(crate) fn compare<'l>(
    reader: &Reader<'_>,
    sources: impl Iterator<Item = (&'l SourceKey, &'l LockedSource)>,
    lock: &Lock,
    stored: &StoredFiles,
) -> Vec<Error> {
    let (resolved, failed) = reader.resolve(sources, lock);
    let mut errors: Vec<Error> = failed.into_iter().map(|(_, error)| error).collect();
    for Resolved { key, source, .. } in &resolved {
        let Some((source, skills)) = source else { continue };
        let Some(locked) = lock.sources.get(key) else { continue };
        if locked.plugin != source.plugin {
            errors.push(Error::drift(format!(
                "the lockfile has another `plugin` for the source `{key}` than its marketplace"
            )));
        }
        let commit = locked.skills_commit().copied().unwrap_or_else(|| ObjectId::from([0; 20]));
        let mut selected: BTreeMap<&DirPath, &ResolvedSkill> =
            skills.iter().map(|skill| (&skill.path, skill)).collect();
        for (name, skill) in lock.skills_of(key) {
            // A copy of the skill has another path, and the locked one stays.
            let is_same = |found: &&ResolvedSkill| Some(found.tree) == skill.tree;
            let copy = || skills.iter().find(is_same).filter(|found| found.links == skill.links);
            let Some(found) = selected.get(&skill.path).copied().or_else(copy) else {
                let message = format!(
                    "the lockfile has the skill `{name}` in `{}`, which the source `{key}` does not select in the commit {commit}",
                    skill.path
                );
                errors.push(Error::other_tree(name, message));
                continue;
            };
            selected.remove(&found.path);
            errors.extend(differences((name, skill), found, &commit));
            let files = stored.get(name).and_then(Option::as_ref);
            let file = files.and_then(|files| other_file(files, found));
            errors.extend(file.map(|file| Error::other_file(name, &commit, &found.path, file)));
        }
        // A lockfile of an earlier version has not all skills that its entries select.
        let dropped = selected.into_keys().filter(|_| locked.directories.is_some());
        errors.extend(dropped.map(|path| Error::dropped(key, &commit, path)));
    }
    errors
}

/// Returns the difference of the fields of a locked skill from those of the commit. A lockfile of
/// an earlier version has no `executable`.
fn differences(
    (name, locked): (&SkillName, &LockedSkill),
    found: &ResolvedSkill,
    commit: &ObjectId,
) -> Option<Error> {
    let executable = found.files.iter().filter(|(_, (_, executable))| *executable);
    let executable: BTreeSet<&RelPath> = executable.map(|(path, _)| path).collect();
    let is_executable = |them: &BTreeSet<RelPath>| them.iter().eq(executable.iter().copied());
    let fields = [
        ("tree", locked.tree != Some(found.tree)),
        ("links", locked.links != found.links),
        ("executable", !locked.executable.as_ref().is_none_or(is_executable)),
    ];
    let fields: Vec<&str> = fields.into_iter().filter(|it| it.1).map(|it| it.0).collect();
    let fields = (!fields.is_empty()).then(|| listed_all(fields))?;
    Some(Error::fields_mismatch(name, &fields, commit, &locked.path))
}

/// Returns a file that the store has with other bytes than the commit, or only one of both.
fn other_file<'f>(
    stored: &'f BTreeMap<RelPath, ObjectId>,
    found: &'f ResolvedSkill,
) -> Option<&'f RelPath> {
    let is_other = |(path, (id, _)): &(&RelPath, &(ObjectId, bool))| match stored.get(*path) {
        Some(here) => here != id,
        None => !was_left_out(path),
    };
    let other = found.files.iter().find(is_other).map(|(path, _)| path);
    other.or_else(|| stored.keys().find(|path| !found.files.contains_key(*path)))
}

/// Returns a note for each branch that is not at the locked commit any more: whether the commit was
/// on it is not known.
pub(crate) fn notes(status: &SourceStatus) -> Vec<String> {
    let SourceStatus { key, current, within, .. } = status;
    let kept = kept_note(key, current);
    let Some(within) = within else { return kept.into_iter().collect() };
    let of_plugin = |source: &LockedSource| {
        let plugin = source.plugin.clone();
        plugin.map_or((None, None), |plugin| (plugin.reference, plugin.commit))
    };
    let own = |source: &LockedSource| (source.reference.clone(), source.commit);
    let pairs = [(own(current), own(within)), (of_plugin(current), of_plugin(within))];
    let note = |(before, now): ((Option<String>, Option<ObjectId>), _)| {
        let branch = before.0.as_ref()?.strip_prefix("refs/heads/")?;
        let locked = before.1?;
        (before != now).then(|| {
            format!(
                "the source `{key}`: origin not proved: `{branch}` has moved on, and whether the locked commit {} was on it is not known",
                locked.short()
            )
        })
    };
    pairs.into_iter().filter_map(note).chain(kept).collect()
}
