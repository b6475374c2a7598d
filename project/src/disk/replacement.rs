//! Atomic replacement of a file.

use super::{Durable, RootedDir};
use crate::Error;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Replaces a file durably, and returns whether it was written. An identical file is not rewritten.
///
/// # Errors
/// If the file system fails.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    let (directory, name) = parent_of(path)?;
    if directory.holds(name, bytes) {
        return Ok(false);
    }
    Replacement::write_in(directory, name, bytes)?.put_in_place()?;
    Ok(true)
}

/// Opens the directory of a file that is about to be written. An error names the file.
fn parent_of(path: &Path) -> Result<(RootedDir, &Path), Error> {
    RootedDir::open_parent(path).map_err(|error| renamed(path, error))
}

/// Returns the error of a change with the path that the user knows.
fn renamed(path: &Path, error: Error) -> Error {
    error.into_disk().map_or_else(|other| other, |(_, source)| Error::disk("write", path)(source))
}

/// A temporary file next to the file that it will replace, with the same mode.
///
/// It is removed on drop, unless [`Replacement::put_in_place`] was called. Its name is fixed, so
/// that the next process overwrites what a killed process left.
pub(crate) struct Replacement {
    directory: RootedDir,
    temporary: PathBuf,
    name: PathBuf,
}

impl Replacement {
    pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let (directory, name) = parent_of(path)?;
        Self::write_in(directory, name, bytes)
    }

    fn write_in(directory: RootedDir, name: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let (temporary, name) = (temporary_name(name), name.to_owned());
        let replacement = Self { directory, temporary, name };
        let Self { directory, temporary, name } = &replacement;
        let mode = directory.mode_of(name);
        // The user does not know the temporary file, so the error names the other one.
        directory
            .write_as(temporary, bytes, Durable::Yes, mode)
            .map_err(|error| renamed(&directory.path_to(name), error))?;
        Ok(replacement)
    }

    pub(crate) fn put_in_place(self) -> Result<(), Error> {
        self.directory.rename(&self.temporary, &self.name)?;
        self.directory.sync_dir(Path::new(""))
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // It does not exist if it was renamed.
        if self.directory.exists(&self.temporary) {
            let _ = self.directory.remove_file(&self.temporary);
        }
    }
}

/// Removes the temporary file that a killed process left next to one of our files.
pub(crate) fn remove_leftover(path: &Path) -> Result<(), Error> {
    let temporary = path.with_file_name(temporary_name(path));
    if !fs::symlink_metadata(&temporary).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let (directory, name) = RootedDir::open_parent(&temporary)?;
    directory.remove_file(name)
}

/// Returns the name of the temporary file for a [`Replacement`]: `.NAME.new`.
fn temporary_name(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".new");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_replaced_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("gone/helix.skills.json");
        let error = replace(&path, b"").unwrap_err();
        assert_eq!(error.to_string(), format!("failed to write `{}`", path.display()));
    }

    #[cfg(windows)]
    #[test]
    fn file_in_use_is_replaced_when_it_is_closed() {
        use std::{os::windows::fs::OpenOptionsExt as _, thread, time::Duration};
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("helix.skills.lock");
        fs::write(&path, "old").unwrap();
        // Others may read it, and not write, rename or remove it.
        let open = || fs::OpenOptions::new().read(true).share_mode(1).open(&path).unwrap();
        let reader = open();
        let closing = thread::spawn(|| {
            thread::sleep(Duration::from_millis(50));
            drop(reader);
        });
        assert!(replace(&path, b"new").unwrap());
        closing.join().unwrap();
        let _reader = open();
        let error = replace(&path, b"newer").unwrap_err();
        assert_eq!(error.to_string(), format!("failed to replace `{}`", path.display()));
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
