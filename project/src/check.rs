//! Checks that manifest, lockfile and store agree, offline and without writing.

use crate::error::Drift;
use crate::manifest::{Lock, Manifest, ManifestBudget, Source};
use crate::{
    Error, budget,
    candidate::SourceSkill,
    difference::Difference,
    directory,
    entries::drift,
    error::ErrorsBySource,
    invisible_text, parallel,
    paths::{ProjectPaths, source_root},
    store::{self, StoredState},
};
use helix_skills_format::{
    __internal::{and_more, leftover},
    Finding, Listing, LockedSkill, RelPath, SkillName, SourceKey,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// The result of [`Project::check`](crate::Project::check).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Number of skills whose files match the lockfile.
    pub skills: usize,
    /// Number of their files.
    pub files: u64,
    /// Size of their files in bytes.
    pub bytes: u64,
    /// The locked skills that are not in the store.
    pub absent: Vec<SkillName>,
    /// Notes that are not errors, one line each.
    pub notes: Vec<String>,
}

/// Checks that the lockfile matches the manifest, and the store the lockfile.
///
/// A skill that is not in the store is an error only with `need_store`.
pub(crate) fn check(project: &ProjectPaths, need_store: bool) -> Result<Checked, Error> {
    let manifest = project.read_manifest()?;
    let lock = project.read_lock()?.ok_or_else(|| Error::no_lock(project.show(&project.lock)))?;
    let mut errors: Vec<Error> = drift(&manifest, &lock).into_iter().map(Error::from).collect();
    let mut checked = Checked::default();
    let mut invisible: BTreeMap<&SkillName, Vec<Finding>> = BTreeMap::new();
    let stored = lock
        .skills
        .iter()
        .map(|(name, skill)| (name, skill, lock.sources.get(&skill.source)))
        .collect();
    let results =
        parallel::map(stored, |(name, skill, source)| match source.map(|source| &source.entry) {
            // The files are compared with the lockfile when the source is read.
            Some(Source::Path(_)) => {
                store::listing_state(project, name, skill).map(|state| state.map(|()| None))
            }
            _ => store::state(project, name, skill).map(|state| state.map(Some)),
        });
    let mut modes = Vec::new();
    for ((name, skill), result) in lock.skills.iter().zip(results) {
        match result {
            Ok(StoredState::Whole(stored)) => {
                checked.skills += 1;
                let Some(stored) = stored else {
                    checked.files += skill.files;
                    checked.bytes += skill.bytes;
                    continue;
                };
                let in_store = |path: &RelPath| project.skill_dir(name).join(path.as_str());
                modes.extend(stored.modes.iter().map(in_store));
                let listed = skill.executable.iter().flatten();
                let is_file = |path: &RelPath| {
                    stored.executable.as_ref().is_some_and(|known| known.contains(path))
                };
                errors.extend(listed.filter(|path| !is_file(path)).map(|path| {
                    Drift::NoExecutable { skill: name.clone(), path: path.clone() }.into()
                }));
                checked.files += stored.files;
                checked.bytes += stored.bytes;
                let (locked, found) = ((skill.files, skill.bytes), (stored.files, stored.bytes));
                if locked != found {
                    errors.push(Drift::SkillSize { skill: name.clone(), locked, found }.into());
                }
                invisible.insert(name, stored.invisible);
            }
            Ok(StoredState::Absent) => checked.absent.push(name.clone()),
            Ok(StoredState::Differs(differences)) => {
                let edited = |(path, difference): (PathBuf, _)| {
                    Error::edited(name, project.show(&path), difference)
                };
                errors.extend(differences.into_iter().map(edited));
            }
            Err(error) => errors.push(error),
        }
    }
    if need_store && !checked.absent.is_empty() {
        errors.push(Error::not_stored(checked.absent.clone()));
    }
    checked.notes.extend(modes_note(project, &modes));
    if let Some(difference) =
        store::attributes_difference(project)?.filter(|_| !lock.skills.is_empty())
    {
        // A store without any skill is not an error, nor is its missing `.gitattributes`.
        if difference != Difference::Missing || checked.skills > 0 {
            let path = project.show(&project.store.join(store::ATTRIBUTES.0));
            errors.push(Drift::Attributes { path, difference }.into());
        }
    }
    for (key, source) in &manifest.sources {
        // A changed entry was already reported as drift.
        let is_locked = lock.sources.get(key).is_some_and(|locked| locked.entry == *source);
        if let (Source::Path(path), true) = (source, is_locked) {
            match directory::read_source(project, key, path, manifest.limits) {
                Ok(found) => {
                    checked.notes.extend(found.warnings);
                    errors.extend(path_drift(project, key, path, &lock, &found.skills));
                    for resolved in found.skills {
                        if let Some((name, _)) = lock.skills.get_key_value(&resolved.name) {
                            invisible.insert(name, resolved.invisible);
                        }
                    }
                }
                Err(found) => errors.extend(found),
            }
        }
    }
    let mut refused = ErrorsBySource::default();
    for (name, found) in &invisible {
        let locked = &lock.skills[*name];
        let source = manifest.sources.get(&locked.source);
        invisible_text::refuse(
            &manifest.allow,
            source,
            (name, locked),
            found,
            refused.for_source(&locked.source),
        );
    }
    errors.extend(refused.into_vec());
    checked.notes.extend(invisible_text::unused_allows(
        &manifest.allow,
        lock.skills.keys(),
        &invisible,
    ));
    errors.extend(over_budget(project, &manifest, &lock));
    for entry in store::unknown_entries(project, |name| lock.skills.contains_key(name))? {
        checked.notes.push(format!(
            "`{}` does not belong to any skill",
            project.show(&project.store.join(entry)).display()
        ));
    }
    if project.store.join(store::STAGING).exists() {
        let staging = project.show(&project.store.join(store::STAGING));
        checked.notes.push(format!(
            "an interrupted sync left `{}`; run `skills sync` to finish it",
            staging.display()
        ));
    }
    Error::unless_empty(errors)?;
    Ok(checked)
}

/// Returns a note on the stored files whose executable bit differs from the lockfile.
///
/// This is not an error: `skills sync` sets the bits, but a checkout with `core.fileMode=false`
/// commits files without them, and on file systems without such bits a check could never pass.
fn modes_note(project: &ProjectPaths, modes: &[PathBuf]) -> Option<String> {
    let first = project.show(modes.first()?);
    let more = and_more(modes.len() - 1);
    Some(format!(
        "`{}`{more}: the executable bit differs from the lockfile; run `skills sync` to set it",
        first.display()
    ))
}

/// Returns the errors of the skills that exceed the manifest's `budget`.
fn over_budget(project: &ProjectPaths, manifest: &Manifest, lock: &Lock) -> Vec<Error> {
    if manifest.budget == ManifestBudget::default() {
        return Vec::new();
    }
    // Unreadable skills were already reported.
    let read = lock
        .skills
        .iter()
        .filter_map(|(name, skill)| Some((name, project.read_skill(lock, name, skill).ok()?.1)));
    let read: Vec<_> = read.collect();
    budget::overruns(
        &manifest.budget,
        &read.iter().map(|(name, skill)| (*name, skill)).collect::<Vec<_>>(),
    )
}

/// Returns the differences between the files of a `path` source and the lockfile.
fn path_drift<'a>(
    project: &'a ProjectPaths,
    key: &'a SourceKey,
    source: &'a crate::manifest::PathSource,
    lock: &'a Lock,
    found: &'a [SourceSkill],
) -> Vec<Error> {
    let root = project.show(&source_root(project, source));
    let (mut drifted, mut errors) = (Vec::new(), Vec::new());
    for resolved in found {
        let place = if resolved.locked.path.is_root() {
            root.clone()
        } else {
            root.join(resolved.locked.path.as_str())
        };
        match lock.skills.get(&resolved.name) {
            Some(locked) if *locked == resolved.locked => {}
            Some(locked)
                if locked.source == *key && locked.integrity == resolved.locked.integrity =>
            {
                drifted.extend(other_drift(&resolved.name, locked, &resolved.locked));
            }
            Some(locked) if locked.source == *key => {
                let converted = converted(project, &resolved.name, locked, resolved);
                if !converted.is_empty() {
                    let edited = |path: String| {
                        Error::edited(&resolved.name, place.join(path), Difference::OwnLineEnds)
                    };
                    errors.extend(converted.into_iter().map(edited));
                    continue;
                }
                let files = match store::read_listing(&project.listing(&resolved.name)) {
                    Ok(Some(Some(listing))) if listing.integrity() == locked.integrity => {
                        changed_files(&listing, &resolved.listing)
                    }
                    _ => Vec::new(),
                };
                let skill = resolved.name.clone();
                let is_left_out = |path: &String| {
                    leftover(path).is_some() && resolved.listing.get(path).is_none()
                };
                drifted.push(if !files.is_empty() && files.iter().all(is_left_out) {
                    Drift::LeftoversLocked { skill, files }
                } else {
                    Drift::SkillChanged { skill, directory: place, files }
                });
            }
            _ => drifted
                .push(Drift::SkillNotLocked { skill: resolved.name.clone(), directory: place }),
        }
    }
    for (name, _) in lock.skills_of(key) {
        if !found.iter().any(|resolved| resolved.name == *name) {
            drifted.push(Drift::SkillGone { skill: name.clone(), directory: root.clone() });
        }
    }
    errors.extend(drifted.into_iter().map(Error::from));
    errors
}

/// Returns the differences between other fields of a `path` skill in the lockfile and its files.
/// Such a skill has no tree and no links.
fn other_drift(name: &SkillName, locked: &LockedSkill, found: &LockedSkill) -> Vec<Drift> {
    let skill = || name.clone();
    let mut drift = Vec::new();
    if locked.path != found.path {
        drift.push(Drift::SkillMoved {
            skill: skill(),
            locked: locked.path.clone(),
            found: found.path.clone(),
        });
    }
    if (locked.files, locked.bytes) != (found.files, found.bytes) {
        let (locked, found) = ((locked.files, locked.bytes), (found.files, found.bytes));
        drift.push(Drift::SkillSize { skill: skill(), locked, found });
    }
    drift
}

/// Returns the files of a `path` skill that differ from the lockfile if all of them differ only in
/// line endings, which means that git converted them. Empty otherwise.
pub(crate) fn converted(
    project: &ProjectPaths,
    name: &SkillName,
    locked: &LockedSkill,
    found: &SourceSkill,
) -> Vec<String> {
    let before = match store::read_listing(&project.listing(name)) {
        Ok(Some(Some(listing))) if listing.integrity() == locked.integrity => listing,
        _ => return Vec::new(),
    };
    let mut converted = Vec::new();
    for file in found.contents.files() {
        match before.get(&file.path) {
            Some(digest) if found.listing.get(&file.path) == Some(digest) => {}
            Some(digest) if digest.matches_other_line_endings(&file.bytes) => {
                converted.push(file.path.to_string())
            }
            _ => return Vec::new(),
        }
    }
    converted
}

/// Returns the files that two listings do not share, sorted.
fn changed_files(before: &Listing, after: &Listing) -> Vec<String> {
    let differing = |one: &Listing, other: &Listing| -> Vec<String> {
        let differs = one.iter().filter(|(path, digest)| other.get(path) != Some(*digest));
        differs.map(|(path, _)| path.to_string()).collect()
    };
    let changed: BTreeSet<String> =
        differing(before, after).into_iter().chain(differing(after, before)).collect();
    changed.into_iter().collect()
}
