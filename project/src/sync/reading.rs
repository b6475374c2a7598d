//! Filling a [`Plan`] with what the store, the cache and the network have.

use super::{SyncInputs, apply, apply::Pending};
use crate::manifest::{Lock, ManifestBudget, Source};
use crate::{
    Error, budget,
    cache::Cache,
    contents::{Contents, FileRules, leftovers_kept},
    fetch::{FetchKind, FetchRequest, Fetched, FetchedKind, MissingSkill, is_local},
    paths::ProjectPaths,
    plan::{Plan, SkillPlan},
    state::StoredSkills,
    store::StoredState,
};
use helix_skills_format::{
    __internal::{listed, one_line_chain, skill_md::Rules},
    Limits, LockedSkill, SkillMd, SourceKey,
};
use std::collections::BTreeMap;

/// Maximum number of skills that a warning lists.
const MAX_LISTED: usize = 3;

impl Plan {
    /// Adds a source whose pin is locked, with its skills that the store or the cache has. Returns
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
        self.sources.insert(key.clone(), source_locked.clone());
        // A request also verifies the files of the cache. Only offline, they are used without one.
        let is_asked = !mode.offline || is_local(source, source_locked.skills_url());
        let rules = FileRules::new(&source.select, limits)?;
        let (mut needed, mut leftovers, mut unasked) = (Vec::new(), Vec::new(), Vec::new());
        for (name, locked) in lock.skills_of(key) {
            let stored = stored.remove(name).unwrap_or(Ok(StoredState::Absent))?;
            if let StoredState::Whole(stored) = &stored {
                leftovers.extend(rules.leftovers(&locked.path, &stored.listing));
            }
            let may_lose = matches!(stored, StoredState::Differs(_)) && !mode.restore;
            if self.add_stored(name, locked, stored).is_none() {
                continue;
            }
            if may_lose {
                let edits = apply::edits_of_locked(project, name, locked, pending)?;
                if !edits.is_empty() {
                    // Reported before anything is fetched for the skill.
                    self.problems.extend(edits);
                    continue;
                }
            }
            let (name, locked) = (name.clone(), locked.clone());
            match self.cached(cache, &locked) {
                Some(contents) if !is_asked => {
                    unasked.push(name.clone());
                    self.skills.push((name, SkillPlan::arriving(locked, contents, false)));
                }
                cached => needed.push(MissingSkill { name, locked, cached }),
            }
        }
        self.notes.details.extend(leftovers_kept(key, &leftovers));
        // The origin files prove the other ones, or a warning says that they do not.
        let keeps_origin = source.repository().is_some_and(|repository| repository.origin);
        if let (Some(commit), false) =
            (source_locked.skills_commit(), unasked.is_empty() || keeps_origin)
        {
            self.notes.warn(format!(
                "the source `{key}`: origin not proved: {} from the cache, without asking for the commit {commit} (`--offline` or `--frozen`)",
                listed(unasked, MAX_LISTED)
            ));
        }
        Ok((!needed.is_empty()).then(|| FetchRequest {
            key: key.clone(),
            source: source.clone(),
            kind: FetchKind::Locked { locked: source_locked.clone(), needed },
            why: "neither the store nor the cache has the locked files".into(),
        }))
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
