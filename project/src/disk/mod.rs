//! All changes to the disk.
//!
//! `clippy.toml` forbids the functions of `std` that change files everywhere else, so that a test
//! can kill the program before each change or let it fail (see `point`).
#![expect(clippy::disallowed_methods, reason = "only this module changes files")]

mod point;
mod replacement;

pub use replacement::replace;
pub(crate) use replacement::{Replacement, remove_known_leftover, remove_leftover, replace_via};

use crate::{
    Error,
    regular_file::{self, Links},
};
use point::point;
use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Whether a file has to survive a power failure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durable {
    Yes,
    /// Its bytes are verified whenever it is read, so an incomplete file is harmless.
    No,
}

/// Writes a new file. Removes an existing file or link first, and never writes through a link.
pub(crate) fn write(path: &Path, bytes: &[u8], durable: Durable) -> Result<(), Error> {
    write_as(path, bytes, durable, None)
}

/// Like [`write()`], but sets the mode before writing the first byte.
fn write_as(
    path: &Path,
    bytes: &[u8],
    durable: Durable,
    mode: Option<fs::Permissions>,
) -> Result<(), Error> {
    if fs::symlink_metadata(path).is_ok() {
        remove_file(path)?;
    }
    let attempt = || {
        point()?;
        let mut file = fs::File::create_new(path)?;
        if let Some(mode) = mode {
            point()?;
            file.set_permissions(mode)?;
        }
        let (first, second) = bytes.split_at(bytes.len() / 2);
        point()?;
        file.write_all(first)?;
        point()?;
        file.write_all(second)?;
        if durable == Durable::Yes {
            point()?;
            file.sync_all()?;
        }
        Ok(())
    };
    attempt().map_err(Error::disk("write", path))
}

/// Renames `from` to `to`, which is replaced if it exists.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    point().and_then(|()| fs::rename(from, to)).map_err(Error::disk("replace", to))
}

/// Creates a directory and its missing parents. Returns the directories that have a new entry.
///
/// # Errors
/// If the file system fails.
pub fn create_dir(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.is_dir();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    let mut parents = Vec::new();
    for directory in missing.into_iter().rev() {
        create_one(directory, &fs::DirBuilder::new())
            .map_err(Error::disk("create the directory", path))?;
        parents.extend(directory.parent().map(Path::to_owned));
    }
    Ok(parents)
}

/// Creates a directory that only the current user can write to, and its missing parents.
pub(crate) fn create_own_dir(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        create_dir(parent)?;
    }
    create_one(path, &user_writable()).map_err(Error::disk("create the directory", path))
}

#[cfg(unix)]
fn user_writable() -> fs::DirBuilder {
    use std::os::unix::fs::DirBuilderExt as _;
    let mut builder = fs::DirBuilder::new();
    builder.mode(0o755);
    builder
}

#[cfg(not(unix))]
fn user_writable() -> fs::DirBuilder {
    fs::DirBuilder::new()
}

fn create_one(path: &Path, builder: &fs::DirBuilder) -> io::Result<()> {
    match point().and_then(|()| builder.create(path)) {
        // Another process created it first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        other => other,
    }
}

/// Removes a file if it exists.
pub(crate) fn remove_file(path: &Path) -> Result<(), Error> {
    match point().and_then(|()| fs::remove_file(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(Error::disk("remove", path)),
    }
}

/// Removes a directory with its contents, or a file or link. Does not follow links.
pub(crate) fn remove_tree(path: &Path) -> Result<(), Error> {
    if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_dir()) {
        return remove_file(path);
    }
    match point().and_then(|()| fs::remove_dir_all(path)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(Error::disk("remove", path)),
    }
}

/// Removes a directory if it is empty, and returns whether it was removed.
pub(crate) fn remove_empty_dir(path: &Path) -> bool {
    point().and_then(|()| fs::remove_dir(path)).is_ok()
}

/// Sets or clears the executable bits of a file.
#[cfg(unix)]
pub(crate) fn make_executable(path: &Path, executable: bool) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path).map_err(Error::disk("read", path))?.permissions().mode();
    let wanted = if executable { mode | 0o111 } else { mode & !0o111 };
    if mode == wanted {
        return Ok(());
    }
    let attempt =
        point().and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(wanted)));
    attempt.map_err(Error::disk("change the mode of", path))
}

#[cfg(not(unix))]
pub fn make_executable(_: &Path, _: bool) -> Result<(), Error> {
    Ok(())
}

/// Sets the modification time of a file.
pub(crate) fn set_time(path: &Path, time: SystemTime) -> Result<(), Error> {
    let file = fs::File::options().write(true).open(path).map_err(Error::disk("open", path))?;
    point().and_then(|()| file.set_modified(time)).map_err(Error::disk("set the time of", path))
}

/// Opens a lock file, and creates it if it is missing.
///
/// An existing file is not truncated, and a link is not followed, because another user of a shared
/// cache may have created it.
pub(crate) fn open_to_lock(path: &Path) -> Result<fs::File, Error> {
    let attempt = || {
        point()?;
        match fs::File::create_new(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let opened = regular_file::open_to_write(path, Links::Refuse)?;
                let refused =
                    || io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
                opened.map(|(file, _)| file).ok_or_else(refused)
            }
            other => other,
        }
    };
    attempt().map_err(Error::disk("open", path))
}

/// Makes renames, creations and removals in a directory durable.
#[cfg(unix)]
pub(crate) fn sync_dir(path: &Path) -> Result<(), Error> {
    let attempt = || {
        let directory = fs::File::open(path)?;
        point()?;
        match directory.sync_all() {
            // Some file systems cannot sync directories.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(())
            }
            other => other,
        }
    };
    attempt().map_err(Error::disk("sync", path))
}

#[cfg(not(unix))]
pub fn sync_dir(_: &Path) -> Result<(), Error> {
    Ok(())
}

/// Returns whether a regular file with exactly these bytes exists.
pub(crate) fn holds(path: &Path, bytes: &[u8]) -> bool {
    regular_file::read(path, Links::Refuse, bytes.len() as u64).is_ok_and(|found| found == bytes)
}
