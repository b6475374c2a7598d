//! Compares an old lockfile with the project's.

use super::{
    ComparedSkill, Comparison, NamedSkill, SkillChange, SourceChange, files::compare, side,
};
use crate::manifest::Lock;
use crate::{Error, paths::ProjectPaths};
use helix_skills_format::{LockedSkill, SkillName, SourceKey};
use std::collections::{BTreeMap, BTreeSet};

/// Compares an old lockfile with the lockfile of a project. `checkout` is the project of the old
/// lockfile, if it is on this machine.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn with_lock(
    (old, checkout): (&Lock, Option<&ProjectPaths>),
    (lock, project): (&Lock, &ProjectPaths),
    cache: &side::CacheLookup,
    context: usize,
) -> Result<Comparison, Error> {
    let mut comparison = Comparison { sources: sources(old, lock), ..Comparison::default() };
    let home = checkout.unwrap_or(project);
    let older: Vec<&ProjectPaths> = checkout.into_iter().chain([project]).collect();
    let newer: Vec<&ProjectPaths> = [project].into_iter().chain(checkout).collect();
    for (before, after) in pairs(&old.skills, &lock.skills) {
        let files = || {
            let before = side::locked(&older, old, before, cache)?;
            Ok(compare(before, side::locked(&newer, lock, after, cache)?, context))
        };
        let was = before.map(|found| ComparedSkill::new(home, old, found));
        let is = after.map(|found| ComparedSkill::new(project, lock, found));
        comparison.skills.extend(SkillChange::between(was, is, files)?);
    }
    Ok(comparison)
}

/// Returns every source that differs. Added and removed skills are reported as skills.
fn sources(old: &Lock, new: &Lock) -> Vec<SourceChange> {
    let keys: BTreeSet<&SourceKey> = old.sources.keys().chain(new.sources.keys()).collect();
    let compared = |lock: &Lock, key| {
        let mut source = lock.sources.get(key).cloned()?;
        source.directories = None;
        Some(source)
    };
    let changed = keys.into_iter().filter(|key| compared(old, *key) != compared(new, *key));
    changed
        .map(|key| {
            let (before, after) = (old.sources.get(key).cloned(), new.sources.get(key).cloned());
            let fields = match (&before, &after) {
                (Some(before), Some(after)) => before.entry.changed_keys(&after.entry),
                _ => Vec::new(),
            };
            SourceChange { key: key.clone(), before, after, fields }
        })
        .collect()
}

/// Pairs the skills of two lockfiles: by name, else by source and directory, else by their bytes.
/// Sorted by the newest name.
pub(super) fn pairs<'a>(
    old: &'a BTreeMap<SkillName, LockedSkill>,
    new: &'a BTreeMap<SkillName, LockedSkill>,
) -> Vec<(NamedSkill<'a>, NamedSkill<'a>)> {
    let mut pairs: Vec<(NamedSkill<'a>, NamedSkill<'a>)> = Vec::new();
    let mut gone: Vec<_> = old.iter().filter(|(name, _)| !new.contains_key(*name)).collect();
    let mut come: Vec<_> = new.iter().filter(|(name, _)| !old.contains_key(*name)).collect();
    pairs.extend(
        old.iter().filter_map(|found| Some((Some(found), Some(new.get_key_value(found.0)?)))),
    );
    let same_place =
        |a: &LockedSkill, b: &LockedSkill| (&a.source, &a.path) == (&b.source, &b.path);
    let same_bytes = |a: &LockedSkill, b: &LockedSkill| a.integrity == b.integrity;
    for is_same in [&same_place as &dyn Fn(&LockedSkill, &LockedSkill) -> bool, &same_bytes] {
        gone.retain(|before| match come.iter().position(|after| is_same(before.1, after.1)) {
            Some(at) => {
                pairs.push((Some(*before), Some(come.remove(at))));
                false
            }
            None => true,
        });
    }
    pairs.extend(gone.into_iter().map(|before| (Some(before), None)));
    pairs.extend(come.into_iter().map(|after| (None, Some(after))));
    pairs.sort_by_key(|(before, after)| after.or(*before).map(|(name, _)| name.clone()));
    pairs
}
