//! Checks that manifest, lockfile and store agree, offline and without writing.

use crate::manifest::{Lock, Manifest, ManifestBudget, is_own};
use crate::{
    Error, ErrorKind, budget,
    difference::Difference,
    entries::is_locked,
    invisible_text::{self, Scanned},
    paths::ProjectPaths,
    plan::Plan,
    state::State,
    store,
};
use helix_skills_format::{__internal::and_more, Finding, RelPath, SkillName};
use std::{collections::BTreeMap, path::PathBuf};

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
/// No skills at all, and a skill that is not in the store, are errors only with `need_store`.
pub(crate) fn check(project: &ProjectPaths, need_store: bool) -> Result<Checked, Error> {
    let manifest = project.read_manifest()?;
    let lock = project.read_lock()?;
    let state = State::read(project, &manifest, lock.as_ref(), &[]);
    let mut errors = state.drift();
    let lock = state.need_lock()?;
    let State { own, stored, .. } = state;
    let mut checked = Checked::default();
    let mut invisible: BTreeMap<&SkillName, Vec<Finding>> = BTreeMap::new();
    let mut modes = Vec::new();
    let mut plan = Plan::default();
    for ((name, skill), stored) in lock.skills.iter().zip(stored.into_values()) {
        match stored.map(|stored| plan.add_stored(name, skill, stored)) {
            Ok(None) => {}
            Ok(Some(found)) if found.is_empty() => checked.absent.push(name.clone()),
            Ok(Some(found)) => errors.extend(store::edited(project, name, found)),
            Err(error) => errors.push(error),
        }
    }
    for (name, skill) in &plan.skills {
        checked.skills += 1;
        checked.files += skill.locked.files;
        checked.bytes += skill.locked.bytes;
        let in_store = |path: &RelPath| project.skill_dir(name).join(path.as_str());
        modes.extend(skill.modes.iter().map(in_store));
        if !is_own(lock, &skill.locked) {
            invisible.insert(name, skill.invisible.clone());
        }
    }
    if need_store && lock.skills.is_empty() {
        let hint = "add some with `skills add`, or check without `--store`";
        let error = Error::new(ErrorKind::Drift, "not-stored", "the lockfile has no skills");
        errors.push(error.with_hint(hint));
    } else if need_store && !checked.absent.is_empty() {
        errors.push(Error::not_stored(checked.absent.clone()));
    }
    checked.notes.extend(modes_note(project, &modes));
    if let Some(difference) =
        store::attributes_difference(project)?.filter(|_| !lock.skills.is_empty())
    {
        // The store may have no skills, and then needs no `.gitattributes`.
        let found = format!("`{}`: {difference}", project.show_stored(store::ATTRIBUTES.0));
        if difference == Difference::Former {
            checked.notes.push(format!("{found}; {}", difference.hint()));
        } else if difference != Difference::Missing || checked.skills > 0 {
            errors.push(Error::drift(found));
        }
    }
    #[cfg(feature = "git")]
    checked.notes.extend(crate::attributes::notes(project)?);
    // A changed entry was already reported.
    let is_locked = |key| is_locked(key, &manifest.sources[key], lock);
    for (_, found) in own.into_iter().filter(|(key, _)| is_locked(*key)) {
        match found {
            Ok(found) => {
                checked.notes.extend(found.warnings);
                for resolved in found.skills {
                    if let Some((name, _)) = lock.skills.get_key_value(&resolved.name) {
                        invisible.insert(name, resolved.invisible);
                    }
                }
            }
            Err(found) => errors.extend(found),
        }
    }
    let skills = lock.skills.iter().map(|(name, locked)| {
        let found = invisible.get(name).map(Vec::as_slice);
        Scanned { name, locked, is_own: is_own(lock, locked), found }
    });
    let (refused, unused) = invisible_text::check(&manifest.allow, &skills.collect::<Vec<_>>());
    errors.extend(refused);
    checked.notes.extend(unused);
    errors.extend(over_budget(project, &manifest, lock));
    for entry in store::unknown_entries(project, |name| lock.skills.contains_key(name))? {
        let entry = project.show_stored(&entry);
        checked.notes.push(format!("`{entry}` does not belong to any skill"));
    }
    if project.store.join(store::STAGING).exists() {
        let left = project.show_stored(store::STAGING);
        let note = format!("an interrupted sync left `{left}`; run `skills sync` to finish it");
        checked.notes.push(note);
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
    budget::overruns(&manifest.budget, &read.collect())
}
