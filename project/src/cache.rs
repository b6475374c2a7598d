//! The user's cache: files of skills by their integrity, shared by projects and never read by a
//! build.

use crate::{
    Error,
    contents::{Contents, SourceFile},
    disk::{self, Durable, RootedDir},
    locked_file,
    metadata::{is_executable, is_no_directory},
    parallel,
    paths::ProjectPaths,
    regular_file::{self, Links},
    store::{files_below, listed_name},
};
use helix_skills_format::{Digest, Integrity, RelPath};
use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

/// The file that marks the directory of a cache.
const TAG_FILE: &str = "CACHEDIR.TAG";
/// Marks a directory that backup tools skip, as specified at bford.info/cachedir.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This file marks the cache of helix-skills. It can be deleted.\n";

/// Trees of skills by integrity.
const TREES: &str = "trees-v1";
/// Incomplete trees: one directory for each project, written only while the project is locked. The
/// next sync of the project removes what a killed sync left there.
const STAGING: &str = "staging-v1";
/// Number of directories that are removed at the same time. A removal mostly waits for the disk.
const REMOVALS: usize = 8;
/// Lock files for directories that cannot be locked themselves.
const LOCKS: &str = "locks-v1";

/// A directory with files of skills by their integrity, shared by the projects of a user.
///
/// A sync of locked skills that are in the cache needs no network. Files are verified when they are
/// read. A cache that cannot be written is only a warning, because it merely saves downloads.
#[derive(Clone, Debug)]
pub struct Cache(PathBuf);

impl Cache {
    /// Returns the user's cache: `$HELIX_SKILLS_CACHE`, which may be relative to `start`, else
    /// `helix-skills` in `$XDG_CACHE_HOME`, else in the platform's cache directory.
    ///
    /// # Errors
    /// Neither variable is set, and the home directory is unknown.
    pub fn locate(start: impl AsRef<Path>) -> Result<Self, Error> {
        use etcetera::BaseStrategy as _;
        let variable =
            |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(path) = variable("HELIX_SKILLS_CACHE") {
            return Ok(Self(start.as_ref().join(path)));
        }
        // The XDG specification says to ignore relative paths.
        if let Some(path) = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute()) {
            return Ok(Self(path.join("helix-skills")));
        }
        let base = etcetera::base_strategy::choose_native_strategy().map_err(|_| {
            Error::usage(
                "cannot determine the cache directory: there is no home directory",
                "set HELIX_SKILLS_CACHE to a directory",
            )
        })?;
        Ok(Self(base.cache_dir().join("helix-skills")))
    }

    /// Returns the cache in this directory.
    pub(crate) fn at(directory: &Path) -> Self {
        Self(directory.to_owned())
    }

    /// Returns its directory, which need not exist.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.0
    }

    /// Opens the lock file for a directory that cannot be locked itself.
    pub(crate) fn lock_of(&self, place: &Path) -> Result<(PathBuf, fs::File), Error> {
        let attempt = || {
            disk::create_own_dir(&self.0)?;
            let root = RootedDir::open(&self.0)?;
            root.create_dir(Path::new(LOCKS))?;
            let inner = Path::new(LOCKS).join(format!("{}.lock", name_of(place)));
            Ok((root.path_to(&inner), root.open_to_lock(&inner)?))
        };
        attempt().map_err(cache_error)
    }

    /// Returns the files of a skill if the cache has exactly those. `skill_bytes` is the size of
    /// the skill in the lockfile: a tree that is much larger is not read.
    pub(crate) fn get(
        &self,
        integrity: Integrity,
        skill_bytes: u64,
    ) -> Result<Option<Contents>, Error> {
        let directory = self.tree(integrity)?;
        if !fs::symlink_metadata(&directory).is_ok_and(|metadata| metadata.is_dir()) {
            return Ok(None);
        }
        match read(&directory, skill_bytes.max(locked_file::LONG)) {
            Ok(contents) => {
                Ok(contents.filter(|contents| contents.listing().integrity() == integrity))
            }
            // Another process is cleaning the cache.
            Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stores the files of skills, for a project that is locked. Each directory is renamed into
    /// place, so that other processes see all files or none. Removes what an interrupted sync of
    /// the project left.
    pub(crate) fn put(
        &self,
        project: &ProjectPaths,
        skills: Vec<(Integrity, &Contents)>,
    ) -> Result<(), Error> {
        let mut missing = Vec::new();
        for (integrity, contents) in skills {
            match self.get(integrity, contents.bytes())? {
                None => missing.push((integrity, contents)),
                // Executable bits are not part of the integrity: the cache keeps the ones that were
                // fetched last.
                Some(known) => {
                    for (known, file) in known.files().iter().zip(contents.files()) {
                        if known.executable != file.executable {
                            let path = tree(integrity).join(file.path.as_str());
                            RootedDir::open(&self.0)?.make_executable(&path, file.executable)?;
                        }
                    }
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let staged = Path::new(STAGING).join(name_of(&project.real_root()?));
        let keep = || {
            // Files written by other users would be rejected, but only after they were read.
            disk::create_own_dir(&self.0)?;
            let root = RootedDir::open(&self.0)?;
            if root.exists(&staged) {
                root.remove_tree(&staged)?;
            }
            root.create_dir(&staged)?;
            let kept = tag(&root, &staged).and_then(|()| {
                missing.iter().try_for_each(|skill| self.keep(&root, &staged, *skill))
            });
            let _ = root.remove_tree(&staged);
            kept
        };
        keep().map_err(cache_error)
    }

    /// Writes the files of a skill to the directory `staged`, and renames them into place.
    fn keep(
        &self,
        root: &RootedDir,
        staged: &Path,
        (integrity, contents): (Integrity, &Contents),
    ) -> Result<(), Error> {
        let staged = staged.join("tree");
        root.create_dir(&staged)?;
        // Windows does not rename an open directory.
        {
            let directory = root.open_dir(&staged)?;
            for file in contents.files() {
                let path = Path::new(file.path.as_str());
                if let Some(above) = path.parent() {
                    directory.create_dir(above)?;
                }
                directory.write(path, &file.bytes, Durable::No)?;
                if file.executable {
                    directory.make_executable(path, true)?;
                }
            }
        }
        let tree = tree(integrity);
        if let Some(above) = tree.parent() {
            root.create_dir(above)?;
        }
        let Err(why) = root.rename(&staged, &tree) else { return Ok(()) };
        if self.get(integrity, contents.bytes())?.is_some() {
            // Another sync has stored the same bytes.
            return root.remove_tree(&staged);
        }
        if !root.exists(&tree) {
            return Err(why);
        }
        // The existing directory is damaged.
        root.remove_tree(&tree)?;
        root.rename(&staged, &tree)
    }

    /// Removes all skills from the cache, and returns the number of removed files and their total
    /// size in bytes.
    ///
    /// # Errors
    /// The directory is not a cache; a file cannot be removed.
    pub fn clean(&self) -> Result<(u64, u64), Error> {
        let mut cleaned = (0, 0);
        if !self.0.exists() {
            return Ok(cleaned);
        }
        // Opened once, so that the tag and the trees are in the same directory.
        let root = RootedDir::open(&self.0).ok();
        let is_tagged = |root: &RootedDir| root.holds(Path::new(TAG_FILE), TAG.as_bytes());
        let Some(root) = root.filter(is_tagged) else {
            let message = format!(
                "`{}` is not a skills cache: it has no `{TAG_FILE}` of this program",
                self.0.display()
            );
            return Err(Error::usage(message, "set HELIX_SKILLS_CACHE to the cache's directory"));
        };
        // Locks stay: another sync may hold one.
        for part in [TREES, STAGING].map(Path::new) {
            let trees = entries(&self.0.join(part))?;
            let trees = trees.into_iter().map(|name| part.join(name)).collect();
            let mut removed = parallel::map_on(REMOVALS, trees, |tree| remove(&root, &tree));
            removed.push(remove(&root, part));
            for removed in removed {
                let (files, bytes) = removed?;
                cleaned = (cleaned.0 + files, cleaned.1 + bytes);
            }
        }
        Ok(cleaned)
    }

    /// Returns the path of the files with this integrity, which need not exist yet.
    ///
    /// # Errors
    /// A directory on the way is a link or a file. The root itself may be a link.
    fn tree(&self, integrity: Integrity) -> Result<PathBuf, Error> {
        let tree = tree(integrity);
        for above in tree.ancestors().skip(1) {
            let path = self.0.join(above);
            if !above.as_os_str().is_empty() && is_no_directory(&path) {
                let why = "it is a link or a file, expected a directory";
                let source = io::Error::new(io::ErrorKind::NotADirectory, why);
                return Err(Error::cache(path, source));
            }
        }
        Ok(self.0.join(tree))
    }
}

/// Returns the path of the files with this integrity below the root of a cache.
fn tree(integrity: Integrity) -> PathBuf {
    let hex = integrity.0.to_string();
    Path::new(TREES).join(&hex[..2]).join(&hex[2..])
}

/// Writes the tag if it is missing, incomplete, or not a regular file. A tag with other text is
/// kept. It is renamed into place, because another sync may do the same.
fn tag(root: &RootedDir, staged: &Path) -> Result<(), Error> {
    let tag = Path::new(TAG_FILE);
    let mut found = Vec::new();
    if let Ok(Some((file, _))) = regular_file::open(&root.path_to(tag), Links::Refuse) {
        let _ = file.take(TAG.len() as u64).read_to_end(&mut found);
    }
    if found.len() == TAG.len() || !TAG.as_bytes().starts_with(&found) {
        return Ok(());
    }
    let staged = staged.join(tag);
    root.write(&staged, TAG.as_bytes(), Durable::No)?;
    root.rename(&staged, tag)
}

/// Returns the names in a directory; none if it is missing or a link.
fn entries(directory: &Path) -> Result<Vec<OsString>, Error> {
    if is_no_directory(directory) || !directory.exists() {
        return Ok(Vec::new());
    }
    let read =
        || fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>();
    read().map_err(Error::read(directory))
}

/// Removes a directory with its files, and returns their number and size. Other processes may
/// remove and store skills there meanwhile.
fn remove(root: &RootedDir, inner: &Path) -> Result<(u64, u64), Error> {
    let path = root.path_to(inner);
    let found = match files_below(&path) {
        Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Vec::new(),
        found => found?,
    };
    let size = |file| fs::symlink_metadata(path.join(file)).map_or(0, |metadata| metadata.len());
    let cleaned = (found.len() as u64, found.into_iter().map(size).sum());
    match root.remove_tree(inner) {
        Err(error) if error.io_kind() == Some(io::ErrorKind::DirectoryNotEmpty) => Ok(cleaned),
        removed => removed.map(|()| cleaned),
    }
}

/// Converts a disk error in the cache to an error whose hint says how to use another cache.
fn cache_error(error: Error) -> Error {
    error.into_disk().map_or_else(|other| other, |(path, source)| Error::cache(path, source))
}

/// Reads the files below a directory. `None` if they are larger than `limit` bytes, or if an entry
/// cannot belong to a skill.
fn read(directory: &Path, limit: u64) -> Result<Option<Contents>, Error> {
    let (mut files, mut left) = (Vec::new(), limit);
    for relative in files_below(directory)? {
        let absolute = directory.join(&relative);
        let metadata = fs::symlink_metadata(&absolute).map_err(Error::read(&absolute))?;
        let path = listed_name(&relative).and_then(|path| RelPath::new(path).ok());
        let (Some(path), true) = (path, metadata.is_file()) else { return Ok(None) };
        let bytes = match regular_file::read(&absolute, Links::Refuse, left) {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(None),
            read => read.map_err(Error::read(&absolute))?,
        };
        left -= bytes.len() as u64;
        files.push(SourceFile { path, bytes, executable: is_executable(&metadata) });
    }
    Ok(Some(Contents::new(files)))
}

/// Returns a short, unique name for the path of a directory, whose links are resolved.
fn name_of(place: &Path) -> String {
    Digest::hash(place.as_os_str().as_encoded_bytes()).to_string()[..32].to_owned()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Creates a directory with the file `precious` and a cache.
    fn cache() -> (tempfile::TempDir, Cache) {
        let directory = tempfile::tempdir().unwrap();
        let root = RootedDir::open(directory.path()).unwrap();
        root.write(Path::new("precious"), b"mine", Durable::No).unwrap();
        let cache = Cache::at(&directory.path().join("cache"));
        (directory, cache)
    }

    #[test]
    fn lock_files_are_not_truncated() {
        let (directory, cache) = cache();
        let (path, file) = cache.lock_of(directory.path()).unwrap();
        drop(file);
        let (locks, name) = RootedDir::open_parent(&path).unwrap();
        locks.write(name, b"mine", Durable::No).unwrap();
        let (_, file) = cache.lock_of(directory.path()).unwrap();
        file.try_lock().unwrap();
        assert!(locks.holds(name, b"mine"));
    }

    #[test]
    fn links_are_not_locked() {
        let (directory, cache) = cache();
        let root = RootedDir::open(directory.path()).unwrap();
        let (path, file) = cache.lock_of(directory.path()).unwrap();
        drop(file);
        for target in ["precious", "none"] {
            let (locks, name) = RootedDir::open_parent(&path).unwrap();
            locks.remove_file(name).unwrap();
            symlink(directory.path().join(target), &path).unwrap();
            let error = cache.lock_of(directory.path()).unwrap_err();
            assert_eq!(error.code(), "cache");
            assert!(error.to_string().contains(&path.display().to_string()), "{error:?}");
        }
        let precious = Path::new("precious");
        assert!(root.holds(precious, b"mine") && !root.exists(Path::new("none")));
    }

    #[test]
    fn locks_are_not_made_in_linked_directories() {
        let (directory, cache) = cache();
        let outside = directory.path().join("outside");
        disk::create_dir(&outside).unwrap();
        disk::create_dir(&cache.0).unwrap();
        symlink(&outside, cache.0.join(LOCKS)).unwrap();
        let error = cache.lock_of(directory.path()).unwrap_err();
        assert!(error.hint().unwrap().starts_with("remove it"), "{error:?}");
        assert_eq!(files_below(&outside).unwrap(), Vec::<PathBuf>::new());
    }
}
