//! Compares an old lockfile with the project's.

use super::{Comparison, NamedSkill, side::LockedSide, skills::Shown};
use crate::manifest::{Lock, LockedSource};
use crate::{Error, cache::Cache, paths::ProjectPaths};
use helix_skills_format::SourceKey;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The warning if text is missing.
const HINT: &str = "the text of a lockfile is neither in a store nor in the cache; for the new one, run `skills sync`; for the old one, check out its commit with `git worktree add DIR COMMIT` and pass the lockfile in DIR (if the store is not committed, first run `skills -C DIR sync --locked`)";

/// Compares an old lockfile with the lockfile of a project. `checkout` is the project of the old
/// lockfile, if it is on this machine.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn with_lock(
    (old, checkout): (&Lock, Option<&ProjectPaths>),
    (lock, project): (&Lock, &ProjectPaths),
    cache: &Cache,
    context: usize,
) -> Result<Comparison, Error> {
    let mut comparison = Comparison { sources: sources(old, lock), ..Comparison::default() };
    let older = checkout.into_iter().chain([project]).collect();
    let newer = [project].into_iter().chain(checkout).collect();
    let older = LockedSide { lock: old, projects: older, cache };
    let newer = LockedSide { lock, projects: newer, cache };
    let skills = (old.skills.iter().collect(), lock.skills.iter().collect());
    let files = |after: NamedSkill<'_>, warnings: &mut _| newer.files(after, warnings);
    comparison.add_skills([&older, &newer], skills, files, Shown { context, hint: HINT })?;
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
