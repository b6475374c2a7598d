//! The status of locked sources: what upstream offers, and whether it still has what was locked.

use super::{
    Reader, Repository, RepositoryRequest,
    affected::AffectedSources,
    discover::FoundDirectory,
    location::Location,
    open::OpenedSource,
    request::{CheckRequest, Request},
    resolve::Release,
    skill_tree::SkillTree,
};
use crate::manifest::{LockedSource, Pin, Source};
use crate::{
    Error, contents::belongs_to_root_skill, error::Fact, fetch::PreviousLock, notes::Notes,
    paths::ProjectPaths, upstream::Upstream,
};
use helix_skills_format::ObjectId;
use helix_skills_format::{GitUrl, Limits, RefName, SkillName, SourceKey};
use helix_skills_git::{self as git, Git, TreeEntry};
use std::{collections::BTreeMap, mem};

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

    /// Removes skills that the locked commit never had, because upstream did not change them.
    fn without_mismatches(mut self) -> Self {
        let Self { changed, upstream, errors, .. } = &mut self;
        for error in errors.iter() {
            if let Fact::TreeMismatch(mismatched) = error.fact() {
                changed.retain(|skill| skill != mismatched);
                upstream.gone.remove(mismatched);
                upstream.renamed.retain(|renamed| renamed.skill != *mismatched);
            }
        }
        self
    }
}

/// A part of the answer of a repository: what upstream offers for a source, or an error of it.
type Part = (SourceKey, Result<Box<SourceStatus>, Error>);

/// Compares locked sources in repositories with their upstreams.
pub(crate) fn source_statuses(
    git: &Git,
    project: &ProjectPaths,
    limits: Limits,
    sources: Vec<(SourceKey, Source, PreviousLock)>,
) -> Vec<SourceStatus> {
    let requests =
        sources.iter().flat_map(|(key, source, before)| status_requests(key, source, before));
    let lost = |affected: &AffectedSources, error: git::Error| -> Vec<Part> {
        let keys = affected.keys.iter();
        keys.map(|key| (key.clone(), Err(affected.error(error.clone())))).collect()
    };
    let read = |repository: &mut Repository<'_, '_>, requests| repository.status(requests);
    let reader = Reader { git, project, limits };
    let parts = reader.read(requests.collect(), &mut Notes::default(), read, lost);
    let mut statuses: BTreeMap<SourceKey, SourceStatus> = BTreeMap::new();
    for (key, _, before) in sources {
        statuses.insert(key.clone(), SourceStatus::unknown(key, before.source));
    }
    for (key, part) in parts {
        let Some(status) = statuses.get_mut(&key) else { continue };
        match part {
            Ok(found) => *status = SourceStatus { errors: mem::take(&mut status.errors), ..*found },
            Err(errors) => status.errors.extend(errors),
        }
    }
    statuses.into_values().map(SourceStatus::without_mismatches).collect()
}

/// Returns the requests for one source: to resolve its pin, and to check its locked repository. The
/// repository of a plugin is requested only if the index of the marketplace names it.
fn status_requests(
    key: &SourceKey,
    source: &Source,
    before: &PreviousLock,
) -> Vec<RepositoryRequest> {
    let check = |url: &GitUrl, commit: &ObjectId, reference: Option<&str>, skills, plugin, then| {
        let tag = reference.filter(|name| name.starts_with("refs/tags/"));
        let tag = tag.and_then(|name| RefName::new(name).ok()).map(Pin::Ref);
        RepositoryRequest {
            key: key.clone(),
            source: source.clone(),
            url: url.clone(),
            kind: Request::Check(Box::new(CheckRequest {
                commit: *commit,
                tag,
                skills,
                plugin,
                then,
            })),
        }
    };
    let previous = Some(Box::new(before.clone()));
    let locate = RepositoryRequest::locate(key.clone(), source.clone(), None, previous, false);
    let mut requests: Vec<_> = locate.into_iter().collect();
    let (locked, skills) = (&before.source, before.skills.clone());
    let market = locked.entry.repository().map(|repository| repository.url.clone());
    let market = market.zip(locked.entry.plugin().cloned());
    let locked_plugin = market.zip(locked.plugin.clone());
    // The commit of a plugin in another repository than its marketplace.
    let far = locked_plugin
        .as_ref()
        .and_then(|(_, plugin)| Some((plugin.url.as_ref()?, plugin.commit.as_ref()?)));
    let near =
        locked.entry.repository().map(|repository| &repository.url).zip(locked.commit.as_ref());
    let (of_near, of_far) = if far.is_some() { (Vec::new(), skills) } else { (skills, Vec::new()) };
    let far = far.map(|(url, commit)| {
        Box::new(check(url, commit, locked.skills_reference(), of_far, None, None))
    });
    requests.extend(near.map(|(url, commit)| {
        check(url, commit, locked.reference.as_deref(), of_near, locked_plugin.clone(), far)
    }));
    requests
}

impl Repository<'_, '_> {
    /// Answers the requests of a status: stops after the directories of the skills.
    fn status(&mut self, requests: Vec<RepositoryRequest>) -> Result<Vec<Part>, git::Error> {
        let locations = self.locate(requests)?.locations;
        let mut parts = Vec::new();
        for OpenedSource { location, found, upstream, .. } in self.open(locations)? {
            let Location { key, locked, before: Some(before), newest, .. } = location else {
                continue;
            };
            self.session.count_steps_for(key.as_str());
            let mut changed = Vec::new();
            for (name, skill) in &before.skills {
                if let (Some(now), Some(tree)) =
                    (found.iter().find(|found| found.path == skill.path), &skill.tree)
                    && self.differs(now, *tree)?
                {
                    changed.push(name.clone());
                }
            }
            let mut status = SourceStatus::unknown(key.clone(), before.source);
            (status.within, status.newest, status.changed) = (Some(locked), newest, changed);
            status.upstream = upstream.unwrap_or_default();
            parts.push((key, Ok(Box::new(status))));
        }
        let failed = self.take_failed().into_sources();
        parts.extend(failed.map(|(key, errors)| (key, Err(errors.into()))));
        Ok(parts)
    }

    /// Returns whether a directory differs from the locked tree in the entries that belong to the
    /// skill.
    fn differs(&self, now: &FoundDirectory, locked: ObjectId) -> Result<bool, git::Error> {
        let SkillTree { tree, is_root, .. } = now.place;
        if tree == locked || !is_root || !self.session.has(&locked) {
            return Ok(tree != locked);
        }
        let parts = |tree| {
            let belongs = |entry: &TreeEntry<'_>| {
                std::str::from_utf8(entry.name).is_ok_and(belongs_to_root_skill)
            };
            let entries = self.session.entries(tree)?;
            Ok::<_, git::Error>(entries.filter(move |entry| entry.as_ref().map_or(true, belongs)))
        };
        let (mut now, mut before) = (parts(&tree)?, parts(&locked)?);
        loop {
            let (now, before) = (now.next().transpose()?, before.next().transpose()?);
            let name_and_id = |entry: TreeEntry<'_>| (entry.name.to_owned(), entry.id);
            if now.map(name_and_id) != before.map(name_and_id) {
                return Ok(true);
            } else if now.is_none() {
                return Ok(false);
            }
        }
    }
}
