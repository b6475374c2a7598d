//! Comparing the lockfile with what the sources select in the locked commits.

use super::{
    resolve::{Resolved, ResolvedSkill},
    saved::{NOT_PROVED, StoredFiles},
};
use crate::manifest::{Lock, LockedSource, Pin, VersionPin};
use crate::{
    Error, SourceStatus,
    entries::hops,
    pins::TagNames,
    repository::{Reader, distinct_errors},
};
use helix_skills_format::{
    __internal::listed_all, DirPath, LockedSkill, ObjectId, RelPath, SkillName, SourceKey,
};
use helix_skills_git as git;
use std::{
    collections::{BTreeMap, BTreeSet},
    iter, slice,
};

/// Returns the differences of the lockfile and the store from what the locked entries select in the
/// locked commits.
pub(crate) fn compare<'l>(
    reader: &Reader<'_>,
    sources: impl Iterator<Item = (&'l SourceKey, &'l LockedSource)>,
    lock: &Lock,
    stored: &StoredFiles,
) -> Vec<Error> {
    let (resolved, failed) = reader.resolve(sources, lock);
    let mut errors = distinct_errors(failed);
    errors.extend(differences(&resolved, lock, stored));
    errors
}

/// Returns the differences of the lockfile and the store from what was found.
pub(super) fn differences(resolved: &[Resolved], lock: &Lock, stored: &StoredFiles) -> Vec<Error> {
    let mut errors = Vec::new();
    for Resolved { key, source, .. } in resolved {
        let Some((source, skills)) = source else { continue };
        let Some(locked) = lock.sources.get(key) else { continue };
        // An earlier version of the program did not lock the version.
        let version = locked.plugin.as_ref().and_then(|plugin| plugin.version.as_ref());
        let plugin = source.plugin.clone().map(|mut plugin| {
            plugin.version = plugin.version.filter(|_| version.is_some());
            plugin
        });
        // Nor did it lock the license.
        let license = source.license.as_ref().filter(|_| locked.license.is_some());
        for (field, is_other) in [
            ("plugin", locked.plugin != plugin),
            ("license", locked.license.as_ref() != license),
            ("commit", locked.commit != source.commit),
        ] {
            errors.extend(is_other.then(|| Error::other_source(key, field)));
        }
        let commit = locked.skills_commit().copied().unwrap_or_else(|| ObjectId::from([0; 20]));
        let mut selected: BTreeMap<&DirPath, &ResolvedSkill> =
            skills.iter().map(|skill| (&skill.path, skill)).collect();
        for (name, skill) in lock.skills_of(key) {
            let Some(found) = selected.remove(&skill.path) else {
                let message = format!(
                    "the lockfile has the skill `{name}` in `{}`, which the source `{key}` does not select in the commit {commit}",
                    skill.path
                );
                errors.push(Error::other_tree(message));
                continue;
            };
            errors.extend(other_fields((name, skill), found, &commit));
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
fn other_fields(
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
    let is_other = |(path, (id, _)): &(&RelPath, &(ObjectId, bool))| stored.get(*path) != Some(id);
    let other = found.files.iter().find(is_other).map(|(path, _)| path);
    other.or_else(|| stored.keys().find(|path| !found.files.contains_key(*path)))
}

/// Proves that the pins of a source led to its locked commits: a branch that has moved on still has
/// them. Returns notes on what cannot be proved.
///
/// That a locked tag is the locked commit is known from [`SourceStatus::errors`].
///
/// # Errors
/// The pin does not lead to the commit; a repository cannot be read.
pub(crate) fn prove_pins(reader: &Reader<'_>, status: &SourceStatus) -> Result<Vec<String>, Error> {
    let SourceStatus { key, current, within, .. } = status;
    let mut notes = Vec::new();
    let (Some(within), Some(repository)) = (within, current.entry.repository()) else {
        return Ok(notes);
    };
    let pairs = hops(current).into_iter().zip(hops(within));
    let is_tag = |name: &String| name.starts_with("refs/tags/");
    let names = TagNames::new(key, &current.entry);
    for (is_plugin, (before, now)) in [false, true].into_iter().zip(pairs) {
        let (Some(url), Some(locked)) = (&before.0, before.2) else { continue };
        if before.1 == now.1 && (before.2 == now.2 || before.1.as_ref().is_none_or(is_tag)) {
            continue;
        }
        let is_range = matches!(&repository.pin, Pin::Version(VersionPin::Range(_)));
        let (Some(name), Some(tip)) = (&now.1, now.2) else { continue };
        if is_tag(name) {
            // A range has newer releases than the locked one, whose tags have the same form.
            let is_same = |tag: &String| is_tag(tag) && names.is_own(tag) == names.is_own(name);
            let may_be_newer = is_range && !is_plugin && before.1.as_ref().is_some_and(is_same);
            if tip != locked && !may_be_newer {
                return Err(Error::moved(key, &format!("the tag `{name}`"), &locked, &tip));
            }
            continue;
        }
        let short = name.strip_prefix("refs/heads/").unwrap_or(name);
        let ask = || {
            let mut session = reader.session(url, iter::once(&current.entry))?;
            session.commit(&locked, None)?;
            session.commit(&tip, Some(name))?;
            let is_ancestor = session.is_ancestor(&locked, &tip)?;
            session.keep();
            Ok(is_ancestor)
        };
        let of_git = |error: git::Error| Error::git(slice::from_ref(key), is_plugin, &error);
        match ask().map_err(of_git)? {
            Some(true) => {}
            Some(false) => return Err(Error::not_on_branch(key, short, &locked)),
            None => notes.push(format!(
                "the source `{key}`: {NOT_PROVED}: whether the locked commit {} is on `{short}` is not known",
                locked.short()
            )),
        }
        if before.1 != now.1 {
            let before = before.1.as_deref().unwrap_or("no branch");
            notes.push(format!(
                "the source `{key}`: {NOT_PROVED}: the pin means `{name}`, and the lockfile has {before}"
            ));
        }
    }
    Ok(notes)
}
