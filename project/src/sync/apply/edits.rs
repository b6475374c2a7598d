//! Edited files of the store that a sync would overwrite or remove.

use super::{Leaving, Pending};
use crate::manifest::Lock;
use crate::{
    Error, cache::Cache, difference::Difference, locked_file, metadata::instead_of_directory,
    paths::ProjectPaths, plan::SkillPlan, regular_file::Links, store,
};
use helix_skills_format::{Digest, Listing, LockedSkill, SkillName};
use std::collections::BTreeMap;

/// Returns an error for each file that would be lost and that is in no known listing, because a
/// user edited or added it.
///
/// The listing in the store is known to be ours only if the lockfile has it, if there is no
/// lockfile, or if the cache has it. If the store is not committed, the lockfile was changed by
/// someone else's commit and the cache is empty, a sync therefore needs `--restore` once.
pub(super) fn conflicting_edits(
    project: &ProjectPaths,
    cache: &Cache,
    old: &Lock,
    skills: &[(SkillName, SkillPlan)],
    leaving: &Leaving,
    pending: &Pending,
) -> Result<Vec<Error>, Error> {
    // By folded names, because on some file systems two skills may share a directory.
    let mut known: BTreeMap<String, Vec<&Listing>> = BTreeMap::new();
    let arriving =
        || skills.iter().filter_map(|(name, plan)| Some((name, &plan.arrival.as_ref()?.listing)));
    for (name, listing) in arriving() {
        known.entry(name.folded()).or_default().push(listing);
    }
    for (name, listings) in leaving.iter().chain(&pending.0) {
        known.entry(name.folded()).or_default().extend(listings);
    }
    // The size of the old or the new skill, whichever is larger.
    let mut sizes: BTreeMap<&SkillName, u64> = BTreeMap::new();
    let new = skills.iter().map(|(name, plan)| (name, &plan.locked));
    for (name, skill) in old.skills.iter().chain(new) {
        let size = sizes.entry(name).or_default();
        *size = skill.bytes.max(*size);
    }
    let skill_bytes = |name: &SkillName| sizes.get(name).copied().unwrap_or(0);
    // An unreadable cache counts as empty.
    let is_cached = |integrity, name| {
        cache.get(integrity, skill_bytes(name)).is_ok_and(|found| found.is_some())
    };
    let mut errors = Vec::new();
    for (name, _) in arriving() {
        let mut known = known.get(&name.folded()).cloned().unwrap_or_default();
        let on_disk = store::read_listing(&project.listing(name))?.flatten();
        if let Some(listing) = &on_disk {
            let integrity = listing.integrity();
            let is_locked = old.skills.get(name).is_some_and(|skill| skill.integrity == integrity);
            if is_locked || old.sources.is_empty() || is_cached(integrity, name) {
                // First, because the error compares an edited file with the first listing.
                known.insert(0, listing);
            }
        }
        errors.extend(edits(project, name, &known, skill_bytes(name))?);
    }
    for name in leaving.keys() {
        let known = known.get(&name.folded()).map_or(&[][..], Vec::as_slice);
        errors.extend(edits(project, name, known, skill_bytes(name))?);
    }
    Ok(errors)
}

/// Returns an error for each edited file of a skill whose listing in the store is the locked one.
pub(in crate::sync) fn edits_of_locked(
    project: &ProjectPaths,
    name: &SkillName,
    locked: &LockedSkill,
    pending: &Pending,
) -> Result<Vec<Error>, Error> {
    match store::read_listing(&project.listing(name))?.flatten() {
        Some(listing) if listing.integrity() == locked.integrity => {
            let known: Vec<&Listing> = pending.listings(name).iter().chain([&listing]).collect();
            edits(project, name, &known, locked.bytes)
        }
        // The stored files may be those that are about to be fetched.
        _ => Ok(Vec::new()),
    }
}

/// Returns an error for each file of a stored skill that is in none of the `known` listings.
///
/// The first listing with a file's path has its expected digest. `skill_bytes` is the size of the
/// skill in the lockfile.
fn edits(
    project: &ProjectPaths,
    name: &SkillName,
    known: &[&Listing],
    skill_bytes: u64,
) -> Result<Vec<Error>, Error> {
    let directory = project.skill_dir(name);
    if let Some(found) = instead_of_directory(&directory) {
        let path = project.show(&directory);
        return Ok(vec![Error::edited(name, path, Difference::NotADirectory(found))]);
    }
    let mut errors = Vec::new();
    for relative in store::files_below(&directory)? {
        let path = directory.join(&relative);
        let listed = store::listed_name(&relative);
        let digests = known.iter().filter_map(|listing| listing.get(listed.as_ref()?));
        let expected: Vec<Digest> = digests.collect();
        let difference = if !expected.is_empty() {
            let file = locked_file::read(&path, Links::Refuse, &expected, skill_bytes);
            match file.map_err(Error::read(&path))? {
                Ok(_) => continue,
                Err(difference) => difference,
            }
        } else if store::is_ignored(&relative) {
            continue;
        } else {
            Difference::Unlisted
        };
        errors.push(Error::edited(name, project.show(&path), difference));
    }
    Ok(errors)
}
