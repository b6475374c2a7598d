//! Differences between two lockfiles, or between the lockfile and the store, as a document.
//!
//! [`Project::diff`](crate::Project::diff) and [`Project::diff_since`](crate::Project::diff_since)
//! return a [`Comparison`]: sources and skills that differ, the files of each skill, and the
//! changed lines of each file. Old bytes come from the store next to the old lockfile, the
//! project's store, `path` sources and the cache, and are used only if they have the locked digest.
//! Only the lines that will be shown are kept in memory.

mod files;
mod side;
mod stored;

pub(crate) use stored::with_store;

use crate::manifest::Lock;
use crate::{
    Error, cache::Cache, difference::Difference, paths::ProjectPaths, sync::has_same_files,
};
use helix_skills_format::{LockedSkill, SkillName, SourceKey};
use serde_json::{Value, json};
use side::{LockedSide, Side};
use std::collections::BTreeSet;

/// A skill of a lockfile, or of a source.
type Skill<'a> = (&'a SkillName, &'a LockedSkill);

/// A skill; `None` if a side does not have it.
type NamedSkill<'a> = Option<Skill<'a>>;

/// The warning if text is missing.
const CHECK_OUT: &str = "the text of a lockfile is neither in a store nor in the cache; for the new one, run `skills sync`; for the old one, check out its commit with `git worktree add DIR COMMIT` and pass the lockfile in DIR (if the store is not committed, first run `skills -C DIR sync --locked`)";

/// All differences between two sides. Sources and skills are as in the document of `skills diff
/// --json`.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// Sources that differ, by key.
    pub sources: Vec<Value>,
    /// Skills that differ, by their newest name. `change` is `added`, `removed`, `changed`,
    /// `renamed` or, if a skill comes from another source or directory, `moved`; the files of a
    /// renamed or moved skill may differ as well. `files` is null if the files of a side are
    /// unknown on this machine.
    pub skills: Vec<Value>,
    /// Skills of the lockfile without any file in the store. They do not count as differences,
    /// because the store need not be committed.
    pub absent: Vec<SkillName>,
    /// How to get text that is not on this machine, one line each.
    pub warnings: BTreeSet<String>,
    /// Sources that cannot be read.
    pub errors: Vec<Error>,
    /// The number of unchanged lines around each change.
    context: usize,
    /// The warning if text is missing; `PLACE` stands for the old directory of the skill.
    hint: &'static str,
}

impl Comparison {
    /// Returns whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.skills.is_empty()
    }

    /// Adds the skills that differ, sorted by their newest names. They are matched by name, else by
    /// source and directory, else by their bytes.
    fn add_skills<'a>(
        &mut self,
        [older, newer]: [&LockedSide<'_>; 2],
        (mut old, mut new): (Vec<Skill<'a>>, Vec<Skill<'a>>),
        new_files: impl Fn(Skill<'a>) -> Option<Side>,
    ) {
        let has_same_name = |a: Skill<'_>, b: Skill<'_>| a.0 == b.0;
        let is_in_same_place =
            |a: Skill<'_>, b: Skill<'_>| (&a.1.source, &a.1.path) == (&b.1.source, &b.1.path);
        let has_same_bytes = |a: Skill<'_>, b: Skill<'_>| a.1.integrity == b.1.integrity;
        let rules: [fn(Skill<'_>, Skill<'_>) -> bool; 3] =
            [has_same_name, is_in_same_place, has_same_bytes];
        let mut pairs: Vec<[NamedSkill<'a>; 2]> = Vec::new();
        for is_same in rules {
            old.retain(|before| match new.iter().position(|after| is_same(*before, *after)) {
                Some(at) => {
                    pairs.push([Some(*before), Some(new.remove(at))]);
                    false
                }
                None => true,
            });
        }
        pairs.extend(old.into_iter().map(|before| [Some(before), None]));
        pairs.extend(new.into_iter().map(|after| [None, Some(after)]));
        pairs.sort_by_key(|[before, after]| after.or(*before).map(|(name, _)| name));
        for [before, after] in pairs {
            let kind = match (before, after) {
                (None, _) => "added",
                (_, None) => "removed",
                (Some(before), Some(after)) if !has_same_name(before, after) => "renamed",
                (Some(before), Some(after)) if !is_in_same_place(before, after) => "moved",
                (Some(before), Some(after)) if has_same_files(before.1, after.1) => continue,
                _ => "changed",
            };
            let empty = || Some(Side::new());
            let sides = match before.zip(after) {
                Some((before, after)) if has_same_bytes(before, after) => [empty(), empty()],
                _ => [
                    before.map_or_else(empty, |before| older.files(before)),
                    after.map_or_else(empty, &new_files),
                ],
            };
            let skills = [older.document(before), newer.document(after)];
            self.add(kind, skills, None, sides);
        }
    }

    /// Adds a skill that differs; `listing` is the difference of its listing in the store.
    fn add(
        &mut self,
        kind: &str,
        [before, after]: [Value; 2],
        listing: Option<Difference>,
        [old, new]: [Option<Side>; 2],
    ) {
        let newest = if after.is_null() { &before } else { &after };
        let oldest = if before.is_null() { &after } else { &before };
        let places = [oldest, newest].map(|side| side["directory"].as_str().unwrap_or_default());
        let missing = json!({ "before": old.is_none(), "after": new.is_none() });
        let files = old.zip(new);
        let files = files.map(|(old, new)| files::compare(&old, &new, places, self.context));
        let is_unavailable = |file: &Value| file["shown"] == "unavailable";
        if files.as_ref().is_none_or(|files| files.iter().any(is_unavailable)) {
            self.warnings.insert(self.hint.replace("PLACE", places[0]));
        }
        self.skills.push(json!({
            "name": newest["name"],
            "change": kind,
            "before": before,
            "after": after,
            "listing": listing.map(Difference::code),
            "why": listing.map(|listing| listing.to_string()),
            "missing": files.is_none().then_some(missing),
            "files": files,
        }));
    }
}

/// Compares an old lockfile with the lockfile of a project. `checkout` is the project of the old
/// lockfile, if it is on this machine.
pub(crate) fn with_lock(
    (old, checkout): (&Lock, Option<&ProjectPaths>),
    (lock, project): (&Lock, &ProjectPaths),
    cache: &Cache,
    context: usize,
) -> Comparison {
    let mut comparison = Comparison { context, hint: CHECK_OUT, ..Comparison::default() };
    comparison.sources = sources(old, lock);
    let older = checkout.into_iter().chain([project]).collect();
    let newer = [project].into_iter().chain(checkout).collect();
    let older = LockedSide { lock: old, projects: older, cache };
    let newer = LockedSide { lock, projects: newer, cache };
    let skills = (old.skills.iter().collect(), lock.skills.iter().collect());
    comparison.add_skills([&older, &newer], skills, |after| newer.files(after));
    comparison
}

/// Returns every source that differs. Added and removed skills are reported as skills.
fn sources(old: &Lock, new: &Lock) -> Vec<Value> {
    let keys: BTreeSet<&SourceKey> = old.sources.keys().chain(new.sources.keys()).collect();
    let [was, is] = [old, new].map(side::as_json);
    let mut changed = Vec::new();
    for key in keys {
        let [before, after] = [old, new].map(|lock| {
            let mut source = lock.sources.get(key)?.clone();
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
            "before": was["sources"][key.as_str()],
            "after": is["sources"][key.as_str()],
        }));
    }
    changed
}
