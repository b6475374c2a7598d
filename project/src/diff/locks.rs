//! Compares an old lockfile with the project's.

use super::{
    Comparison, NamedSkill,
    side::{CacheLookup, LockedSide},
};
use crate::manifest::{Lock, LockedSource};
use crate::{Error, paths::ProjectPaths};
use helix_skills_format::{LockedSkill, SkillName, SourceKey};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The hint if the text of the old lockfile is missing.
const CHECK_OUT: &str = "the text of the old lockfile is neither in a store nor in the cache; check out its commit with `git worktree add DIR COMMIT` and pass the lockfile in DIR (if the store is not committed, first run `skills -C DIR sync --locked`)";

/// The hint if the text of the project's lockfile is missing.
const SYNC: &str = "the text of the lockfile is neither in the store nor in the cache; run `skills sync` to fetch it";

/// Compares an old lockfile with the lockfile of a project. `checkout` is the project of the old
/// lockfile, if it is on this machine.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn with_lock(
    (old, checkout): (&Lock, Option<&ProjectPaths>),
    (lock, project): (&Lock, &ProjectPaths),
    cache: &CacheLookup,
    context: usize,
) -> Result<Comparison, Error> {
    let mut comparison = Comparison { sources: sources(old, lock), ..Comparison::default() };
    let older = checkout.into_iter().chain([project]).collect();
    let newer = [project].into_iter().chain(checkout).collect();
    let older = LockedSide { lock: old, projects: older, cache, hint: CHECK_OUT };
    let newer = LockedSide { lock, projects: newer, cache, hint: SYNC };
    for (before, after) in pairs(old.skills.iter().collect(), lock.skills.iter().collect()) {
        let files = || Ok([older.files(before)?, newer.files(after)?]);
        comparison.add([older.skill(before), newer.skill(after)], context, files)?;
    }
    Ok(comparison)
}

/// Returns every source that differs. Added and removed skills are reported as skills.
fn sources(old: &Lock, new: &Lock) -> Vec<Value> {
    let keys: BTreeSet<&SourceKey> = old.sources.keys().chain(new.sources.keys()).collect();
    let mut changed = Vec::new();
    for key in keys {
        let [before, after] = [old, new].map(|lock| {
            let mut source = lock.sources.get(key).cloned()?;
            source.directories = None;
            Some(source)
        });
        if before == after {
            continue;
        }
        let (kind, fields) = match (&before, &after) {
            (None, _) => ("added", Vec::new()),
            (_, None) => ("removed", Vec::new()),
            (Some(before), Some(after)) => ("changed", before.entry.changed_keys(&after.entry)),
        };
        changed.push(json!({
            "source": key.as_str(),
            "change": kind,
            "fields": fields,
            "before": entry(key, before),
            "after": entry(key, after),
        }));
    }
    changed
}

/// Returns a source as in the lockfile.
fn entry(key: &SourceKey, source: Option<LockedSource>) -> Option<Value> {
    let mut lock = Lock::default();
    lock.sources.insert(key.clone(), source?);
    let mut document: Value = serde_json::from_str(&lock.to_string()).unwrap_or_default();
    Some(document["sources"][key.as_str()].take())
}

/// Pairs the skills of two lockfiles: by name, else by source and directory, else by their bytes.
/// Sorted by the newest name.
pub(super) fn pairs<'a>(
    mut old: Vec<(&'a SkillName, &'a LockedSkill)>,
    mut new: Vec<(&'a SkillName, &'a LockedSkill)>,
) -> Vec<(NamedSkill<'a>, NamedSkill<'a>)> {
    type Skill<'a> = (&'a SkillName, &'a LockedSkill);
    let mut pairs: Vec<(NamedSkill<'a>, NamedSkill<'a>)> = Vec::new();
    let same_name = |a: Skill<'_>, b: Skill<'_>| a.0 == b.0;
    let same_place =
        |a: Skill<'_>, b: Skill<'_>| (&a.1.source, &a.1.path) == (&b.1.source, &b.1.path);
    let same_bytes = |a: Skill<'_>, b: Skill<'_>| a.1.integrity == b.1.integrity;
    for is_same in [&same_name as &dyn Fn(Skill<'_>, Skill<'_>) -> bool, &same_place, &same_bytes] {
        old.retain(|before| match new.iter().position(|after| is_same(*before, *after)) {
            Some(at) => {
                pairs.push((Some(*before), Some(new.remove(at))));
                false
            }
            None => true,
        });
    }
    pairs.extend(old.into_iter().map(|before| (Some(before), None)));
    pairs.extend(new.into_iter().map(|after| (None, Some(after))));
    pairs.sort_by_key(|(before, after)| after.or(*before).map(|(name, _)| name));
    pairs
}
