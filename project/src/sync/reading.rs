//! Reading what the sources, the store, the cache and the network have for a [`Plan`], and checking
//! it.

use super::{
    FetchKind, FetchRequest, Fetched, MissingSkill, SyncInputs, apply,
    plan::{Arrival, Plan, Wanted},
};
use crate::manifest::{Lock, LockedSource, Manifest, ManifestBudget, PathSource, Source};
use crate::{
    Error, ErrorKind, Progress, ProgressEvent, audit, budget,
    cache::Cache,
    candidate::{SourceSkill, locked_warnings},
    contents::{Contents, FileRules, leftovers_kept, show_place},
    difference::Difference,
    directory::PathSkills,
    error::ErrorsBySource,
    invisible_text, parallel,
    paths::ProjectPaths,
    state::{converted, stored_drift},
    store::{self, StoredState},
};
use helix_skills_format::{
    __internal::one_line_chain, Allow, Limits, LockedSkill, SkillMd, SkillName, SourceKey,
};
use std::{borrow::Cow, collections::BTreeMap};

impl Plan {
    /// Adds the skills of a `path` source.
    pub(super) fn add_own(
        &mut self,
        project: &ProjectPaths,
        (key, source): (&SourceKey, &PathSource),
        found: PathSkills,
        old: &Lock,
    ) {
        let locked = LockedSource::new(Source::Path(source.clone()));
        let is_same_entry = old.sources.get(key).is_some_and(|before| before.entry == locked.entry);
        // As for the skills themselves, warnings are repeated only after a change.
        let is_same_skill =
            |skill: &SourceSkill| old.skills.get(&skill.name) == Some(&skill.locked);
        let is_unchanged = is_same_entry
            && old.skills_of(key).count() == found.skills.len()
            && found.skills.iter().all(is_same_skill);
        let lines = if is_unchanged { &mut self.details } else { &mut self.warnings };
        lines.extend(found.warnings);
        self.sources.insert(key.clone(), locked);
        self.details.extend(found.excluded.into_iter().map(|path| format!("excluded {path}")));
        for resolved in found.skills {
            let before = old.skills.get(&resolved.name);
            let converted =
                before.map(|locked| converted(project, &resolved.name, locked, &resolved));
            if converted.is_some_and(|paths| !paths.is_empty()) {
                let hint = Difference::OwnLineEnds.hint();
                self.warnings.push(format!(
                    "the skill `{}` was changed only in its line endings; {hint}",
                    resolved.name
                ));
            }
            self.add(resolved, true, old);
        }
    }

    /// Adds a skill whose files have been read. With `in_place`, they are not copied to the store.
    fn add(&mut self, resolved: SourceSkill, in_place: bool, old: &Lock) {
        // Notes on locked files were reported when they were locked.
        let is_known = old
            .skills
            .get(&resolved.name)
            .is_some_and(|locked| locked.integrity == resolved.locked.integrity);
        let audited = (!is_known).then(|| audit::scan(&resolved.contents));
        // `skills validate` prints those of unchanged skills.
        let lines = if is_known { &mut self.details } else { &mut self.warnings };
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
                audited,
            },
        ));
    }

    /// Returns the files of a skill if the cache has them. An unreadable cache is a warning.
    fn cached(&mut self, cache: &Cache, skill: &LockedSkill) -> Option<Contents> {
        cache.get(skill.integrity, skill.bytes).unwrap_or_else(|error| {
            let warning = format!("the cache is ignored: {}", one_line_chain(&error));
            // The warning may be the same for every skill.
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
            None
        })
    }

    /// Adds a source whose pin is locked. Its skills come from the store, the cache or the network,
    /// in this order.
    pub(super) fn keep(
        &mut self,
        work: &SyncInputs<'_>,
        limits: Limits,
        (key, source, locked): (&SourceKey, &Source, &LockedSource),
        old: &Lock,
        requests: &mut Vec<(FetchRequest, Cow<'static, str>)>,
    ) -> Result<(), Error> {
        let SyncInputs { project, cache, mode, .. } = *work;
        self.sources.insert(key.clone(), locked.clone());
        let skills: Vec<_> = old.skills_of(key).collect();
        let states = parallel::map(skills.clone(), |(name, skill)| {
            let state = store::state(project, name, skill)?;
            let warnings = match &state {
                StoredState::Whole(stored) => {
                    let file = stored.skill_md.as_ref();
                    file.map(|file| locked_warnings(name, skill, file)).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            Ok::<_, Error>((state, warnings))
        });
        let rules = FileRules::new(source.select(), limits)?;
        let (mut needed, mut leftovers) = (Vec::new(), Vec::new());
        for ((name, skill), state) in skills.into_iter().zip(states) {
            let mut skill = skill.clone();
            let (state, warnings) = state?;
            // They were printed when the skill was locked.
            self.details.extend(warnings);
            if !mode.restore && matches!(state, StoredState::Differs(_)) {
                // Reported before anything is fetched for the skill.
                let edits = apply::edits_of_locked(project, name, &skill, &self.pending)?;
                if !edits.is_empty() {
                    self.errors.extend(edits);
                    continue;
                }
            }
            let mut modes = Vec::new();
            let (arrival, invisible) = match state {
                StoredState::Whole(stored) => {
                    if mode.locked {
                        self.errors.extend(stored_drift(name, &skill, &stored));
                    }
                    leftovers.extend(rules.leftovers(&skill.path, &stored.listing));
                    (skill.files, skill.bytes) = (stored.files, stored.bytes);
                    skill.executable = stored.executable;
                    modes = stored.modes;
                    (None, stored.invisible)
                }
                StoredState::Absent | StoredState::Differs(_) => match self.cached(cache, &skill) {
                    Some(contents) => {
                        let contents = contents.with_executable(skill.executable.as_ref());
                        let invisible = invisible_text::find(&contents);
                        let listing = contents.listing();
                        (
                            Some(Arrival { listing, contents: Some(contents), cache: false }),
                            invisible,
                        )
                    }
                    None => {
                        needed.push(MissingSkill { name: name.clone(), locked: skill });
                        continue;
                    }
                },
            };
            let wanted =
                Wanted { locked: skill, arrival, modes, skill: None, invisible, audited: None };
            self.skills.push((name.clone(), wanted));
        }
        self.details.extend(leftovers_kept(key, &leftovers));
        if !needed.is_empty() {
            let kind = FetchKind::Locked { locked: locked.clone(), needed };
            let request = FetchRequest { key: key.clone(), source: source.clone(), kind };
            let why = "neither the store nor the cache has the locked files";
            requests.push((request, why.into()));
        }
        Ok(())
    }

    /// Makes the requests, each with the reason for it. Returns the sources whose pins have not
    /// moved.
    pub(super) fn fetch(
        &mut self,
        work: &SyncInputs<'_>,
        manifest: &Manifest,
        old: &Lock,
        requests: Vec<(FetchRequest, Cow<'static, str>)>,
    ) -> Vec<SourceKey> {
        let mut unmoved = Vec::new();
        if requests.is_empty() {
            return unmoved;
        }
        // A local repository does not need the network.
        let (allowed, refused): (Vec<_>, Vec<_>) = requests
            .into_iter()
            .partition(|(request, _)| !work.mode.offline || request.starts_offline());
        self.errors.extend(refused.iter().map(|(request, why)| {
            let skills: Vec<_> = request.needed().iter().map(|needed| &needed.name).collect();
            Error::offline(&request.key, &skills, why)
        }));
        if !refused.is_empty() {
            return unmoved;
        }
        let allowed = allowed.into_iter().map(|(request, _)| request).collect();
        for result in work.remote.fetch(work.project, manifest.limits, allowed) {
            match result {
                Ok(fetched) => {
                    report(work.progress, &fetched);
                    unmoved.extend(fetched.is_unmoved.then(|| fetched.key.clone()));
                    self.receive(fetched, old);
                }
                Err(errors) => self.errors.extend(errors),
            }
        }
        unmoved
    }

    fn receive(&mut self, fetched: Fetched, old: &Lock) {
        self.warnings.extend(fetched.warnings);
        self.details.extend(fetched.details);
        if let Some(upstream) = fetched.upstream {
            self.upstream.insert(fetched.key.clone(), upstream);
        }
        if let Some(mut source) = fetched.resolved {
            source.directories =
                Some(fetched.skills.iter().map(|skill| skill.locked.path.clone()).collect());
            self.sources.insert(fetched.key, source);
        }
        for resolved in fetched.skills {
            self.add(resolved, false, old);
        }
        for MissingSkill { name, locked } in fetched.deferred {
            self.deferred.push(name.clone());
            let (modes, invisible) = (Vec::new(), Vec::new());
            self.skills.push((
                name,
                Wanted { locked, arrival: None, modes, skill: None, invisible, audited: None },
            ));
        }
        for (needed, contents) in fetched.restored {
            self.restore(needed, contents);
        }
    }

    /// Adds a fetched skill after verifying that it has the locked files.
    fn restore(&mut self, needed: MissingSkill, contents: Contents) {
        let MissingSkill { name, locked } = needed;
        let listing = contents.listing();
        if listing.integrity() != locked.integrity {
            let place = show_place(&locked.source, &locked.path);
            let found = listing.integrity();
            self.errors.push(Error::integrity(&name, &place, locked.integrity, found));
            return;
        }
        let contents = contents.with_executable(locked.executable.as_ref());
        let invisible = invisible_text::find(&contents);
        let arrival = Some(Arrival { listing, contents: Some(contents), cache: true });
        let wanted =
            Wanted { locked, arrival, modes: Vec::new(), skill: None, invisible, audited: None };
        self.skills.push((name, wanted));
    }

    /// Checks all skills for invisible text, and the manifest's `allow` for unused entries.
    pub(super) fn check_invisible_text(&mut self, allow: &Allow) {
        let mut refused = ErrorsBySource::default();
        for (name, wanted) in &self.skills {
            let key = &wanted.locked.source;
            let source = self.sources.get(key).map(|source| &source.entry);
            invisible_text::refuse(
                allow,
                source,
                (name, &wanted.locked),
                &wanted.invisible,
                refused.for_source(key),
            );
        }
        self.errors.extend(refused.into_vec());
        for (name, wanted) in &mut self.skills {
            if let Some(audited) = &mut wanted.audited {
                audit::apply_allow(audited, allow, name);
            }
        }
        // Deferred skills are checked when they are fetched.
        let checked = self.skills.iter().filter(|(name, _)| !self.deferred.contains(name));
        let found = checked.map(|(name, wanted)| (name, wanted.invisible.clone())).collect();
        self.warnings.extend(invisible_text::unused_allows(
            allow,
            self.skills.iter().map(|(name, _)| name),
            &found,
        ));
    }

    /// Checks that names are unique on all file systems, which may ignore case or normalize
    /// Unicode.
    pub(super) fn check_names(&mut self) -> Result<(), Error> {
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
        for skills in by_name.into_values().filter(|skills| skills.len() > 1) {
            let (name, first) = skills[0];
            errors.for_source(&first.source).add("same-name", ErrorKind::Usage, || {
                let place =
                    |(_, locked): &(_, &LockedSkill)| (locked.source.clone(), locked.path.clone());
                Error::same_name(name, skills.iter().map(place).collect())
            });
        }
        Error::unless_empty(errors.into_vec())
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
                        Ok(parsed) => parsed.skill,
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
fn report(progress: &dyn Progress, fetched: &Fetched) {
    let key = &fetched.key;
    if let Some(source) = &fetched.resolved {
        progress.on(&ProgressEvent::Resolved { key, commit: source.commit.as_ref() });
    }
    let resolved = fetched.skills.iter().map(|skill| (&skill.name, &skill.locked));
    let restored = fetched.restored.iter().map(|(needed, _)| (&needed.name, &needed.locked));
    for (name, LockedSkill { files, bytes, .. }) in resolved.chain(restored) {
        progress.on(&ProgressEvent::Fetched { key, skill: name, files: *files, bytes: *bytes });
    }
}
