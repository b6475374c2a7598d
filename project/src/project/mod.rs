//! The type [`Project`].

mod compare;
mod content;
mod init;
mod manifest_edit;
mod named;
mod sync;
#[cfg(feature = "git")]
mod upstream;

pub use manifest_edit::{ManifestEdit, Removed};

use crate::manifest::Manifest;
use crate::{
    Cache, Cancellation, Error, Progress, ProgressEvent, paths::ProjectPaths,
    project_lock::ProjectLock, sync::Mode,
};
#[cfg(feature = "git")]
use helix_skills_git::__internal::KeptSessions;
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

/// There are no sessions to keep.
#[cfg(not(feature = "git"))]
type KeptSessions = ();

/// A project: a directory with a manifest, a lockfile and a store.
///
/// The commands of the program `skills` are methods of this type; the [front page](crate) lists
/// them. Relative paths that are given to methods are relative to the directory that the project
/// was created with. Credentials, proxies and timeouts come from the environment, as for the
/// program.
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
/// let project = || Project::at(directory).cache_dir(directory.join("cache"));
/// let lock = project().dry_run(true).sync()?.lock; // writes nothing
/// assert_eq!(lock.skills.keys().next().unwrap().as_str(), "house-style");
///
/// let synced = project().sync()?;
/// assert!(synced.lock_changed && synced.lock == lock);
/// assert_eq!(project().check()?.skills, 1);
/// # Ok::<(), helix_skills_project::Error>(())
/// ```
///
/// The feature `git` adds `outdated` and `newest_release`.
pub struct Project {
    /// Base directory for relative paths of files and of the cache.
    start: PathBuf,
    paths: ProjectPaths,
    /// Whether the caller set the store. Then it may be a link.
    has_named_store: bool,
    cache: Option<PathBuf>,
    mode: Mode,
    progress: Arc<dyn Progress>,
    cancellation: Cancellation,
    /// The sessions of the open [`ManifestEdit`], which lookups and its sync share.
    kept_sessions: Mutex<Weak<KeptSessions>>,
}

impl Project {
    /// Creates a project with manifest, lockfile and store in `directory`. Reads nothing.
    #[must_use]
    pub fn at(directory: impl AsRef<Path>) -> Self {
        let directory = directory.as_ref();
        Self::new(directory, ProjectPaths::at(directory))
    }

    /// Finds the project of the directory `start`: `start` or the nearest parent directory with a
    /// manifest.
    ///
    /// # Errors
    /// If there is no manifest in `start` or a parent directory.
    pub fn find(start: impl AsRef<Path>) -> Result<Self, Error> {
        let start = start.as_ref();
        Ok(Self::new(start, ProjectPaths::find(start)?))
    }

    /// Creates a project with the manifest `file`, and lockfile and store next to it. Relative
    /// paths are relative to `start`.
    ///
    /// # Errors
    /// If the file does not exist.
    pub fn from_manifest_file(
        start: impl AsRef<Path>,
        file: impl AsRef<Path>,
    ) -> Result<Self, Error> {
        let (start, file) = (start.as_ref(), file.as_ref());
        let paths = ProjectPaths::from_manifest_file(start, file);
        if !paths.manifest.exists() {
            return Err(Error::manifest_missing(file));
        }
        Ok(Self::new(start, paths))
    }

    fn new(start: &Path, paths: ProjectPaths) -> Self {
        Self {
            start: start.to_owned(),
            paths,
            has_named_store: false,
            cache: None,
            mode: Mode::default(),
            progress: Arc::new(()),
            cancellation: Cancellation::new(),
            kept_sessions: Mutex::default(),
        }
    }

    /// Uses another manifest than `helix.skills.json`. Relative paths and URLs in it are relative
    /// to its own directory; lockfile and store stay where they are.
    #[must_use]
    pub fn manifest_file(mut self, file: impl AsRef<Path>) -> Self {
        let (lock, store) = (self.paths.lock, self.paths.store);
        self.paths = ProjectPaths {
            lock,
            store,
            ..ProjectPaths::from_manifest_file(&self.start, file.as_ref())
        };
        self
    }

    /// Uses another lockfile than `helix.skills.lock`.
    #[must_use]
    pub fn lock_file(mut self, file: impl AsRef<Path>) -> Self {
        self.paths.lock = self.start.join(file);
        self
    }

    /// Uses another store than `helix.skills/`. It may be a link to a directory.
    #[must_use]
    pub fn store_dir(mut self, directory: impl AsRef<Path>) -> Self {
        let store = self.start.join(directory);
        // Later, no link is followed.
        self.paths.store =
            if store.is_symlink() { dunce::canonicalize(&store).unwrap_or(store) } else { store };
        self.has_named_store = true;
        self
    }

    /// Uses another cache than the user's, which `HELIX_SKILLS_CACHE` names.
    #[must_use]
    pub fn cache_dir(mut self, directory: impl AsRef<Path>) -> Self {
        self.cache = Some(self.start.join(directory));
        self
    }

    /// Sets whether it is an error if the lockfile would change. Default: false.
    #[must_use]
    pub fn locked(mut self, locked: bool) -> Self {
        self.mode.locked = locked;
        self
    }

    /// Sets whether it is an error if the network is needed. Default: false.
    ///
    /// Local repositories do not need the network.
    #[must_use]
    pub fn offline(mut self, offline: bool) -> Self {
        self.mode.offline = offline;
        self
    }

    /// Sets whether a sync restores edited files of the store and removes unknown ones from stored
    /// skills, instead of failing. Default: false.
    #[must_use]
    pub fn restore(mut self, restore: bool) -> Self {
        self.mode.restore = restore;
        self
    }

    /// Sets whether syncs write nothing, and return what they would have done. Default: false.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.mode.dry_run = dry_run;
        self
    }

    /// Sets the receiver of progress events.
    #[must_use]
    pub fn progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// Sets the handle that cancels operations.
    #[must_use]
    pub fn cancellation(mut self, cancellation: Cancellation) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// Returns the directory of the manifest, to which relative paths and URLs in it are relative.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.paths.root
    }

    /// Returns the manifest, or an empty one if the file does not exist.
    #[cfg(feature = "git")]
    fn manifest_or_empty(&self) -> Result<Manifest, Error> {
        if self.paths.manifest.exists() { self.manifest() } else { Ok(Manifest::default()) }
    }

    /// Returns the project's paths, or an error if the manifest is a directory, or the store is not
    /// a directory.
    fn checked_paths(&self) -> Result<&ProjectPaths, Error> {
        self.paths.refuse_directory()?;
        if !self.has_named_store {
            self.paths.refuse_store_link()?;
        }
        Ok(&self.paths)
    }

    /// Locks the project, unless nothing will be written.
    fn lock_unless_dry(&self) -> Result<Option<ProjectLock>, Error> {
        if self.mode.dry_run {
            return Ok(None);
        }
        let on_wait = || self.progress.on(ProgressEvent::Waiting);
        Ok(Some(ProjectLock::acquire(self.checked_paths()?, on_wait, &self.cancellation)?))
    }

    /// Keeps the sessions of repositories while the returned value lives: what is read of a
    /// repository, later operations do not request again.
    fn keep_sessions(&self) -> Arc<KeptSessions> {
        let mut known = self.kept_sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = known.upgrade().unwrap_or_default();
        *known = Arc::downgrade(&kept);
        kept
    }

    /// Returns the reader of repositories.
    #[cfg(feature = "git")]
    fn git(&self, manifest: &Manifest) -> Result<helix_skills_git::Git, Error> {
        let Self { mode, progress, cancellation, .. } = self;
        let kept = self.kept_sessions.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        crate::network::git(manifest, mode.offline, progress, cancellation, kept)
    }

    /// Returns a reader that fails, for builds without the feature `git`.
    #[cfg(not(feature = "git"))]
    fn git(&self, _: &Manifest) -> Result<crate::fetch::WithoutNetwork, Error> {
        Ok(crate::without_git::refuse)
    }
}

#[doc(hidden)]
impl Project {
    /// Returns the path of the manifest.
    #[must_use]
    pub fn manifest_path(&self) -> &Path {
        &self.paths.manifest
    }

    /// Returns the directory of the store.
    #[must_use]
    pub fn store_path(&self) -> &Path {
        &self.paths.store
    }

    /// Shortens a path for messages: relative to [`root`](Self::root) if it is inside it, then with
    /// `/` between names.
    #[must_use]
    pub fn display_path(&self, path: &Path) -> PathBuf {
        self.paths.show(path)
    }

    /// Returns the cache that the project uses.
    ///
    /// # Errors
    /// If there is no home directory, and no environment variable sets the cache.
    pub fn cache(&self) -> Result<Cache, Error> {
        match &self.cache {
            Some(directory) => Ok(Cache::at(directory)),
            None => Cache::locate(&self.start),
        }
    }
}

impl fmt::Debug for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { paths, cache, mode, .. } = self;
        f.debug_struct("Project")
            .field("paths", paths)
            .field("cache", cache)
            .field("mode", mode)
            .finish_non_exhaustive()
    }
}
