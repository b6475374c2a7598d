//! What upstream offers for locked sources, and whether it still has what was locked.

use super::{
    Kind, Open, Repository, RepositoryRequest, RequestKind,
    concerned::Concerned,
    discover::{self, Found},
    request::LockedRevision,
    resolve::Release,
};
use crate::manifest::{LockedSource, Pin, Source};
use crate::{
    Error, Upstream, contents::belongs_to_root_skill, error::ErrorsBySource, paths::ProjectPaths,
    sync::PreviousLock,
};
use helix_skills_format::ObjectId;
use helix_skills_format::{GitUrl, Limits, RefName, SkillName, SourceKey};
use helix_skills_git::{self as git, Git, TreeEntry};
use std::collections::BTreeMap;

/// A locked source compared with its upstream.
#[derive(Debug)]
#[non_exhaustive]
pub struct SourceStatus {
    /// The source.
    pub key: SourceKey,
    /// What is locked.
    pub current: LockedSource,
    /// What upstream offers.
    pub state: UpstreamState,
    /// Errors: a tag that no longer means the locked commit, a tree that the locked commit does not
    /// have, a repository that cannot be read. In the last case `state` is empty.
    pub errors: Vec<Error>,
}

/// What upstream currently offers for a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpstreamState {
    /// What the pin means now; `None` if it could not be resolved.
    pub within: Option<LockedSource>,
    /// The newest release, whether or not the pin allows it; `None` if there are no releases.
    pub newest: Option<Release>,
    /// Locked skills whose files differ upstream.
    pub changed: Vec<SkillName>,
    /// Locked skills that were renamed or removed upstream.
    pub upstream: Upstream,
}

impl SourceStatus {
    /// Whether an update would lock another commit, or other skills.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        let commits = |source: &LockedSource| (source.commit, source.skills_commit().cloned());
        self.state.within.as_ref().is_some_and(|within| commits(within) != commits(&self.current))
    }
}

impl SourceStatus {
    /// Removes skills that the locked commit never had: upstream did not change or rename those.
    fn without_forgeries(mut self) -> Self {
        let Self { state: UpstreamState { changed, upstream, .. }, errors, .. } = &mut self;
        for error in errors.iter() {
            if let Error::TreeMismatch { skill: forged, .. } = error {
                changed.retain(|skill| skill != forged);
                upstream.gone.retain(|skill| skill != forged);
                upstream.renamed.retain(|renamed| renamed.skill != *forged);
            }
        }
        self
    }
}

/// A part of the answer.
enum Piece {
    State(SourceKey, Box<UpstreamState>),
    /// Errors of one source.
    Errors(SourceKey, Vec<Error>),
    /// The sources of a repository that cannot be read, and the error.
    Unreadable(Concerned, git::Error),
}

/// Compares locked sources in repositories with their upstreams.
pub(crate) fn source_statuses(
    git: &Git,
    project: &ProjectPaths,
    limits: Limits,
    sources: Vec<(SourceKey, Source, PreviousLock)>,
) -> Vec<SourceStatus> {
    let (mut now, mut later) = (Vec::new(), Vec::new());
    for (key, source, before) in &sources {
        let (near, far) = asked(key, source, before);
        now.extend(near);
        later.extend(far);
    }
    let look = |repository: Repository<'_, '_>, asked, follow_ups: &mut _| {
        repository.look(asked, follow_ups)
    };
    let pieces = super::ask(git, project, limits, [now, later], look, Piece::Unreadable);
    let mut statuses: BTreeMap<SourceKey, SourceStatus> = BTreeMap::new();
    for (key, _, before) in sources {
        let state = UpstreamState::default();
        statuses.insert(
            key.clone(),
            SourceStatus { key, current: before.source, state, errors: Vec::new() },
        );
    }
    for piece in pieces {
        match piece {
            Piece::State(key, state) => {
                if let Some(status) = statuses.get_mut(&key) {
                    status.state = *state;
                }
            }
            Piece::Errors(key, errors) => {
                if let Some(status) = statuses.get_mut(&key) {
                    status.errors.extend(errors);
                }
            }
            Piece::Unreadable(concerned, error) => {
                for key in &*concerned.keys {
                    if let Some(status) = statuses.get_mut(key) {
                        status.errors.push(concerned.error(error.clone()));
                    }
                }
            }
        }
    }
    statuses.into_values().map(SourceStatus::without_forgeries).collect()
}

/// The requests for one source: what its pin means now, and whether each locked repository still
/// has what was locked. The second value is for the repository of a plugin.
fn asked(
    key: &SourceKey,
    source: &Source,
    before: &PreviousLock,
) -> (Vec<RepositoryRequest>, Option<RepositoryRequest>) {
    let Some(repository) = source.repository() else { return (Vec::new(), None) };
    let ask = |url: &GitUrl, kind| RepositoryRequest {
        key: key.clone(),
        source: source.clone(),
        url: url.clone(),
        kind,
        status_only: true,
    };
    let revision = |commit: &ObjectId, reference: Option<&str>, skills, plugin| {
        let tag = reference
            .filter(|name| name.starts_with("refs/tags/"))
            .and_then(|name| RefName::new(name).ok());
        RequestKind::Check(LockedRevision {
            commit: *commit,
            tag: tag.map(Pin::Ref),
            skills,
            plugin,
        })
    };
    let mut asked = vec![ask(
        &repository.url,
        RequestKind::Pin { known: None, before: Some(Box::new(before.clone())) },
    )];
    let (locked, skills) = (&before.source, before.skills.clone());
    let claim = match (&locked.request, &locked.plugin) {
        (Source::Marketplace(market), Some(plugin)) => Some((market.clone(), plugin.clone())),
        _ => None,
    };
    // Two hops, where the plugin lies elsewhere.
    let far = claim
        .as_ref()
        .and_then(|(_, plugin)| Some((plugin.url.as_ref()?, plugin.commit.as_ref()?)));
    let near =
        locked.request.repository().map(|repository| &repository.url).zip(locked.commit.as_ref());
    let (of_near, of_far) = if far.is_some() { (Vec::new(), skills) } else { (skills, Vec::new()) };
    let far = far
        .map(|(url, commit)| ask(url, revision(commit, locked.skills_reference(), of_far, None)));
    if let Some((url, commit)) = near {
        asked.push(ask(url, revision(commit, locked.reference.as_deref(), of_near, claim.clone())));
    }
    (asked, far)
}

impl Repository<'_, '_> {
    fn look(
        mut self,
        asked: Vec<RepositoryRequest>,
        follow_ups: &mut Vec<RepositoryRequest>,
    ) -> Vec<Piece> {
        let mut failed = ErrorsBySource::default();
        let concerned = Concerned::new(&asked);
        let before: BTreeMap<SourceKey, PreviousLock> = asked.iter().filter_map(before).collect();
        let mut pieces = Vec::new();
        let states =
            self.open(asked, &mut failed, follow_ups).and_then(|open| self.states(open, &before));
        match states {
            Err(error) => pieces.push(Piece::Unreadable(concerned, error)),
            Ok(states) => pieces.extend(states),
        }
        pieces.extend(failed.into_sources().map(|(key, errors)| Piece::Errors(key, errors)));
        pieces
    }

    fn states(
        &mut self,
        open: Vec<Open>,
        before: &BTreeMap<SourceKey, PreviousLock>,
    ) -> Result<Vec<Piece>, git::Error> {
        let mut pieces = Vec::new();
        for Open { key, newest, kind, .. } in open {
            self.session.count_steps_for(key.as_str());
            let Kind::Resolved { locked, mut found, upstream, .. } = kind else { continue };
            for found in &mut found {
                while let Some(link) = discover::follow(self.session, found)? {
                    self.session.blobs(&[link])?;
                }
            }
            let mut changed = Vec::new();
            for (name, skill) in before.get(&key).map_or(&[][..], |before| &before.skills) {
                if let (Some(now), Some(tree)) =
                    (found.iter().find(|found| found.path == skill.path), &skill.tree)
                    && self.differs(now, *tree)?
                {
                    changed.push(name.clone());
                }
            }
            let (within, upstream) = (Some(*locked), upstream.unwrap_or_default());
            pieces.push(Piece::State(
                key,
                Box::new(UpstreamState { within, newest, changed, upstream }),
            ));
        }
        Ok(pieces)
    }

    /// Whether a directory is another one than that of the locked tree, as far as its entries belong to the skill.
    fn differs(&self, now: &Found, locked: ObjectId) -> Result<bool, git::Error> {
        let Some(tree) = now.tree.filter(|tree| *tree != locked) else {
            return Ok(now.tree.is_none());
        };
        if !now.is_root || !self.session.has(&locked) {
            return Ok(true);
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

/// What is compared for a source.
fn before(asked: &RepositoryRequest) -> Option<(SourceKey, PreviousLock)> {
    let before = match &asked.kind {
        RequestKind::Pin { before, .. } => before.as_ref(),
        RequestKind::Plugin(external) => external.before.as_ref(),
        RequestKind::Locked { .. } | RequestKind::Check(_) => None,
    };
    Some((asked.key.clone(), PreviousLock::clone(before?)))
}
