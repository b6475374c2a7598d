//! An open directory below which no link is followed.

use super::point;
use crate::Error;
use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::{
    ambient_authority,
    fs::{Dir, Metadata, OpenOptions, Permissions},
};
use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

/// An open directory, and the only way to change files below it.
///
/// Every path is relative to it, and each of its parts is opened without following a link. If
/// another process exchanges a directory with a link, a change fails, or is made in the directory
/// that was opened. It is never made where the link leads.
#[derive(Debug)]
pub(crate) struct RootedDir {
    dir: Dir,
    path: PathBuf,
}

impl RootedDir {
    /// Opens a directory that the caller or the user chose. It may be a link, or below one.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let dir = Dir::open_ambient_dir(here, ambient_authority())
            .map_err(Error::disk("open the directory", here))?;
        Ok(Self { dir, path: path.to_owned() })
    }

    /// Opens the directory that `path` is in, and returns it with the last part of the path.
    pub(crate) fn open_parent(path: &Path) -> Result<(Self, &Path), Error> {
        let Some(name) = path.file_name() else {
            let why = io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
            return Err(Error::disk("open", path)(why));
        };
        Ok((Self::open(path.parent().unwrap_or(Path::new("")))?, Path::new(name)))
    }

    /// Opens a directory that must not be a link itself; `None` if it does not exist.
    pub(crate) fn open_nofollow(path: &Path) -> Result<Option<Self>, Error> {
        // `.` and `..` are never links.
        let opened = match path.file_name() {
            None => Self::open(path),
            Some(_) => Self::open_parent(path).and_then(|(above, name)| above.open_dir(name)),
        };
        match opened {
            Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Opens a directory below this one.
    pub(crate) fn open_dir(&self, inner: &Path) -> Result<Self, Error> {
        self.at("open the directory", inner, |above, name| {
            let dir = open_part(above, name)?;
            Ok(Self { dir, path: self.path_to(inner) })
        })
    }

    /// Returns the path of an entry, for messages and for reading.
    pub(crate) fn path_to(&self, inner: &Path) -> PathBuf {
        // Joining an empty path would append a slash.
        if inner.as_os_str().is_empty() { self.path.clone() } else { self.path.join(inner) }
    }

    /// Returns whether an entry exists, even as a broken link.
    pub(crate) fn exists(&self, inner: &Path) -> bool {
        self.at("read", inner, Dir::symlink_metadata).is_ok()
    }

    /// Returns whether a directory exists, which is not a link.
    pub(crate) fn is_dir(&self, inner: &Path) -> bool {
        self.at("read", inner, Dir::symlink_metadata).is_ok_and(|metadata| metadata.is_dir())
    }

    /// Returns the mode of a regular file; `None` if there is none.
    pub(super) fn mode_of(&self, inner: &Path) -> Option<Permissions> {
        let metadata = self.at("read", inner, Dir::symlink_metadata).ok();
        metadata.filter(Metadata::is_file).map(|metadata| metadata.permissions())
    }

    /// Opens a regular file, without waiting for the other end of a pipe.
    pub(super) fn open_file(&self, inner: &Path, writable: bool) -> Result<fs::File, Error> {
        self.at("open", inner, |above, name| {
            let refused =
                || io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
            if !above.symlink_metadata(name)?.is_file() {
                return Err(refused());
            }
            let mut options = OpenOptions::new();
            options.read(true).write(writable).nonblock(true).follow(FollowSymlinks::No);
            let file = above.open_with(name, &options)?.into_std();
            if file.metadata()?.is_file() { Ok(file) } else { Err(refused()) }
        })
    }

    /// Returns the first bytes of a regular file, at most `limit`; `None` if it cannot be read.
    pub(crate) fn read_up_to(&self, inner: &Path, limit: usize) -> Option<Vec<u8>> {
        let file = self.open_file(inner, false).ok()?;
        let mut found = Vec::with_capacity(limit);
        io::Read::read_to_end(&mut io::Read::take(file, limit as u64), &mut found).ok()?;
        Some(found)
    }

    /// Returns whether a regular file with exactly these bytes exists.
    pub(crate) fn holds(&self, inner: &Path, bytes: &[u8]) -> bool {
        self.read_up_to(inner, bytes.len() + 1).is_some_and(|found| found == bytes)
    }

    /// Calls `act` with the open directory of an entry and the entry's name.
    ///
    /// # Errors
    /// With the `verb`: the error of `act`; a part of `inner` that is a link, a file or missing.
    pub(super) fn at<'p, T>(
        &self,
        verb: &'static str,
        inner: &'p Path,
        act: impl FnOnce(&Dir, &'p Path) -> io::Result<T>,
    ) -> Result<T, Error> {
        let name = inner.file_name().map(Path::new);
        let name = name.ok_or_else(|| Error::disk(verb, self.path_to(inner))(leaves()))?;
        let above =
            self.descend(verb, inner.parent().unwrap_or(Path::new("")), |dir, part, _| {
                open_part(dir, part)
            })?;
        let above = above.as_ref().unwrap_or(&self.dir);
        act(above, name).map_err(Error::disk(verb, self.path_to(inner)))
    }

    /// Opens each part of `inner` with `open`, which is called with the directory above, the name,
    /// and the relative path of the directory above. `None` if `inner` is empty.
    fn descend(
        &self,
        verb: &'static str,
        inner: &Path,
        mut open: impl FnMut(&Dir, &Path, &Path) -> io::Result<Dir>,
    ) -> Result<Option<Dir>, Error> {
        let (mut dir, mut seen) = (None, PathBuf::new());
        for part in inner.components() {
            let Component::Normal(name) = part else {
                return Err(Error::disk(verb, self.path_to(inner))(leaves()));
            };
            let above = dir.as_ref().unwrap_or(&self.dir);
            let below = open(above, Path::new(name), &seen);
            seen.push(name);
            dir = Some(below.map_err(Error::disk(verb, self.path_to(&seen)))?);
        }
        Ok(dir)
    }

    /// Creates a directory and its missing parents. Returns the directories that have a new entry.
    pub(crate) fn create_dir(&self, inner: &Path) -> Result<Vec<PathBuf>, Error> {
        let mut parents = Vec::new();
        self.descend("create the directory", inner, |above, name, seen| {
            match open_part(above, name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                opened => return opened,
            }
            match point().and_then(|()| above.create_dir(name)) {
                // Another process created it first.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => created?,
            }
            parents.push(seen.to_owned());
            open_part(above, name)
        })?;
        Ok(parents)
    }

    /// Opens a directory for [`sync_dir`](Self::sync_dir); `None` if it does not exist, or if a
    /// file has taken its place.
    pub(super) fn open_to_sync(&self, inner: &Path) -> Result<Option<fs::File>, Error> {
        let dir = match self.descend("sync", inner, |above, name, _| open_part(above, name)) {
            Ok(dir) => dir,
            Err(error) => match error.io_kind() {
                Some(io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(None),
                _ => return Err(error),
            },
        };
        // A handle that only resolves paths cannot be synced.
        let opened = dir.as_ref().unwrap_or(&self.dir).open(".");
        opened.map(|file| Some(file.into_std())).map_err(Error::disk("sync", self.path_to(inner)))
    }
}

/// Opens a directory that must not be a link.
fn open_part(above: &Dir, name: &Path) -> io::Result<Dir> {
    above.open_dir_nofollow(name).map_err(|error| match above.symlink_metadata(name) {
        Ok(found) if !found.is_dir() => io::Error::new(
            io::ErrorKind::NotADirectory,
            "it is a link or a file, expected a directory",
        ),
        _ => error,
    })
}

/// Returns the error for a path with `..`, a root, or no name.
fn leaves() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the path leaves its directory")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn paths_through_links_and_out_of_the_root_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let root = RootedDir::open(directory.path()).unwrap();
        root.create_dir(Path::new("root/a")).unwrap();
        root.create_dir(Path::new("outside")).unwrap();
        symlink("../outside", directory.path().join("root/link")).unwrap();
        symlink("a", directory.path().join("root/inside")).unwrap();
        let root = root.open_dir(Path::new("root")).unwrap();
        let kind = |error: Error| error.io_kind().unwrap();
        for path in ["link/x", "inside/x"] {
            let error = root.write(Path::new(path), b"x", super::super::Durable::No).unwrap_err();
            assert_eq!(kind(error), io::ErrorKind::NotADirectory, "{path}");
            let error = root.create_dir(Path::new(path)).unwrap_err();
            assert_eq!(kind(error), io::ErrorKind::NotADirectory, "{path}");
        }
        for path in ["../outside/x", "a/../../outside/x", "/tmp/x", "", ".."] {
            let error = root.remove_tree(Path::new(path)).unwrap_err();
            assert_eq!(kind(error), io::ErrorKind::InvalidInput, "{path}");
        }
        assert_eq!(fs::read_dir(directory.path().join("outside")).unwrap().count(), 0);
    }
}
