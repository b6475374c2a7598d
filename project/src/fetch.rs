//! Requests of a sync to sources, and their answers.

use crate::manifest::{Lock, LockedSource, Source};
use crate::{
    Cache, Error, candidate::SourceSkill, contents::Contents, notes::Notes, paths::ProjectPaths,
    upstream::Upstream,
};
use helix_skills_format::{
    __internal::UrlKind, DirPath, GitUrl, Limits, LockedSkill, SkillName, SourceKey,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// A locked skill that is not in the store.
#[derive(Clone, Debug)]
pub(crate) struct MissingSkill {
    pub name: SkillName,
    pub locked: LockedSkill,
    /// Its files if the cache has them. Whether they are those of the commit is not verified yet.
    pub cached: Option<Contents>,
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

    /// Returns the directories of its skills, also of those that a merge lost.
    #[cfg(feature = "git")]
    pub(crate) fn paths(&self) -> BTreeSet<DirPath> {
        let listed = self.source.directories.iter().flatten();
        listed.chain(self.skills.iter().map(|(_, skill)| &skill.path)).cloned().collect()
    }
}

/// A request to one source.
#[derive(Clone, Debug)]
pub(crate) struct FetchRequest {
    pub key: SourceKey,
    /// The manifest's entry.
    pub source: Source,
    pub kind: FetchKind,
    /// Why lockfile, store and cache are not enough.
    pub why: Cow<'static, str>,
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
    /// `known` is the locked source if its pin is not to be resolved again. `before` has what was
    /// locked from the same place: these skills keep their directories.
    Resolve { known: Option<LockedSource>, before: Option<Box<PreviousLock>> },
    /// Read the files of locked skills.
    Locked { locked: LockedSource, needed: Vec<MissingSkill> },
}

impl FetchRequest {
    /// Returns whether the request may be tried offline: for a local repository.
    ///
    /// If a plugin of a local marketplace that is not locked is in a remote repository, reading
    /// that one fails later.
    pub(crate) fn starts_offline(&self) -> bool {
        let plugin = match &self.kind {
            FetchKind::Locked { locked, .. } => locked.skills_url(),
            FetchKind::Resolve { .. } => None,
        };
        is_local(&self.source, plugin)
    }

    /// Returns the error for a sync that must not use the network.
    pub(crate) fn refusal(&self) -> Error {
        let skills: Vec<_> = match &self.kind {
            FetchKind::Resolve { .. } => Vec::new(),
            FetchKind::Locked { needed, .. } => needed.iter().map(|it| &it.name).collect(),
        };
        Error::offline(&self.key, &skills, &self.why)
    }
}

/// Returns whether neither the repository of a source nor that of its plugin needs the network.
pub(crate) fn is_local(source: &Source, plugin: Option<&GitUrl>) -> bool {
    let first = source.repository().map(|repository| &repository.url);
    first.into_iter().chain(plugin).all(|url| url.kind() == UrlKind::File)
}

/// The answer to a [`FetchRequest`].
#[derive(Debug)]
pub(crate) struct Fetched {
    pub key: SourceKey,
    pub kind: FetchedKind,
}

/// What an answer has.
#[derive(Debug)]
#[cfg_attr(not(feature = "git"), expect(dead_code, reason = "only repositories are fetched"))]
pub(crate) enum FetchedKind {
    /// The resolved source, its skills, the errors of the other ones, and locked skills that were
    /// renamed or removed.
    Resolved {
        source: Box<LockedSource>,
        skills: Vec<SourceSkill>,
        errors: Vec<Error>,
        /// The key of `exclude` that leaves out each selected skill, by its directory.
        exclude: BTreeMap<DirPath, String>,
        upstream: Option<Upstream>,
    },
    /// The files of locked skills, not verified yet.
    Restored(Vec<(MissingSkill, Contents)>),
    /// Locked skills that another process fetches later.
    Deferred(Vec<MissingSkill>),
    /// The pin resolves to what is locked, and nothing else was read.
    Unmoved,
}

/// What a sync does with the origin files of the store.
#[derive(Default)]
pub(crate) struct OriginFiles {
    /// The names and texts of files to write.
    pub(crate) new: Vec<(String, String)>,
    /// The names of files to remove.
    pub(crate) unused: Vec<String>,
    /// What cannot be proved, one line each.
    pub(crate) warnings: Vec<String>,
}

/// A handler of requests: git in the program, and the program in a build script.
pub(crate) trait Remote {
    /// Answers all requests. Each has its own result.
    fn fetch(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        requests: Vec<FetchRequest>,
        notes: &mut Notes,
    ) -> Vec<Result<Fetched, Error>>;

    /// Returns the sources whose locked skills are not those of the locked commits, by the origin
    /// files of the store: git may have merged two changes of them. Returns none without git.
    fn other_skills(&self, _: &ProjectPaths, _: Limits, _: &Lock) -> BTreeSet<SourceKey> {
        BTreeSet::new()
    }

    /// Returns the changes of the origin files for a new lockfile; none without git.
    ///
    /// # Errors
    /// The store cannot be read; lockfile or store are not what the locked commits have.
    fn origin_files(
        &self,
        _inputs: (&ProjectPaths, &Cache, Limits),
        _is_offline: bool,
        _locks: (&Lock, &Lock),
    ) -> Result<OriginFiles, Error> {
        Ok(OriginFiles::default())
    }
}

/// A handler that answers each request without a network.
pub(crate) type WithoutNetwork = fn(FetchRequest) -> Result<Fetched, Error>;

impl Remote for WithoutNetwork {
    fn fetch(
        &self,
        _: &ProjectPaths,
        _: Limits,
        requests: Vec<FetchRequest>,
        _: &mut Notes,
    ) -> Vec<Result<Fetched, Error>> {
        requests.into_iter().map(self).collect()
    }
}
