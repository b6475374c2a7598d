//! Filling a [`Draft`] with what the sources, the store, the cache and the network have, and
//! checking it.

use super::{
    SyncInputs, apply,
    draft::{Arrival, Draft, Wanted},
};
use crate::manifest::{Lock, LockedSource, ManifestBudget, Source};
use crate::{
    Error, ErrorKind, Progress, ProgressEvent, budget,
    cache::Cache,
    candidate::{SourceSkill, locked_name},
    contents::{Contents, FileRules, leftovers_kept, show_place},
    difference::Difference,
    directory::PathSkills,
    error::ErrorsBySource,
    facts::SkillFacts,
    fetch::{FetchKind, FetchRequest, Fetched, FetchedKind, LockedRequest, MissingSkill, is_local},
    invisible_text::{self, Scanned},
    paths::ProjectPaths,
    state::{StoredSkills, converted, name_drift},
    store::StoredState,
};
use helix_skills_format::{
    __internal::{listed, one_line_chain},
    Allow, Limits, LockedSkill, SkillMd, SkillName, SourceKey,
};
use std::collections::BTreeMap;

/// Maximum number of skills that a warning lists.
const MAX_LISTED: usize = 3;

impl Draft {
    /// Adds the skills of a `path` source.
    pub(super) fn add_own(
        &mut self,
        project: &ProjectPaths,
        (key, source): (&SourceKey, &Source),
        found: PathSkills,
        old: &Lock,
    ) {
        let locked = LockedSource::new(source.clone());
        let is_same_entry = old.sources.get(key).is_some_and(|before| before.entry == locked.entry);
        // As for the skills themselves, warnings are repeated only after a change.
        let is_same_skill =
            |skill: &SourceSkill| old.skills.get(&skill.name) == Some(&skill.locked);
        let is_unchanged = is_same_entry
            && old.skills_of(key).count() == found.skills.len()
            && found.skills.iter().all(is_same_skill);
        let Self { notes, .. } = self;
        let lines = if is_unchanged { &mut notes.details } else { &mut notes.warnings };
        lines.extend(found.warnings);
        self.sources.insert(key.clone(), locked);
        self.notes
            .details
            .extend(found.excluded.into_iter().map(|path| format!("excluded {path}")));
        for resolved in found.skills {
            let before = old.skills.get(&resolved.name);
            let converted =
                before.map(|locked| converted(project, &resolved.name, locked, &resolved));
            if converted.is_some_and(|paths| !paths.is_empty()) {
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
        let Self { notes, .. } = self;
        let lines = if is_known { &mut notes.details } else { &mut notes.warnings };
        lines.extend(resolved.warnings);
        let contents = (!in_place).then_some(resolved.contents);
        let arrival = Arrival { listing: resolved.listing, contents, cache: !in_place };
        self.skills.push((
            resolved.name,
            Wanted {
                locked: resolved.locked,
                arrival: Some(arrival),
                modes: Vec::new(),
                skill: Some(resolved.skill),
                invisible: resolved.invisible,
                facts,
            },
        ));
    }

    /// Returns the files of a skill if the cache has them. An unreadable cache is a warning.
    fn cached(&mut self, cache: &Cache, skill: &LockedSkill) -> Option<Contents> {
        cache.get(skill.integrity, skill.bytes).unwrap_or_else(|error| {
            let warning = format!("the cache is ignored: {}", one_line_chain(&error));
            // The warning may be the same for every skill.
            if !self.notes.warnings.contains(&warning) {
                self.notes.warn(warning);
            }
            None
        })
    }

    /// Adds a source whose pin is locked. Returns the request for the skills that are not in the
    /// store.
    ///
    /// The request also verifies the files of the cache. Only offline, and for a custom source,
    /// which has no commit to compare with, they are used without a request.
    pub(super) fn keep(
        &mut self,
        work: &SyncInputs<'_>,
        limits: Limits,
        stored: &mut StoredSkills,
        (key, source): (&SourceKey, &Source),
        lock: &Lock,
    ) -> Result<Option<FetchRequest>, Error> {
        let SyncInputs { project, cache, mode, .. } = *work;
        let Some(locked) = lock.sources.get(key) else { return Ok(None) };
        self.sources.insert(key.clone(), locked.clone());
        let rules = FileRules::new(&source.select, limits)?;
        let is_asked = source.repository().is_some()
            && (!mode.offline || is_local(source, locked.skills_url()));
        let (mut needed, mut leftovers, mut unasked) = (Vec::new(), Vec::new(), Vec::new());
        for (name, skill) in lock.skills_of(key) {
            let mut skill = skill.clone();
            let stored = stored.remove(name).unwrap_or(Ok(StoredState::Absent))?;
            if !mode.restore && matches!(stored, StoredState::Differs(_)) {
                // Reported before anything is fetched for the skill.
                let edits = apply::edits_of_locked(project, name, &skill, &self.pending)?;
                if !edits.is_empty() {
                    self.errors.extend(edits);
                    continue;
                }
            }
            let wanted = match stored {
                StoredState::Whole(stored) => {
                    leftovers.extend(rules.leftovers(&skill.path, &stored.listing));
                    // They were printed when the skill was locked.
                    self.notes.details.extend(stored.warnings);
                    (skill.files, skill.bytes) = (stored.files, stored.bytes);
                    skill.executable = stored.executable;
                    let modes = stored.modes;
                    Wanted { modes, ..Wanted::locked(skill, None, stored.invisible) }
                }
                _ => match self.cached(cache, &skill) {
                    Some(contents) if !is_asked => {
                        unasked.push(name);
                        Self::arriving(skill, contents, false)
                    }
                    cached => {
                        needed.push(MissingSkill { name: name.clone(), locked: skill, cached });
                        continue;
                    }
                },
            };
            self.skills.push((name.clone(), wanted));
        }
        self.notes.details.extend(leftovers_kept(key, &leftovers));
        if let (Some(commit), false) = (locked.skills_commit(), unasked.is_empty()) {
            self.notes.warn(format!(
                "the source `{key}`: {} from the cache, without asking for the commit {commit} (`--offline` or `--frozen`): only the integrity was verified",
                listed(unasked, MAX_LISTED)
            ));
        }
        Ok((!needed.is_empty()).then(|| FetchRequest {
            key: key.clone(),
            source: source.clone(),
            kind: FetchKind::Locked(LockedRequest { locked: locked.clone(), needed }),
            why: "neither the store nor the cache has the locked files".into(),
        }))
    }

    /// Returns the record of a locked skill whose files were not in the store. `is_new` is whether
    /// they are added to the cache.
    fn arriving(locked: LockedSkill, contents: Contents, is_new: bool) -> Wanted {
        let contents = contents.with_executable(locked.executable.as_ref());
        let (invisible, listing) = (invisible_text::find(&contents), contents.listing());
        let arrival = Arrival { listing, contents: Some(contents), cache: is_new };
        Wanted::locked(locked, Some(arrival), invisible)
    }

    /// Makes the requests. Returns the sources whose pins have not moved.
    pub(super) fn fetch(
        &mut self,
        work: &SyncInputs<'_>,
        limits: Limits,
        requests: Vec<FetchRequest>,
        old: &Lock,
    ) -> Vec<SourceKey> {
        let mut unmoved = Vec::new();
        if work.mode.offline {
            // A local repository does not need the network.
            let refused = requests.iter().filter(|request| !request.starts_offline());
            let refused: Vec<Error> = refused.map(FetchRequest::refusal).collect();
            if !refused.is_empty() {
                self.errors.extend(refused);
                return unmoved;
            }
        }
        if requests.is_empty() {
            return unmoved;
        }
        for result in work.remote.fetch(work.project, limits, requests, &mut self.notes) {
            match result {
                Ok(Fetched { key, kind: FetchedKind::Unmoved }) => unmoved.push(key),
                Ok(fetched) => {
                    report(work.progress, &fetched);
                    self.receive(fetched, old);
                }
                Err(errors) => self.errors.extend(errors),
            }
        }
        unmoved
    }

    fn receive(&mut self, Fetched { key, kind }: Fetched, old: &Lock) {
        match kind {
            FetchedKind::Resolved { mut source, skills, upstream } => {
                source.directories =
                    Some(skills.iter().map(|skill| skill.locked.path.clone()).collect());
                self.upstream.extend(upstream.map(|upstream| (key.clone(), upstream)));
                self.sources.insert(key, *source);
                for skill in skills {
                    self.add(skill, false, old);
                }
            }
            FetchedKind::Restored(restored) => {
                for (needed, contents) in restored {
                    self.restore(needed, contents);
                }
            }
            FetchedKind::Deferred(skills) => {
                for MissingSkill { name, locked, .. } in skills {
                    self.deferred.push(name.clone());
                    self.skills.push((name, Wanted::locked(locked, None, Vec::new())));
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
            self.errors.push(Error::integrity(
                &locked.source,
                &name,
                &place,
                locked.integrity,
                found,
            ));
            return;
        }
        self.skills.push((name, Self::arriving(locked, contents, cached.is_none())));
    }

    /// Checks all skills for invisible text, and the manifest's `allow` for unused entries.
    pub(super) fn check_invisible_text(&mut self, allow: &Allow) {
        let skills = self.skills.iter().map(|(name, Wanted { locked, invisible, .. })| {
            let source = self.sources.get(&locked.source).map(|source| &source.entry);
            let is_own = source.is_some_and(|source| source.directory().is_some());
            // Deferred skills are checked when they are fetched.
            let found = Some(invisible.as_slice()).filter(|_| !self.deferred.contains(name));
            Scanned { name, locked, is_own, found }
        });
        let (refused, unused) = invisible_text::check(allow, &skills.collect::<Vec<_>>());
        self.errors.extend(refused);
        self.notes.warnings.extend(unused);
    }

    /// Checks that the locked names of restored skills follow from their files, and that names are
    /// unique on all file systems, which may ignore case or normalize Unicode.
    pub(super) fn check_names(&mut self, old: &Lock) -> Result<(), Error> {
        self.skills.sort_by(|a, b| {
            (&a.0, &a.1.locked.source, &a.1.locked.path).cmp(&(
                &b.0,
                &b.1.locked.source,
                &b.1.locked.path,
            ))
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
        let misnamed = restored.filter_map(|(name, Wanted { locked, arrival, .. })| {
            let file = arrival.as_ref()?.contents.as_ref()?.skill_md()?;
            let own = locked_name(name, locked, file).map(|(own, _)| own);
            let drift = name_drift(&self.sources, (name, locked), own.as_ref())?;
            let key = &locked.source;
            Some(drift.with_hint(format!(
                "restore the lockfile from version control, or run `skills update {key}`"
            )))
        });
        Error::unless_empty(errors.into_vec().into_iter().chain(misnamed).collect())
    }

    /// Checks the manifest's `budget`. Reads skills that are already in the store from there.
    pub(super) fn check_budget(
        &self,
        project: &ProjectPaths,
        lock: &Lock,
        budget: &ManifestBudget,
    ) -> Result<(), Error> {
        if *budget == ManifestBudget::default() {
            return Ok(());
        }
        let mut read = BTreeMap::new();
        for (name, wanted) in self.skills.iter().filter(|(name, _)| !self.deferred.contains(name)) {
            let arrived =
                wanted.arrival.as_ref().and_then(|arrival| arrival.contents.as_ref()?.skill_md());
            let skill = match (&wanted.skill, arrived) {
                (Some(skill), _) => skill.clone(),
                // An error in a locked skill was reported when it was locked.
                (None, Some(file)) => {
                    match SkillMd::parse_bytes(&file.bytes, Some(name), &file.path) {
                        Ok(parsed) => parsed.value,
                        Err(_) => continue,
                    }
                }
                (None, None) => project.read_skill(lock, name, &wanted.locked)?.1,
            };
            read.insert(name, skill);
        }
        Error::unless_empty(budget::overruns(
            budget,
            &read.iter().map(|(name, skill)| (*name, skill)).collect::<Vec<_>>(),
        ))
    }
}

/// Reports what was resolved and fetched.
fn report(progress: &dyn Progress, Fetched { key, kind }: &Fetched) {
    let report = |skill: &SkillName, LockedSkill { files, bytes, .. }: &LockedSkill| {
        progress.on(&ProgressEvent::Fetched { key, skill, files: *files, bytes: *bytes });
    };
    match kind {
        FetchedKind::Resolved { source, skills, .. } => {
            progress.on(&ProgressEvent::Resolved { key, commit: source.commit.as_ref() });
            skills.iter().for_each(|skill| report(&skill.name, &skill.locked));
        }
        FetchedKind::Restored(restored) => {
            restored.iter().for_each(|(needed, _)| report(&needed.name, &needed.locked));
        }
        FetchedKind::Deferred(_) | FetchedKind::Unmoved => {}
    }
}
