//! Filling a [`Plan`] with what the store, the cache and the network have.

use super::{SyncInputs, apply, apply::Pending};
use crate::manifest::{Lock, ManifestBudget, Source};
use crate::{
    Error, budget,
    cache::Cache,
    contents::{Contents, FileRules},
    fetch::{FetchRequest, Fetched, FetchedKind, is_local},
    paths::ProjectPaths,
    plan::{FoundSkill, Plan},
    state::StoredSkills,
    store::StoredState,
};
use helix_skills_format::{
    __internal::{one_line_chain, skill_md::Rules},
    Limits, LockedSkill, SkillMd, SourceKey,
};
use std::collections::BTreeMap;

impl Plan {
    /// Looks for the skills of a source whose pin is locked, in the store and in the cache. Returns
    /// the request for the other ones.
    pub(super) fn keep_locked(
        &mut self,
        work: &SyncInputs<'_>,
        limits: Limits,
        (stored, pending): (&mut StoredSkills, &Pending),
        (key, source): (&SourceKey, &Source),
        lock: &Lock,
    ) -> Result<Option<FetchRequest>, Error> {
        let SyncInputs { project, cache, mode, .. } = *work;
        let Some(source_locked) = lock.sources.get(key) else { return Ok(None) };
        let mut found = Vec::new();
        for (name, locked) in lock.skills_of(key) {
            let stored = stored.remove(name).unwrap_or(Ok(StoredState::Absent))?;
            let edits = match stored {
                StoredState::Differs(_) if !mode.restore => {
                    apply::edits_of_locked(project, name, locked, pending)?
                }
                _ => Vec::new(),
            };
            let is_needed = edits.is_empty() && !matches!(stored, StoredState::Whole(_));
            let cached = if is_needed { self.cached(cache, locked) } else { None };
            found.push(FoundSkill { name, locked, stored, edits, cached });
        }
        let rules = FileRules::new(&source.select, limits)?;
        let is_asked = !mode.offline || is_local(source, source_locked.skills_url());
        Ok(self.keep(&rules, is_asked, (key, source), source_locked, found))
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
                self.problems.extend(refused);
                return unmoved;
            }
        }
        if requests.is_empty() {
            return unmoved;
        }
        for result in work.remote.fetch(work.project, limits, requests, &mut self.notes) {
            match result {
                Ok(Fetched { key, kind: FetchedKind::Unmoved }) => unmoved.push(key),
                Ok(fetched) => self.receive(fetched, old),
                Err(errors) => self.problems.extend(errors),
            }
        }
        unmoved
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
        for (name, plan) in self.skills.iter().filter(|(name, _)| !self.deferred.contains(name)) {
            let arrived = plan.arrival.as_ref().and_then(|arrival| arrival.contents.skill_md());
            let skill = match (&plan.skill, arrived) {
                (Some(skill), _) => skill.clone(),
                // An error in a locked skill was reported when it was locked.
                (None, Some(file)) => {
                    let rules = Rules::Fetched { name: Some(name) };
                    match SkillMd::parse_as(&file.bytes, Some(name), &file.path, rules) {
                        Ok(parsed) => parsed.value,
                        Err(_) => continue,
                    }
                }
                (None, None) => project.read_skill(lock, name, &plan.locked)?.1,
            };
            read.insert(name, skill);
        }
        Error::unless_empty(budget::overruns(budget, &read))
    }
}
