//! The status of locked sources: what upstream offers, and whether it still has what was locked.

use crate::{
    Error,
    contents::FileRules,
    fetch::PreviousLock,
    manifest::{LockedSource, Source},
    notes::Notes,
    pins::Release,
    repository::{FoundDirectory, Location, OpenedSource, Reader, Repository, Task},
    upstream::Upstream,
};
use helix_skills_format::{ObjectId, SkillName, SourceKey};
use helix_skills_git::{self as git, EntryKind, TreeEntry};
use std::collections::BTreeMap;

/// A locked source compared with its upstream.
#[derive(Debug)]
#[non_exhaustive]
pub struct SourceStatus {
    /// The source.
    pub key: SourceKey,
    /// The locked source.
    pub current: LockedSource,
    /// What the pin currently resolves to; `None` if it cannot be resolved.
    pub within: Option<LockedSource>,
    /// The newest release, whether or not the pin allows it; `None` if there are no releases.
    pub newest: Option<Release>,
    /// Locked skills whose files differ upstream.
    pub changed: Vec<SkillName>,
    /// Locked skills that were moved or removed upstream.
    #[doc(hidden)]
    pub upstream: Upstream,
    /// Errors: a tag that no longer points to the locked commit, a tree that is not in the locked
    /// commit, a repository that cannot be read. In the last case, the status has nothing else.
    pub errors: Vec<Error>,
}

impl SourceStatus {
    /// Returns whether an update would lock another commit, or other skills.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        let commits = |source: &LockedSource| (source.commit, source.skills_commit().cloned());
        self.within.as_ref().is_some_and(|within| commits(within) != commits(&self.current))
    }

    /// Creates a status without anything from upstream.
    fn unknown(key: SourceKey, current: LockedSource) -> Self {
        let (upstream, errors) = (Upstream::default(), Vec::new());
        Self { key, current, within: None, newest: None, changed: Vec::new(), upstream, errors }
    }
}

impl Reader<'_> {
    /// Compares locked sources in repositories with their upstreams. Without `with_skills`, only
    /// their pins are: a newer commit need not have the skills, or the plugin.
    pub(crate) fn statuses(
        &self,
        sources: Vec<(SourceKey, Source, PreviousLock)>,
        with_skills: bool,
    ) -> Vec<SourceStatus> {
        let begun = sources.iter().flat_map(|(key, source, before)| {
            let task = if with_skills { Task::Select } else { Task::Compare };
            let now = Location::new(key.clone(), source.clone(), task);
            let now = now.map(|now| Location { before: Some(Box::new(before.clone())), ..now });
            Location::verify(key, before).into_iter().chain(now)
        });
        let (found, failed) = self.read(begun.collect(), &mut Notes::default(), Repository::status);
        let mut statuses: BTreeMap<SourceKey, SourceStatus> =
            found.into_iter().map(|status| (status.key.clone(), status)).collect();
        for (key, _, before) in sources {
            let unknown = || SourceStatus::unknown(key.clone(), before.source);
            statuses.entry(key.clone()).or_insert_with(unknown);
        }
        for (key, errors) in failed {
            statuses.entry(key).and_modify(|status| status.errors.extend(errors));
        }
        statuses.into_values().collect()
    }
}

impl Repository<'_> {
    /// Returns what upstream offers: stops after the directories of the skills. A source that
    /// cannot be read there has at least a commit.
    fn status(&mut self, locations: Vec<Location>) -> Result<Vec<SourceStatus>, git::Error> {
        let (mut locations, _) = self.locate(locations)?;
        let mut statuses = BTreeMap::new();
        for Location { key, locked, before, newest, .. } in &locations {
            let Some(before) = before else { continue };
            let unknown = SourceStatus::unknown(key.clone(), before.source.clone());
            let (within, newest) = (Some(locked.clone()), newest.clone());
            statuses.insert(key.clone(), SourceStatus { within, newest, ..unknown });
        }
        locations.retain(|location| !matches!(location.task, Task::Compare));
        for OpenedSource { location, rules, found, upstream, .. } in self.open(locations)? {
            let Location { key, locked, before: Some(before), .. } = location else { continue };
            let Some(status) = statuses.get_mut(&key) else { continue };
            self.session.count_steps_for(key.as_str());
            for (name, skill) in &before.skills {
                if let (Some(now), Some(tree)) =
                    (found.iter().find(|found| found.path == skill.path), &skill.tree)
                    && self.differs((now, &rules), *tree)?
                {
                    status.changed.push(name.clone());
                }
            }
            (status.within, status.upstream) = (Some(locked), upstream.unwrap_or_default());
        }
        Ok(statuses.into_values().collect())
    }

    /// Returns whether a directory differs from the locked tree in the entries that belong to the
    /// skill.
    fn differs(
        &self,
        (now, rules): (&FoundDirectory, &FileRules),
        locked: ObjectId,
    ) -> Result<bool, git::Error> {
        let FoundDirectory { tree, is_root, .. } = *now;
        if tree == locked || !is_root || !self.session.has(&locked) {
            return Ok(tree != locked);
        }
        let parts = |tree| {
            let belongs = |entry: &TreeEntry<'_>| {
                let is_directory = entry.kind == EntryKind::Directory;
                std::str::from_utf8(entry.name)
                    .is_ok_and(|name| now.has(name, (rules, is_directory)))
            };
            let entries = self.session.entries(tree)?;
            let entries = entries.filter(|entry| entry.as_ref().map_or(true, belongs));
            let entries = entries.map(|entry| entry.map(|it| (it.name.to_owned(), it.id)));
            entries.collect::<Result<Vec<_>, git::Error>>()
        };
        Ok(parts(&tree)? != parts(&locked)?)
    }
}
