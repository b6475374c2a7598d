//! Compares the lockfile with the repositories of its sources.

use crate::manifest::{Lock, LockedSource};
use crate::{
    Error, SourceStatus,
    fetch::{FetchKind, FetchRequest},
    plan::Plan,
};
use helix_skills_format::{__internal::listed_all, LockedSkill, ObjectId, SkillName, SourceKey};
use std::collections::BTreeMap;

/// Returns a request for what the locked entry of a source selects in the locked commit.
///
/// It does not have the locked directories, so that only the entry decides.
pub(crate) fn request(key: &SourceKey, locked: &LockedSource) -> FetchRequest {
    FetchRequest {
        key: key.clone(),
        source: locked.entry.clone(),
        kind: FetchKind::Resolve { known: Some(locked.clone()), before: None },
        why: "`--upstream` reads its repository".into(),
    }
}

/// Returns how the lockfile differs from the sources and skills of a plan. A source that was locked
/// by an earlier version may select further skills.
pub(crate) fn differences(lock: &Lock, found: &Plan) -> Vec<Error> {
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
/// `executable`.
fn other_fields(locked: &LockedSkill, found: &LockedSkill) -> Vec<&'static str> {
    let fields = [
        ("path", locked.path != found.path),
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
    let Some(within) = within else { return Vec::new() };
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
    pairs.into_iter().filter_map(note).collect()
}
