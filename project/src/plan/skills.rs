//! What a sync does with the skills of a project: a function of what the sources, the store and the
//! cache have.

use super::skill::{Arrival, SkillPlan};
use crate::manifest::{Lock, LockedSource, Source};
use crate::{
    Error, ErrorKind,
    candidate::{SourceSkill, locked_name},
    contents::{Contents, show_place},
    difference::Difference,
    directory::PathSkills,
    entries::is_locked,
    error::ErrorsBySource,
    facts::SkillFacts,
    fetch::{Fetched, FetchedKind, MissingSkill},
    invisible_text::{self, Scanned},
    notes::Notes,
    state::name_drift,
    store::StoredState,
    upstream::Upstream,
};
use helix_skills_format::{Allow, DirPath, LockedSkill, SkillName, SourceKey};
use std::{collections::BTreeMap, path::PathBuf};

/// The new lockfile and store of a sync, as far as they are known.
#[derive(Default)]
pub(crate) struct Plan {
    pub(crate) sources: BTreeMap<SourceKey, LockedSource>,
    pub(crate) skills: Vec<(SkillName, SkillPlan)>,
    pub(crate) upstream: BTreeMap<SourceKey, Upstream>,
    pub(crate) notes: Notes,
    pub(crate) problems: Vec<Error>,
    /// The key of `exclude` that leaves out each skill of a source that was read, by its directory.
    pub(super) exclude: BTreeMap<SourceKey, BTreeMap<DirPath, String>>,
    /// Locked skills that are fetched later, by another process.
    pub(crate) deferred: Vec<SkillName>,
}

impl Plan {
    /// Adds the skills of a `path` source.
    pub(crate) fn add_own(
        &mut self,
        (key, source): (&SourceKey, &Source),
        found: PathSkills,
        old: &Lock,
    ) {
        // As for the skills themselves, warnings are repeated only after a change.
        let is_same_skill =
            |skill: &SourceSkill| old.skills.get(&skill.name) == Some(&skill.locked);
        let is_unchanged = is_locked(key, source, old)
            && old.skills_of(key).count() == found.skills.len()
            && found.skills.iter().all(is_same_skill);
        self.notes.lines(is_unchanged).extend(found.warnings);
        self.sources.insert(key.clone(), LockedSource::new(source.clone()));
        self.notes
            .details
            .extend(found.excluded.into_iter().map(|path| format!("excluded {path}")));
        for resolved in found.skills {
            if found.converted.contains_key(&resolved.name) {
                let hint = Difference::OwnLineEnds.hint();
                self.notes.warn(format!(
                    "the skill `{}` was changed only in its line endings; {hint}",
                    resolved.name
                ));
            }
            self.add(resolved, true, old);
        }
    }

    /// Adds a skill whose files have been read. With `in_place`, they are not copied to the store.
    fn add(&mut self, resolved: SourceSkill, in_place: bool, old: &Lock) {
        // Facts about locked files were reported when they were locked.
        let is_known = old
            .skills
            .get(&resolved.name)
            .is_some_and(|locked| locked.integrity == resolved.locked.integrity);
        let facts =
            (!is_known).then(|| SkillFacts::new(&resolved.skill, resolved.contents.files()));
        // `skills validate` prints those of unchanged skills.
        self.notes.lines(is_known).extend(resolved.warnings);
        let contents = if in_place { Contents::default() } else { resolved.contents };
        let arrival = Arrival { listing: resolved.listing, contents, cache: !in_place };
        let skill = SkillPlan {
            skill: Some(resolved.skill),
            facts,
            ..SkillPlan::locked(resolved.locked, Some(arrival), resolved.invisible)
        };
        self.skills.push((resolved.name, skill));
    }

    /// Adds a locked skill if the store has its files, or the lockfile has them in a directory of
    /// the project. Otherwise returns how the store differs; not at all if it has no files.
    pub(crate) fn add_stored(
        &mut self,
        name: &SkillName,
        locked: &LockedSkill,
        stored: StoredState,
    ) -> Option<Vec<(PathBuf, Difference)>> {
        let mut skill = SkillPlan::locked(locked.clone(), None, Vec::new());
        match stored {
            StoredState::Whole(stored) => {
                (skill.locked.files, skill.locked.bytes) = (stored.files, stored.bytes);
                skill.locked.executable = stored.executable;
                (skill.modes, skill.invisible) = (stored.modes, stored.invisible);
                // They were printed when the skill was locked.
                self.notes.details.extend(stored.warnings);
            }
            StoredState::Listed => {}
            StoredState::Absent => return Some(Vec::new()),
            StoredState::Differs(found) => return Some(found),
        }
        self.skills.push((name.clone(), skill));
        None
    }

    /// Adds the answer to a request.
    pub(crate) fn receive(&mut self, Fetched { key, kind }: Fetched, old: &Lock) {
        match kind {
            FetchedKind::Resolved { source, skills, errors, exclude, upstream } => {
                self.problems.extend(errors);
                self.exclude.insert(key.clone(), exclude);
                self.upstream.extend(upstream.map(|upstream| (key.clone(), upstream)));
                for skill in skills {
                    self.add(skill, false, old);
                }
                self.sources.insert(key, *source);
            }
            FetchedKind::Restored(restored) => {
                for (needed, contents) in restored {
                    self.restore(needed, contents);
                }
            }
            FetchedKind::Deferred(skills) => {
                for MissingSkill { name, locked, .. } in skills {
                    self.deferred.push(name.clone());
                    self.skills.push((name, SkillPlan::locked(locked, None, Vec::new())));
                }
            }
            FetchedKind::Unmoved => {}
        }
    }

    /// Adds a fetched skill after verifying that it has the locked files.
    fn restore(&mut self, needed: MissingSkill, contents: Contents) {
        let MissingSkill { name, locked, cached } = needed;
        let found = contents.listing().integrity();
        if found != locked.integrity {
            let place = show_place(&locked.source, &locked.path);
            return self.problems.push(Error::integrity(&name, (&place, &locked), found));
        }
        self.skills.push((name, SkillPlan::arriving(locked, contents, cached.is_none())));
    }

    /// Checks all skills for invisible text, and the manifest's `allow` for unused entries.
    /// Harmless marks are warnings when the skill is locked.
    pub(crate) fn check_invisible_text(&mut self, allow: &Allow) {
        let skills = self.skills.iter().map(|(name, SkillPlan { locked, invisible, .. })| {
            let source = self.sources.get(&locked.source).map(|source| &source.entry);
            let is_own = source.is_some_and(|source| source.directory().is_some());
            // Deferred skills are checked when they are fetched.
            let found = Some(invisible.as_slice()).filter(|_| !self.deferred.contains(name));
            Scanned { name, locked, is_own, found }
        });
        let skills: Vec<_> = skills.collect();
        let (refused, unused) = invisible_text::check(allow, &skills);
        for ((_, SkillPlan { facts, .. }), skill) in self.skills.iter().zip(&skills) {
            let lines = invisible_text::warnings(allow, *skill);
            self.notes.lines(facts.is_none()).extend(lines);
        }
        self.problems.extend(refused);
        self.notes.warnings.extend(unused);
    }

    /// Checks that the locked names of restored skills follow from their files, and that names are
    /// unique on all file systems, which may ignore case or normalize Unicode.
    pub(crate) fn check_names(&mut self, old: &Lock) -> Result<(), Error> {
        self.skills.sort_by_cached_key(|(name, SkillPlan { locked, .. })| {
            (name.clone(), locked.source.clone(), locked.path.clone())
        });
        let mut by_name: BTreeMap<String, Vec<(&SkillName, &LockedSkill)>> = BTreeMap::new();
        for (name, wanted) in &self.skills {
            by_name.entry(name.folded()).or_default().push((name, &wanted.locked));
        }
        let mut errors = ErrorsBySource::default();
        for mut skills in by_name.into_values().filter(|skills| skills.len() > 1) {
            // The hint renames the last one, and a locked skill should keep its name.
            skills.sort_by_key(|(name, locked)| {
                let before = old.skills.get(*name);
                before.is_none_or(|it| (&it.source, &it.path) != (&locked.source, &locked.path))
            });
            let (name, first) = skills[0];
            errors.for_source(&first.source).add("same-name", ErrorKind::Usage, || {
                let place =
                    |(_, locked): &(_, &LockedSkill)| (locked.source.clone(), locked.path.clone());
                Error::same_name(name, skills.iter().map(place).collect())
            });
        }
        let restored = self.skills.iter().filter(|(_, wanted)| wanted.skill.is_none());
        let misnamed = restored.filter_map(|(name, SkillPlan { locked, arrival, .. })| {
            let file = arrival.as_ref()?.contents.skill_md()?;
            let own = locked_name(&self.sources, (name, locked), file).map(|(own, _)| own);
            let drift = name_drift(&self.sources, (name, locked), own.as_ref())?;
            let key = &locked.source;
            Some(drift.with_hint(format!(
                "restore the lockfile from version control, or run `skills update {key}`"
            )))
        });
        Error::unless_empty(errors.into_vec().into_iter().chain(misnamed).collect())
    }
}
