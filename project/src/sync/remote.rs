//! What a sync needs from sources, apart from how they are read.

use super::Upstream;
use crate::error::Offline;
use crate::manifest::{Lock, LockedSource, Source};
use crate::{
    Error, candidate::SourceSkill, check::changed_keys, contents::Contents, paths::ProjectPaths,
};
use helix_skills_format::{Limits, LockedSkill, SkillName, SourceKey, UrlKind};

/// A locked skill whose bytes are missing.
#[derive(Clone, Debug)]
pub(crate) struct MissingSkill {
    pub name: SkillName,
    pub locked: LockedSkill,
}

/// A source and its skills in the lockfile.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "git"),
    expect(dead_code, reason = "only repositories have a past to compare with")
)]
pub(crate) struct PreviousLock {
    pub source: LockedSource,
    pub skills: Vec<(SkillName, LockedSkill)>,
}

impl PreviousLock {
    pub(crate) fn new(key: &SourceKey, source: &LockedSource, lock: &Lock) -> Self {
        let skills = lock.skills_of(key).map(|(name, skill)| (name.clone(), skill.clone()));
        Self { source: source.clone(), skills: skills.collect() }
    }
}

/// A request to one source.
#[derive(Clone, Debug)]
pub(crate) struct FetchRequest {
    pub key: SourceKey,
    /// The manifest's entry.
    pub source: Source,
    pub kind: FetchKind,
}

/// What is requested.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "git"),
    expect(dead_code, reason = "only repositories have a past to compare with")
)]
pub(crate) enum FetchKind {
    /// What does the pin mean, and which skills are there? `known` is the answer to the first question where the lock
    /// has it: another selection does not move a pin. With `before`, how did those skills go on?
    Resolve { known: Option<LockedSource>, before: Option<Box<PreviousLock>> },
    /// The bytes of skills that are locked.
    Locked { locked: LockedSource, needed: Vec<MissingSkill> },
}

impl FetchRequest {
    /// Whether it may be tried without the network: it begins on this disk, or with a source of one's own. Where a plugin
    /// of a local marketplace lies elsewhere, git says so.
    pub(crate) fn begins_here(&self) -> bool {
        let url = match &self.kind {
            FetchKind::Locked { locked, .. } => locked.skills_url(),
            FetchKind::Resolve { .. } => self.source.repository().map(|repository| &repository.url),
        };
        url.is_none_or(|url| url.kind() == UrlKind::File)
    }

    /// Why the lockfile, the store and the cache do not do.
    pub(crate) fn reason(&self, locked: Option<&LockedSource>, is_update: bool) -> Offline {
        match (&self.kind, locked) {
            (FetchKind::Locked { .. }, _) => Offline::NotStored,
            (FetchKind::Resolve { .. }, None) => Offline::NotLocked,
            (FetchKind::Resolve { .. }, Some(_)) if is_update => Offline::Update,
            (FetchKind::Resolve { .. }, Some(locked)) => {
                match changed_keys(&locked.request, &self.source) {
                    keys if keys.is_empty() => Offline::Selection,
                    keys => Offline::Changed { keys },
                }
            }
        }
    }

    /// The locked skills to fetch; none if the source is to be resolved.
    pub(crate) fn needed(&self) -> &[MissingSkill] {
        match &self.kind {
            FetchKind::Resolve { .. } => &[],
            FetchKind::Locked { needed, .. } => needed,
        }
    }
}

/// The answer to a [`FetchRequest`].
#[derive(Debug)]
pub(crate) struct Fetched {
    pub key: SourceKey,
    /// What the pin means, if that was requested.
    pub resolved: Option<LockedSource>,
    /// Skills that were renamed or removed upstream, if that was requested.
    pub upstream: Option<Upstream>,
    /// The skills of a source that was resolved.
    pub skills: Vec<SourceSkill>,
    /// The files of locked skills, not verified yet.
    pub restored: Vec<(MissingSkill, Contents)>,
    /// Locked skills that are fetched later, by another process.
    pub deferred: Vec<MissingSkill>,
    pub warnings: Vec<String>,
    pub details: Vec<String>,
}

impl Fetched {
    /// An empty answer.
    pub(crate) fn empty(key: SourceKey) -> Self {
        Self {
            key,
            resolved: None,
            upstream: None,
            skills: Vec::new(),
            restored: Vec::new(),
            deferred: Vec::new(),
            warnings: Vec::new(),
            details: Vec::new(),
        }
    }
}

/// Answers requests: git in the program; in a build script the program.
pub(crate) trait Remote {
    /// Answers all requests, each on its own.
    fn fetch(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        requests: Vec<FetchRequest>,
    ) -> Vec<Result<Fetched, Vec<Error>>>;
}
