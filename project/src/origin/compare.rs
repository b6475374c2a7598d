//! Comparing the lockfile with what the sources select in the locked commits.

use super::saved::{NOT_PROVED, commits, origin_files, read, remote};
use crate::manifest::{Lock, LockedSource, Manifest};
use crate::{
    Error, ErrorKind, SourceStatus,
    error::Fact,
    fetch::{FetchKind, FetchRequest, PreviousLock},
    locked_file,
    notes::Notes,
    parallel,
    paths::ProjectPaths,
    plan::Plan,
    regular_file::{self, Links},
    repository::{Known, Reader},
    store,
};
use helix_skills_format::{
    __internal::{listed, listed_all},
    LockedSkill, ObjectId, SkillName, SourceKey,
};
use helix_skills_git::{Git, GitOptions};
use std::collections::BTreeMap;

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
    let (limits, files) = (manifest.limits, stored_files(project, lock));
    let sources = || remote(lock).filter(|(key, _)| files.contains_key(*key));
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
    let known = &Known { saved: Some(saved), files };
    let reader = Reader { git: &git, project, limits, known: Some(known) };
    notes.extend(sources.iter().filter_map(|(key, locked)| kept_note(key, locked)));
    errors.extend(compare(&reader, sources.into_iter(), lock));
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

/// Returns the bytes of all files of the sources whose skills are in the store.
pub(crate) fn stored_files(
    project: &ProjectPaths,
    lock: &Lock,
) -> BTreeMap<SourceKey, Vec<Vec<u8>>> {
    let files = |(name, skill): (&SkillName, &LockedSkill)| -> Option<Vec<Vec<u8>>> {
        let listing = store::locked_listing(project, name, skill)?;
        let (directory, limit) = (project.skill_dir(name), skill.bytes + locked_file::LONG);
        let read = |path: &str| regular_file::read(&directory.join(path), Links::Refuse, limit);
        listing.iter().map(|(path, _)| read(path).ok()).collect()
    };
    let of_source = |(key, _): (&SourceKey, &LockedSource)| {
        let skills: Option<Vec<_>> = lock.skills_of(key).map(files).collect();
        Some((key.clone(), skills?.concat()))
    };
    parallel::map(remote(lock).collect(), of_source).into_iter().flatten().collect()
}

/// Returns the differences of the lockfile from what its entries select in the locked commits.
pub(crate) fn compare<'l>(
    reader: &Reader<'_>,
    sources: impl Iterator<Item = (&'l SourceKey, &'l LockedSource)>,
    lock: &Lock,
) -> Vec<Error> {
    let mut plan = Plan::default();
    let requests = sources.map(|(key, locked)| request(key, locked, lock)).collect();
    for answer in reader.fetch(requests, &mut Notes::default()) {
        match answer {
            Ok(fetched) => plan.receive(fetched, lock),
            Err(error) => plan.problems.push(error),
        }
    }
    let mut errors = differences(lock, &plan);
    errors.extend(plan.problems.into_iter().filter_map(|error| {
        let Fact::Refused(key, path, _) = error.fact() else { return Some(error) };
        if lock.skills_of(key).any(|(_, skill)| skill.path == *path) {
            return Some(error);
        }
        // A lockfile of an earlier version has not all skills that its entries select.
        let is_whole = lock.sources.get(key).is_some_and(|locked| locked.directories.is_some());
        is_whole.then(|| {
            Error::drift(format!(
                "the source `{key}` selects the skill in `{path}` of the locked commit, which the lockfile does not have"
            ))
        })
    }));
    errors
}

/// Returns a request for what the locked entry of a source selects in the locked commit.
///
/// If the lockfile has all that is selected, it does not have the locked directories, so that only
/// the entry decides.
pub(super) fn request(key: &SourceKey, locked: &LockedSource, lock: &Lock) -> FetchRequest {
    let before = locked.directories.is_none();
    let before = before.then(|| Box::new(PreviousLock::new(key, locked, lock)));
    FetchRequest {
        key: key.clone(),
        source: locked.entry.clone(),
        kind: FetchKind::Resolve { known: Some(locked.clone()), before },
        why: "its origin is compared".into(),
    }
}

/// Returns how the lockfile differs from the sources and skills of a plan. A source that was locked
/// by an earlier version may select further skills.
fn differences(lock: &Lock, found: &Plan) -> Vec<Error> {
    let (mut errors, nothing) = (Vec::new(), ObjectId::from([0; 20]));
    for (key, source) in &found.sources {
        let Some(locked) = lock.sources.get(key) else { continue };
        let commit = source.skills_commit().unwrap_or(&nothing);
        if locked.plugin != source.plugin {
            errors.push(Error::drift(format!(
                "the lockfile has another `plugin` for the source `{key}` than its marketplace"
            )));
        }
        let of_source = found.skills.iter().filter(|(_, skill)| skill.locked.source == *key);
        let selected: BTreeMap<&SkillName, &LockedSkill> =
            of_source.map(|(name, skill)| (name, &skill.locked)).collect();
        for (name, skill) in lock.skills_of(key) {
            let fields = match selected.get(name) {
                None => {
                    let message = format!(
                        "the lockfile has the skill `{name}` in `{}`, which the source `{key}` does not select by this name in the commit {commit}",
                        skill.path
                    );
                    errors.push(Error::other_tree(name, message));
                    continue;
                }
                Some(found) => other_fields(skill, found),
            };
            if !fields.is_empty() {
                let fields = listed_all(fields);
                errors.push(Error::fields_mismatch(name, &fields, commit, &skill.path));
            }
        }
        let dropped = selected.iter().filter(|(name, found)| {
            lock.skills.get(**name).is_none_or(|skill| skill.source != found.source)
        });
        for (name, found) in dropped.filter(|_| locked.directories.is_some()) {
            let message = format!(
                "the source `{key}` selects the skill `{name}` in `{}` of the commit {commit}, which the lockfile does not have",
                found.path
            );
            errors.push(Error::other_tree(name, message));
        }
    }
    errors
}

/// Returns the names of the fields that differ. A lockfile of an earlier version has no
/// `executable`. A copy of the skill has another path, and the locked one stays.
fn other_fields(locked: &LockedSkill, found: &LockedSkill) -> Vec<&'static str> {
    let fields = [
        ("path", locked.path != found.path && locked.tree != found.tree),
        ("tree", locked.tree != found.tree),
        ("integrity", locked.integrity != found.integrity),
        ("files", locked.files != found.files),
        ("bytes", locked.bytes != found.bytes),
        ("links", locked.links != found.links),
        ("executable", locked.executable.is_some() && locked.executable != found.executable),
    ];
    fields.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field).collect()
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
