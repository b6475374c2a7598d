//! Opening files in a directory so that no link leads out of it.
//!
//! If a path were checked first and opened later, a file could be replaced in between. Here the
//! operating system resolves the path and refuses to leave the directory (`openat2` on Linux,
//! component by component elsewhere), and all further checks are made on the opened file.
//!
//! An absolute link is refused wherever it leads, because nothing is resolved from `/`.

use crate::{Error, error::Problem, file_version::FileVersion};
use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::{
    ambient_authority,
    fs::{Dir, File, OpenOptions},
};
use helix_skills_format::SkillMd;
use std::{
    ffi::OsString,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
};

/// Maximum number of attempts to read a file that changes while it is read.
const MAX_READS: usize = 5;

/// An open directory in which paths are resolved without leaving it.
pub(crate) struct RootedDir {
    dir: Dir,
    path: PathBuf,
}

/// The type of a directory entry, after following links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Directory,
    /// A link that leads out of the directory.
    Outside,
    /// A device, a pipe or a dangling link.
    Other,
}

impl RootedDir {
    /// Opens a directory, which may itself be a link.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        match Dir::open_ambient_dir(here, ambient_authority()) {
            Ok(dir) => Ok(Self { dir, path: path.to_owned() }),
            Err(source) => Err(map_io_error(source, path, path)),
        }
    }

    #[cfg(feature = "install")]
    pub(crate) fn into_dir(self) -> Dir {
        self.dir
    }

    /// Returns whether the path still leads to the opened directory. As long as that one is
    /// open, no other directory can have the same identity.
    pub(crate) fn is_in_place(&self) -> Result<bool, Error> {
        let version = |dir: &Dir| match dir.dir_metadata() {
            Ok(metadata) => Ok(FileVersion::from_metadata(&metadata)),
            Err(source) => Err(Problem::Read { source }.at(self.path.clone())),
        };
        Ok(version(&self.dir)?.is_same_file(&version(&Self::open(&self.path)?.dir)?))
    }

    /// Opens the file at `inner`, following links.
    pub(crate) fn open_file(&self, inner: &Path) -> Result<OpenFile, Error> {
        let path = self.path.join(inner);
        // Without `nonblock`, opening a pipe would wait for a writer.
        let opened = self.dir.open_with(inner, OpenOptions::new().read(true).nonblock(true));
        let file = opened.map_err(|source| match source.kind() {
            // Windows does not open directories.
            io::ErrorKind::PermissionDenied if self.entry_kind(inner) == EntryKind::Directory => {
                Problem::NotAFile.at(&path)
            }
            _ => map_io_error(source, &path, &self.path),
        })?;
        OpenFile::from_file(file, path)
    }

    /// Opens the `SKILL.md` of the directory at `inner`, and returns its name. Names are compared
    /// exactly, also by systems that ignore case.
    pub(crate) fn open_skill_md(&self, inner: &Path) -> Result<(&'static str, OpenFile), Error> {
        let ignores_case = cfg!(any(windows, target_os = "macos"));
        for name in SkillMd::FILE_NAMES {
            let is_exact = || {
                let mut entries = self.read_dir(inner).into_iter().flatten().flatten();
                entries.any(|(entry, _)| entry == name)
            };
            match self.open_file(&inner.join(name)) {
                Err(error) if error.is_missing() => {}
                Ok(_) if ignores_case && !is_exact() => {}
                opened => return Ok((name, opened?)),
            }
        }
        Err(Problem::Missing.at(self.path.join(inner).join(SkillMd::FILE_NAMES[0])))
    }

    /// Opens the file at `inner`. Fails if it, or a directory on the way, is a link.
    pub(crate) fn open_file_nofollow(&self, inner: &Path) -> Result<OpenFile, Error> {
        let path = self.path.join(inner);
        let refused = |source: io::Error, dir: &Dir, name: &Path| match dir.symlink_metadata(name) {
            Ok(found) if found.is_symlink() => Problem::Link.at(path.clone()),
            _ => map_io_error(source, &path, &self.path),
        };
        let name = Path::new(inner.file_name().unwrap_or_default());
        let mut above = None;
        for part in inner.parent().into_iter().flat_map(Path::components) {
            let dir = above.as_ref().unwrap_or(&self.dir);
            let part = Path::new(part.as_os_str());
            above = Some(dir.open_dir_nofollow(part).map_err(|source| refused(source, dir, part))?);
        }
        let dir = above.as_ref().unwrap_or(&self.dir);
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        let file = dir.open_with(name, &options).map_err(|source| refused(source, dir, name))?;
        OpenFile::from_file(file, path)
    }

    /// Returns the entries of the directory at `inner`.
    pub(crate) fn read_dir(
        &self,
        inner: &Path,
    ) -> Result<impl Iterator<Item = Result<DirEntry, Error>> + use<>, Error> {
        let path = self.path.join(inner);
        let inner = if inner.as_os_str().is_empty() { Path::new(".") } else { inner };
        let entries =
            self.dir.read_dir(inner).map_err(|source| map_io_error(source, &path, &self.path))?;
        Ok(entries.map(move |entry| {
            let read = entry.and_then(|entry| {
                let kind = entry.file_type()?;
                let kind = match () {
                    () if kind.is_symlink() => None,
                    () if kind.is_dir() => Some(EntryKind::Directory),
                    () if kind.is_file() => Some(EntryKind::File),
                    () => Some(EntryKind::Other),
                };
                Ok((entry.file_name(), kind))
            });
            read.map_err(|source| map_io_error(source, &path, &path))
        }))
    }

    /// Returns the type of the entry at `inner`.
    pub(crate) fn entry_kind(&self, inner: &Path) -> EntryKind {
        match self.dir.metadata(inner) {
            Ok(found) if found.is_dir() => EntryKind::Directory,
            Ok(found) if found.is_file() => EntryKind::File,
            Err(error) if is_escape(&error) => EntryKind::Outside,
            _ => EntryKind::Other,
        }
    }

    /// Returns whether `inner` is a link.
    pub(crate) fn is_link(&self, inner: &Path) -> bool {
        self.dir.symlink_metadata(inner).is_ok_and(|found| found.is_symlink())
    }

    /// Returns the size of the file at `inner`, and whether its owner may execute it (`false` where
    /// files have no such permission). Does not follow a link.
    pub(crate) fn len_and_executable(&self, inner: &Path) -> Result<(u64, bool), Error> {
        let found = self
            .dir
            .symlink_metadata(inner)
            .map_err(|source| map_io_error(source, &self.path_to(inner), &self.path))?;
        #[cfg(unix)]
        let is_executable = cap_std::fs::MetadataExt::mode(&found) & 0o100 != 0;
        #[cfg(not(unix))]
        let is_executable = false;
        Ok((found.len(), is_executable))
    }

    /// Returns the path of `inner`, for messages.
    pub(crate) fn path_to(&self, inner: &Path) -> PathBuf {
        // Joining an empty path would append a slash.
        if inner.as_os_str().is_empty() { self.path.clone() } else { self.path.join(inner) }
    }
}

/// The name of a directory's entry, and its type; `None` for a link.
type DirEntry = (OsString, Option<EntryKind>);

/// An open regular file.
pub(crate) struct OpenFile {
    file: File,
    path: PathBuf,
    pub(crate) version: FileVersion,
}

impl OpenFile {
    /// Opens a file by its path, without a root.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let opened = File::open_ambient_with(
            path,
            OpenOptions::new().read(true).nonblock(true),
            ambient_authority(),
        );
        Self::from_file(opened.map_err(|source| map_io_error(source, path, path))?, path.to_owned())
    }

    fn from_file(file: File, path: PathBuf) -> Result<Self, Error> {
        match file.metadata() {
            Ok(metadata) if metadata.is_file() => {
                Ok(Self { file, path, version: FileVersion::from_metadata(&metadata) })
            }
            Ok(_) => Err(Problem::NotAFile.at(path)),
            Err(source) => Err(Problem::Read { source }.at(path)),
        }
    }

    /// Appends to `bytes` until it has `max` bytes or the file ends. Returns whether the file has
    /// ended.
    pub(crate) fn read_until(&mut self, bytes: &mut Vec<u8>, max: usize) -> Result<bool, Error> {
        let wanted = max.saturating_sub(bytes.len());
        let read = (&mut self.file).take(wanted as u64).read_to_end(bytes);
        let read = read.map_err(|source| Problem::Read { source }.at(self.path.clone()))?;
        Ok(read < wanted)
    }

    /// Returns the whole content, if it is at most `limit` bytes.
    ///
    /// A file that is written while it is read is read again, up to [`MAX_READS`] times: otherwise
    /// its content could be the start of one version and the end of another. Two writes within one
    /// tick of the file system's clock look like one.
    pub(crate) fn read_whole(mut self, limit: u64) -> Result<Vec<u8>, Error> {
        for _ in 0..MAX_READS {
            let bytes = self.read_once(limit)?;
            let failed = |source| Problem::Read { source }.at(self.path.clone());
            let version = FileVersion::from_metadata(&self.file.metadata().map_err(failed)?);
            if version == self.version {
                return Ok(bytes);
            }
            self.version = version;
            self.file.rewind().map_err(failed)?;
        }
        let source =
            io::Error::other(format!("it changed during each of {MAX_READS} attempts to read it"));
        Err(Problem::Read { source }.at(self.path))
    }

    fn read_once(&mut self, limit: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        if self.version.len() <= limit {
            // The file may have grown since it was opened.
            let max = usize::try_from(limit.saturating_add(1)).unwrap_or(usize::MAX);
            self.read_until(&mut bytes, max)?;
        }
        match self.version.len().max(bytes.len() as u64) {
            len if len > limit => Err(Problem::too_large(len, limit).at(self.path())),
            _ => Ok(bytes),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns whether a path was refused because it leads out of the directory. Unlike errors of the
/// operating system, this error of cap-std has no error number.
pub(crate) fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

/// Converts an I/O error on `path` in `root`.
fn map_io_error(source: io::Error, path: &Path, root: &Path) -> Error {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::NotFound => Problem::Missing.at(path),
        _ if is_escape(&source) => Problem::Outside { root: root.to_owned() }.at(path),
        _ => Problem::Read { source }.at(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::display_path;
    use std::io::Write;

    #[test]
    fn file_written_after_it_was_opened_is_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        std::fs::write(&path, "one").unwrap();
        let mut file = OpenFile::open(&path).unwrap();
        // Reads the start of the first version, as if the write came between two reads.
        let mut start = Vec::new();
        assert!(!file.read_until(&mut start, 1).unwrap());
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().write_all(b"second").unwrap();
        assert_eq!(file.read_whole(100).unwrap(), b"second");

        let file = OpenFile::open(&path).unwrap();
        std::fs::write(&path, "x".repeat(101)).unwrap();
        assert_eq!(
            file.read_whole(100).unwrap_err().to_string(),
            format!("`{}` has 101 bytes; the limit is 100", display_path(&path))
        );
    }
}
