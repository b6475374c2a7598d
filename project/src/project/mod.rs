//! Everything that the program does to a project, as a library.

#[cfg(feature = "git")]
mod upstream;

use crate::manifest::{Lock, Manifest, OtherSource, SourceType};
use crate::{
    Cancellation, Checked, Error, Event, Failure, Progress, Scope, Source, Synced,
    cache::Cache,
    check,
    paths::{Places, ProjectPaths},
    project_lock::ProjectLock,
    source::{Factory, Sources},
    sync::{self, Mode, Work},
};
use helix_skills_format::SourceKey;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Makes the skills of a project ready to be baked: resolves the pins of its manifest, fetches, locks, stores and checks.
///
/// What the commands of the program do, they do through this type. Credentials, proxies and time-outs come from the
/// environment, as the program has them.
///
/// ```
/// use helix_skills_project::Project;
/// # let directory = tempfile::tempdir().unwrap();
/// # let directory = directory.path();
/// # std::fs::create_dir_all(directory.join("skills/house-style")).unwrap();
/// std::fs::write(
///     directory.join("skills/house-style/SKILL.md"),
///     "---\nname: house-style\ndescription: How we write. Use when writing for users.\n---\nShort sentences.\n",
/// ).unwrap();
/// std::fs::write(
///     directory.join("helix.skills.json"),
///     r#"{"skills": {"own": {"type": "path", "path": "skills"}}}"#,
/// ).unwrap();
///
/// let project = Project::at(directory).cache_dir(directory.join("cache"));
/// let lock = project.resolve()?; // writes nothing
/// assert_eq!(lock.skills.keys().next().unwrap().as_str(), "house-style");
///
/// let synced = project.sync()?;
/// assert!(synced.lock_changed && synced.lock == lock);
/// assert_eq!(project.check()?.skills, 1);
/// # Ok::<(), helix_skills_project::Failure>(())
/// ```
///
/// The feature `git` adds `outdated` and `newest_release`.
pub struct Project {
    /// Where the names of files start that this was told.
    start: PathBuf,
    project: ProjectPaths,
    cache: Option<PathBuf>,
    mode: Mode,
    types: BTreeMap<SourceType, Box<Factory>>,
    progress: Arc<dyn Progress>,
    cancellation: Cancellation,
}

impl Project {
    /// The project whose manifest, lock and store lie in `directory`. Nothing is read yet.
    #[must_use]
    pub fn at(directory: impl AsRef<Path>) -> Self {
        Self::of(ProjectPaths::at(directory.as_ref()))
    }

    /// The project that `start` lies in: upwards to the first manifest, as cargo looks for its own.
    ///
    /// # Errors
    /// There is none; a link or a file stands where the store should be.
    pub fn find(start: impl AsRef<Path>) -> Result<Self, Failure> {
        Ok(Self::of(ProjectPaths::find(start.as_ref(), &Places::default())?))
    }

    /// For a project that was found already.
    #[doc(hidden)]
    pub fn of(project: ProjectPaths) -> Self {
        Self {
            start: project.root.clone(),
            project,
            cache: None,
            mode: Mode::default(),
            types: BTreeMap::new(),
            progress: Arc::new(()),
            cancellation: Cancellation::new(),
        }
    }

    /// Another manifest than `helix.skills.json`, from the directory that the project was made for. The manifest's own directory
    /// is where the relative paths and urls in it start; lock and store stay where they are.
    #[must_use]
    pub fn manifest_file(mut self, file: impl AsRef<Path>) -> Self {
        let (lock, store) = (self.project.lock, self.project.store);
        self.project = ProjectPaths { lock, store, ..ProjectPaths::named(&self.start, file.as_ref()) };
        self
    }

    /// Another lock than `helix.skills.lock`, from the directory that the project was made for.
    #[must_use]
    pub fn lock_file(mut self, file: impl AsRef<Path>) -> Self {
        self.project.lock = self.start.join(file);
        self
    }

    /// Another store than `helix.skills/`, from the directory that the project was made for.
    #[must_use]
    pub fn store_dir(mut self, directory: impl AsRef<Path>) -> Self {
        self.project.store = self.start.join(directory);
        self
    }

    /// Another cache than the user's; `HELIX_SKILLS_CACHE` is not asked then.
    #[must_use]
    pub fn cache_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cache = Some(directory.into());
        self
    }

    /// Whether the lock must not change.
    #[must_use]
    pub fn locked(mut self, locked: bool) -> Self {
        self.mode.locked = locked;
        self
    }

    /// Whether the network must not be used. Repositories on this disk are not the network; sources of one's own see to it
    /// themselves ([`Scope::offline`]).
    #[must_use]
    pub fn offline(mut self, offline: bool) -> Self {
        self.mode.offline = offline;
        self
    }

    /// Whether edited files of the store are put back, and unknown ones in stored skills removed.
    #[must_use]
    pub fn restore(mut self, restore: bool) -> Self {
        self.mode.restore = restore;
        self
    }

    /// Whether nothing is written: what a sync returns is what it would have done.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.mode.dry_run = dry_run;
        self
    }

    #[doc(hidden)]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Who hears what is going on.
    #[must_use]
    pub fn progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// What asks the work to stop.
    #[must_use]
    pub fn cancellation(mut self, cancellation: Cancellation) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// Brings a type of source of one's own: each entry of the manifest with that `type` is made a [`Source`] by `make`,
    /// which reads its settings.
    ///
    /// ```
    /// use helix_skills_project::{
    ///     Contents, Failure, Project, Resolution, Scope, SkillFile, Source, format::*,
    ///     manifest::{LockedSource, OtherSource, SourceType},
    /// };
    /// use std::collections::BTreeMap;
    ///
    /// /// One skill, written by the program itself.
    /// struct Greeting(OtherSource);
    ///
    /// impl Greeting {
    ///     fn contents(&self, scope: &Scope<'_>) -> Result<Contents, Failure> {
    ///         let bytes = b"---\nname: greeting\ndescription: Greets. Use when somebody arrives.\n---\nSay hello.\n";
    ///         let path = RelPath::new("SKILL.md").expect("a path");
    ///         let file = SkillFile { path, bytes: bytes.to_vec(), executable: false };
    ///         scope.collect(&self.0.select, &DirPath::new("greeting").expect("a path"), [file])
    ///     }
    /// }
    ///
    /// impl Source for Greeting {
    ///     fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Failure> {
    ///         let mut resolution = Resolution::default();
    ///         for name in scope.wanted(&self.0.select, &["greeting".to_owned()])? {
    ///             let files = self.contents(scope)?.into_files();
    ///             let path = DirPath::new(&name).expect("a path");
    ///             resolution.skills.push(scope.skill(&self.0.select, &path, files)?);
    ///         }
    ///         Ok(resolution)
    ///     }
    ///
    ///     fn fetch(
    ///         &self,
    ///         scope: &Scope<'_>,
    ///         _: &LockedSource,
    ///         skills: &BTreeMap<SkillName, LockedSkill>,
    ///     ) -> Result<BTreeMap<SkillName, Contents>, Failure> {
    ///         skills.keys().map(|name| Ok((name.clone(), self.contents(scope)?))).collect()
    ///     }
    /// }
    ///
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let directory = directory.path();
    /// std::fs::write(directory.join("helix.skills.json"), r#"{"skills": {"hello": {"type": "x-greeting"}}}"#).unwrap();
    /// let kind = SourceType::new("x-greeting").unwrap();
    /// let project = Project::at(directory)
    ///     .cache_dir(directory.join("cache"))
    ///     .source_type(kind, |entry| Ok(Box::new(Greeting(entry.clone()))));
    /// assert_eq!(project.sync()?.lock.skills.len(), 1);
    /// assert!(directory.join("helix.skills/greeting/SKILL.md").is_file());
    /// # Ok::<(), Failure>(())
    /// ```
    #[must_use]
    pub fn source_type(
        mut self,
        kind: SourceType,
        make: impl Fn(&OtherSource) -> Result<Box<dyn Source>, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.types.insert(kind, Box::new(make));
        self
    }

    /// The manifest.
    ///
    /// # Errors
    /// It is not there, or something is wrong with it: every mistake with its place.
    pub fn manifest(&self) -> Result<Manifest, Failure> {
        self.project.read_manifest()
    }

    /// The lock; none where there is no such file.
    ///
    /// # Errors
    /// Something is wrong with it.
    pub fn lock(&self) -> Result<Option<Lock>, Failure> {
        self.project.read_lock()
    }

    /// The lock that a sync would write. Nothing is written; what is locked stays as it is.
    ///
    /// # Errors
    /// As [`Project::sync`], without what the store has to do with.
    pub fn resolve(&self) -> Result<Lock, Failure> {
        let mode = Mode { dry_run: true, restore: true, ..self.mode };
        Ok(self.run(&self.manifest()?, mode, &Update::default(), &|_| true)?.lock)
    }

    /// Makes lock and store what the manifest asks for. Waits while somebody else works on the project.
    ///
    /// # Errors
    /// Everything that is in the way, at once. Nothing has been written then, except what the disk refused half-way,
    /// which the next sync repairs.
    pub fn sync(&self) -> Result<Synced, Failure> {
        let _held = self.hold_unless_dry()?;
        self.sync_held(&self.manifest()?)
    }

    /// As [`Project::sync`], and resolves the pins of these sources anew, of all if none is named: ranges, branches and
    /// default branches move to what they mean now. A release tag that means another commit than it was locked with is an
    /// error, unless its source is named: then it is a warning.
    ///
    /// `approve` hears what will be done before the first file is written; when it says no, nothing is, and what would
    /// have been done is returned.
    ///
    /// # Errors
    /// As [`Project::sync`]; a source that the manifest does not have.
    pub fn update(&self, sources: &[SourceKey], approve: impl Fn(&Synced) -> bool) -> Result<Synced, Failure> {
        let _held = self.hold_unless_dry()?;
        let manifest = self.manifest()?;
        let update = Update { sources: known_sources(&manifest, sources)?, moved_tags: !sources.is_empty() };
        self.run(&manifest, self.mode, &update, &approve)
    }

    /// Proves that manifest, lock and store agree. Offline; writes nothing. A skill that the store does not have is only
    /// counted.
    ///
    /// # Errors
    /// Everything that does not agree.
    pub fn check(&self) -> Result<Checked, Failure> {
        check::check(&self.project, false)
    }

    /// As [`Project::check`], and every skill must be in the store.
    ///
    /// # Errors
    /// Everything that does not agree.
    pub fn check_store(&self) -> Result<Checked, Failure> {
        check::check(&self.project, true)
    }

    /// Gives `ask` what a source needs to be asked by hand, such as [`GitSource::resolve`](Source::resolve).
    ///
    /// # Errors
    /// Those of `ask`; something is wrong with the manifest, which need not be there; variables of the environment that
    /// contradict each other.
    pub fn with_scope<T>(
        &self,
        key: &SourceKey,
        ask: impl FnOnce(&Scope<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let manifest = if self.project.manifest.exists() { self.manifest()? } else { Manifest::default() };
        let (git, limits) = (self.git(&manifest)?, manifest.limits);
        ask(&Scope {
            key,
            project: &self.project,
            limits,
            offline: self.mode.offline,
            git: &git,
            cancellation: &self.cancellation,
            progress: &*self.progress,
        })
    }

    pub(crate) fn cache(&self) -> Result<Cache, Error> {
        match &self.cache {
            Some(directory) => Ok(Cache::in_directory(directory)),
            None => Cache::locate(&self.project.root),
        }
    }

    /// Holds the project: nobody else changes its files until this is dropped.
    #[doc(hidden)]
    pub fn hold(&self) -> Result<ProjectLock, Error> {
        let waiting = || self.progress.on(&Event::Waiting);
        ProjectLock::acquire(&self.project, &self.cache()?, waiting, &self.cancellation)
    }

    fn hold_unless_dry(&self) -> Result<Option<ProjectLock>, Error> {
        if self.mode.dry_run { Ok(None) } else { self.hold().map(Some) }
    }

    /// What reads repositories.
    #[cfg(feature = "git")]
    fn git(&self, manifest: &Manifest) -> Result<helix_skills_git::Git, Error> {
        crate::network::git(manifest, self.mode.offline, &self.progress, &self.cancellation)
    }

    /// What says that this build cannot read repositories.
    #[cfg(not(feature = "git"))]
    fn git(&self, _: &Manifest) -> Result<crate::without_git::WithoutGit, Error> {
        Ok(crate::without_git::WithoutGit)
    }

    /// Syncs with a manifest that need not be on disk. The caller [holds](Self::hold) the project.
    #[doc(hidden)]
    pub fn sync_held(&self, manifest: &Manifest) -> Result<Synced, Failure> {
        self.run(manifest, self.mode, &Update::default(), &|_| true)
    }

    fn run(
        &self,
        manifest: &Manifest,
        mode: Mode,
        update: &Update,
        approve: &dyn Fn(&Synced) -> bool,
    ) -> Result<Synced, Failure> {
        let git = self.git(manifest)?;
        let Self { types, cancellation, .. } = self;
        let progress = &*self.progress;
        let sources = Sources { git: &git, offline: mode.offline, types, cancellation, progress };
        let cache = self.cache()?;
        let (project, remote) = (&self.project, &sources);
        let Update { sources: update, moved_tags } = update;
        let moved_tags = *moved_tags;
        sync::sync(
            &Work { project, cache: &cache, mode, update, remote, progress, cancellation, approve, moved_tags },
            manifest,
        )
    }
}

impl fmt::Debug for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { project, cache, mode, types, .. } = self;
        let types: Vec<&SourceType> = types.keys().collect();
        f.debug_struct("Project")
            .field("project", project)
            .field("cache", cache)
            .field("mode", mode)
            .field("types", &types)
            .finish_non_exhaustive()
    }
}

/// Whose pins are resolved anew.
#[derive(Default)]
struct Update {
    sources: BTreeSet<SourceKey>,
    /// Whether a release tag may mean another commit than it was locked with.
    moved_tags: bool,
}

/// Those of the manifest's sources that are named; all, if none is.
pub(crate) fn known_sources(manifest: &Manifest, named: &[SourceKey]) -> Result<BTreeSet<SourceKey>, Failure> {
    let unknown = named.iter().filter(|key| !manifest.sources.contains_key(*key));
    Failure::unless_empty(unknown.map(|key| Error::unknown_source(key, manifest)).collect())?;
    let all = manifest.sources.keys().filter(|_| named.is_empty());
    Ok(named.iter().chain(all).cloned().collect())
}
