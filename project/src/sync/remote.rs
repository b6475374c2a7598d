//! Requests of a sync to sources, and their answers.

use super::Upstream;
use crate::manifest::{Lock, LockedSource, Source};
use crate::{
    Error,
    candidate::SourceSkill,
    contents::Contents,
    entries::{EntryState, has_same_pin},
    paths::ProjectPaths,
    store,
};
use helix_skills_format::{
    __internal::{UrlKind, listed_all},
    Limits, LockedSkill, SkillName, SourceKey,
};
use std::borrow::Cow;

/// A locked skill that has to be fetched.
#[derive(Clone, Debug)]
pub(crate) struct MissingSkill {
    pub name: SkillName,
    pub locked: LockedSkill,
}

/// A source and its skills in the lockfile before a sync.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "git"),
    expect(dead_code, reason = "only repositories have a past to compare with")
)]
pub(crate) struct PreviousLock {
    pub source: LockedSource,
    pub skills: Vec<(SkillName, LockedSkill)>,
    /// Whether the manifest's entry and its selection have not changed since. If its pin has not
    /// moved either, the source is not fetched.
    pub is_current: bool,
}

impl PreviousLock {
    pub(crate) fn new(key: &SourceKey, source: &LockedSource, lock: &Lock) -> Self {
        let skills = lock.skills_of(key).map(|(name, skill)| (name.clone(), skill.clone()));
        Self { source: source.clone(), skills: skills.collect(), is_current: false }
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

/// What a request is for.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "git"),
    expect(dead_code, reason = "only repositories have a past to compare with")
)]
pub(crate) enum FetchKind {
    /// Resolve the pin and find the skills.
    ///
    /// `known` is the locked source if its pin is not to be resolved again. With `before`, also
    /// find renames and removals of these skills.
    Resolve { known: Option<LockedSource>, before: Option<Box<PreviousLock>> },
    /// Fetch the files of locked skills.
    Locked { locked: LockedSource, needed: Vec<MissingSkill> },
}

impl FetchRequest {
    /// Creates the request for a source whose pin or selection is not the locked one, or that is
    /// updated. Also returns why lockfile, store and cache are not enough.
    pub(crate) fn resolve(
        key: &SourceKey,
        source: &Source,
        state: EntryState<'_>,
        is_update: bool,
        project: &ProjectPaths,
        old: &Lock,
    ) -> (Self, Cow<'static, str>) {
        let before = state.locked();
        let known = before.filter(|locked| !is_update && has_same_pin(&locked.entry, source));
        let previous = before.filter(|_| is_update).map(|locked| {
            // Otherwise an update is also how a lockfile without its files is repaired.
            let is_stored =
                || old.skills_of(key).all(|(name, skill)| store::has_listing(project, name, skill));
            let is_current = locked.directories.is_some()
                && matches!(state, EntryState::Locked(_))
                && is_stored();
            Box::new(PreviousLock { is_current, ..PreviousLock::new(key, locked, old) })
        });
        let kind = FetchKind::Resolve { known: known.cloned(), before: previous };
        let why = match state {
            EntryState::New => "it is not locked yet".into(),
            _ if is_update => "an update resolves its pin again".into(),
            EntryState::Changed { keys, .. } => {
                let was = if keys.len() == 1 { "was" } else { "were" };
                format!("its {} {was} changed since it was locked", listed_all(&keys)).into()
            }
            EntryState::Inconsistent { .. } | EntryState::Locked(_) => {
                "the lockfile does not have the skills that it selects".into()
            }
        };
        (Self { key: key.clone(), source: source.clone(), kind }, why)
    }

    /// Returns whether the request may be tried offline: for a local repository, or a custom
    /// source.
    ///
    /// If a plugin of a local marketplace is in a remote repository, reading that one fails later.
    pub(crate) fn starts_offline(&self) -> bool {
        let url = match &self.kind {
            FetchKind::Locked { locked, .. } => locked.skills_url(),
            FetchKind::Resolve { .. } => self.source.repository().map(|repository| &repository.url),
        };
        url.is_none_or(|url| url.kind() == UrlKind::File)
    }

    /// Returns the locked skills to fetch; empty if the source is to be resolved.
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
    /// The resolved source, if requested.
    pub resolved: Option<LockedSource>,
    /// Skills that were renamed or removed upstream, if requested.
    pub upstream: Option<Upstream>,
    /// The skills of a resolved source.
    pub skills: Vec<SourceSkill>,
    /// The files of locked skills, not verified yet.
    pub restored: Vec<(MissingSkill, Contents)>,
    /// Locked skills that are fetched later, by another process.
    pub deferred: Vec<MissingSkill>,
    /// Whether the pin resolves to what is locked, and nothing else was read.
    pub is_unmoved: bool,
    pub warnings: Vec<String>,
    pub details: Vec<String>,
}

impl Fetched {
    /// Creates an empty answer.
    pub(crate) fn empty(key: SourceKey) -> Self {
        Self {
            key,
            resolved: None,
            upstream: None,
            skills: Vec::new(),
            restored: Vec::new(),
            deferred: Vec::new(),
            is_unmoved: false,
            warnings: Vec::new(),
            details: Vec::new(),
        }
    }
}

/// A handler of requests: git in the program, and the program in a build script.
pub(crate) trait Remote {
    /// Answers all requests. Each has its own result.
    fn fetch(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        requests: Vec<FetchRequest>,
    ) -> Vec<Result<Fetched, Error>>;
}
