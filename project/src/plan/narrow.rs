//! Entries that select fewer skills than when they were locked, or allow other releases.

use crate::manifest::{Lock, Source};
use crate::{
    entries::{has_same_pin, selection_drift},
    selection::{empty_include, may_select},
};
use helix_skills_format::{__internal::path_key, SourceKey};
use std::collections::BTreeSet;

/// Returns the part of a lockfile that is about one source as it is if `source` is its entry, with
/// warnings, if the entry only selects fewer of the locked skills than before, or has another range
/// with the locked release. Then nothing has to be resolved. `changed` has the keys of the entry
/// that changed.
pub(super) fn narrowed(
    key: &SourceKey,
    source: &Source,
    changed: &[String],
    old: &Lock,
) -> Option<(Lock, Vec<String>)> {
    let locked = old.sources.get(key)?;
    let request = &locked.entry;
    let keeps_commit =
        |key: &String| matches!(key.as_str(), "include" | "exclude" | "rename" | "version");
    let is_consistent = has_same_pin(request, source)
        && changed.iter().all(keeps_commit)
        && selection_drift(key, request, old).is_empty();
    if !is_consistent {
        return None;
    }
    let (before, after) = (&request.select, &source.select);
    let mut keys = BTreeSet::new();
    for (_, skill) in old.skills_of(key) {
        keys.insert(request.directory_name(key, &skill.path).to_owned());
        keys.insert(path_key(&skill.path));
    }
    // Without `include`, skills that are not locked may be selected again.
    let selects_others = after.include.is_none()
        && (before.include.is_some() || !before.exclude.is_subset(&after.exclude));
    // A name that the source may not have needs a warning.
    let is_known = after.exclude.difference(&before.exclude).all(|name| keys.contains(name))
        && after.rename.keys().all(|name| before.rename.contains_key(name));
    if selects_others || !is_known {
        return None;
    }
    let mut narrowed = Lock::default();
    for (name, skill) in
        old.skills_of(key).filter(|(_, skill)| may_select(key, source, &skill.path))
    {
        let directory = request.directory_name(key, &skill.path);
        if before.new_name(directory, &skill.path) != after.new_name(directory, &skill.path) {
            return None;
        }
        narrowed.skills.insert(name.clone(), skill.clone());
    }
    let mut locked = locked.clone();
    locked.entry = source.clone();
    if let Some(directories) = &mut locked.directories {
        directories.retain(|path| may_select(key, source, path));
    }
    narrowed.sources.insert(key.clone(), locked);
    let is_empty = after.include.as_ref().is_some_and(BTreeSet::is_empty);
    let warnings = is_empty.then(|| empty_include(key)).into_iter().collect();
    selection_drift(key, source, &narrowed).is_empty().then_some((narrowed, warnings))
}
