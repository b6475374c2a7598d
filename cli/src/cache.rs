//! The cache: trees of skills by their integrity, shared by projects, and the locks that keep two syncs apart.

use crate::{
    Cancellation, Error,
    contents::{Contents, SkillFile},
    directory::is_executable,
    disk::{self, Durable},
    project::Project,
    store::{files_below, listed_name},
};
use helix_skills_format::{Digest, Integrity, RelPath};
use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// Tells tools that make backups to pass it over; the text is that of the specification at bford.info/cachedir.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# This file marks the cache of helix-skills. It can be deleted.\n";

/// Trees of skills by integrity.
const TREES: &str = "trees-v1";
/// Trees that are not complete yet.
const STAGING: &str = "staging-v1";
/// A file for each project, locked while somebody works on it.
const LOCKS: &str = "locks-v1";

/// How long it waits before it looks again whether a project is free.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The cache of one user.
#[derive(Clone, Debug)]
pub(crate) struct Cache(PathBuf);

/// Holds a project; the locks end with it, or with the process.
pub(crate) struct ProjectLock(#[expect(dead_code, reason = "open for as long as the locks are held")] Vec<fs::File>);

impl Cache {
    /// The cache at `$HELIX_SKILLS_CACHE` (from the directory `start`), else in `$XDG_CACHE_HOME`, else where the platform
    /// keeps such things.
    pub(crate) fn locate(start: &Path) -> Result<Self, Error> {
        use etcetera::BaseStrategy as _;
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(path) = variable("HELIX_SKILLS_CACHE") {
            return Ok(Self(start.join(path)));
        }
        // A relative path there is to be ignored, as the specification of these variables says.
        if let Some(path) = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
            return Ok(Self(path.join("helix-skills")));
        }
        let base = etcetera::base_strategy::choose_native_strategy().map_err(|_| Error::Usage {
            what: "cannot tell where to keep the cache: there is no home directory".to_owned(),
            hint: Some("set HELIX_SKILLS_CACHE to a directory".to_owned()),
        })?;
        Ok(Self(base.cache_dir().join("helix-skills")))
    }

    /// A cache in this directory.
    pub(crate) fn in_directory(directory: &Path) -> Self {
        Self(directory.to_owned())
    }

    /// Where it lies.
    #[cfg(feature = "program")]
    pub(crate) fn root(&self) -> &Path {
        &self.0
    }

    /// Waits until nobody else works on the project or its store, or somebody asks to stop; `waiting` is called when it waits.
    pub(crate) fn lock_project(
        &self,
        project: &Project,
        waiting: impl Fn(),
        cancellation: &Cancellation,
    ) -> Result<ProjectLock, Error> {
        self.prepare(LOCKS)?;
        let key = |path: PathBuf| Digest::of(path.as_os_str().as_encoded_bytes()).to_string();
        let root = if project.root.as_os_str().is_empty() { Path::new(".") } else { &project.root };
        let root = fs::canonicalize(root).map_err(Error::disk("read", root))?;
        // A store that several projects share is held, too. In one order, so that no two wait for each other.
        let mut keys = vec![key(project.store_path()), key(root)];
        keys.sort();
        keys.dedup();
        let mut held = Vec::new();
        for key in keys {
            let path = self.0.join(LOCKS).join(format!("{}.lock", &key[..32]));
            let file = fs::File::create(&path).map_err(|source| Error::Cache { path: path.clone(), source })?;
            let mut has_told = false;
            while let Err(why) = file.try_lock() {
                let fs::TryLockError::WouldBlock = why else {
                    return Err(Error::disk("lock", &path)(why.into()));
                };
                if !has_told {
                    waiting();
                    has_told = true;
                }
                // A lock that is waited for could not be interrupted.
                cancellation.check()?;
                thread::sleep(LOOK_AGAIN);
            }
            held.push(file);
        }
        Ok(ProjectLock(held))
    }

    /// The files of a skill, if the cache has exactly those.
    pub(crate) fn get(&self, integrity: Integrity) -> Result<Option<Contents>, Error> {
        let directory = self.directory(integrity);
        if !directory.is_dir() {
            return Ok(None);
        }
        match read(&directory) {
            Ok(contents) => Ok(contents.filter(|contents| contents.listing().integrity() == integrity)),
            // Somebody cleans the cache right now.
            Err(Error::Disk { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps the files of a skill. They are put in place as a whole, so that a reader sees all or nothing.
    pub(crate) fn put(&self, integrity: Integrity, contents: &Contents) -> Result<(), Error> {
        let directory = self.directory(integrity);
        if let Some(known) = self.get(integrity)? {
            // The executable bits are not digested: those that came last count.
            for (known, file) in known.files().iter().zip(contents.files()) {
                if known.executable != file.executable {
                    disk::make_executable(&directory.join(file.path.as_str()), file.executable)?;
                }
            }
            return Ok(());
        }
        self.prepare(STAGING)?;
        let parent = self.0.join(STAGING);
        let staged =
            tempfile::Builder::new().prefix("skill-").tempdir_in(&parent).map_err(Error::disk("write in", &parent))?;
        for file in contents.files() {
            let path = staged.path().join(file.path.as_str());
            if let Some(above) = path.parent() {
                disk::create_dir(above)?;
            }
            disk::write(&path, &file.bytes, Durable::No)?;
            disk::make_executable(&path, file.executable)?;
        }
        if let Some(above) = directory.parent() {
            disk::create_dir(above)?;
        }
        if disk::rename(staged.path(), &directory).is_ok() || self.get(integrity)?.is_some() {
            // In the second case another sync was first, with the same bytes.
            return Ok(());
        }
        // What is there under that name was damaged.
        disk::remove_tree(&directory)?;
        disk::rename(staged.path(), &directory)
    }

    /// Removes everything; gives the number of files and bytes that went.
    #[cfg(feature = "program")]
    pub(crate) fn clean(&self) -> Result<(u64, u64), Error> {
        let tag = self.0.join("CACHEDIR.TAG");
        if self.0.exists() && !disk::holds(&tag, TAG.as_bytes()) {
            let what = format!("`{}` is no cache of this program: it has not our `CACHEDIR.TAG`", self.0.display());
            return Err(Error::Usage {
                what,
                hint: Some("set HELIX_SKILLS_CACHE to the cache's directory".to_owned()),
            });
        }
        let (mut files, mut bytes) = (0, 0);
        // Locks stay: another sync may hold one.
        for part in [TREES, STAGING] {
            let directory = self.0.join(part);
            for path in files_below(&directory)? {
                files += 1;
                bytes += fs::symlink_metadata(directory.join(path)).map_or(0, |metadata| metadata.len());
            }
            disk::remove_tree(&directory)?;
        }
        Ok((files, bytes))
    }

    fn directory(&self, integrity: Integrity) -> PathBuf {
        let hex = integrity.0.to_string();
        self.0.join(TREES).join(&hex[..2]).join(&hex[2..])
    }

    fn prepare(&self, part: &str) -> Result<(), Error> {
        let attempt = || {
            if !self.0.is_dir() {
                disk::create_dir(&self.0)?;
                make_private(&self.0)?;
            }
            let tag = self.0.join("CACHEDIR.TAG");
            // One that was torn is mended, somebody else's is left alone.
            let found = fs::read(&tag).unwrap_or_default();
            if found.len() < TAG.len() && TAG.as_bytes().starts_with(&found) {
                // As a whole, because another sync may do the same.
                let write = || {
                    let mut staged = tempfile::NamedTempFile::new_in(&self.0)?;
                    staged.write_all(TAG.as_bytes())?;
                    staged.persist(&tag).map_err(|error| error.error)
                };
                write().map_err(Error::disk("write", &tag))?;
            }
            disk::create_dir(&self.0.join(part))
        };
        attempt().map_err(|error| match error {
            Error::Disk { path, source, .. } => Error::Cache { path, source },
            other => other,
        })
    }
}

/// Nobody else may put bytes into a cache that we make; they would be found out, but only after they were read.
#[cfg(unix)]
fn make_private(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path).map_err(Error::disk("read", path))?.permissions().mode() & 0o777;
    if mode & 0o022 == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode & !0o022))
        .map_err(Error::disk("change the mode of", path))
}

#[cfg(not(unix))]
fn make_private(_: &Path) -> Result<(), Error> {
    Ok(())
}

/// The files below a directory; none if anything there could not be a skill's.
fn read(directory: &Path) -> Result<Option<Contents>, Error> {
    let mut files = Vec::new();
    for relative in files_below(directory)? {
        let absolute = directory.join(&relative);
        let metadata = fs::symlink_metadata(&absolute).map_err(Error::disk("read", &absolute))?;
        let path = listed_name(&relative).and_then(|path| RelPath::new(path).ok());
        let (Some(path), true) = (path, metadata.is_file()) else { return Ok(None) };
        let bytes = fs::read(&absolute).map_err(Error::disk("read", &absolute))?;
        files.push(SkillFile { path, bytes, executable: is_executable(&metadata) });
    }
    Ok(Some(Contents::new(files)))
}
