//! Atomic replacement of a file.

use super::{Durable, holds, point::point, remove_file, rename, sync_dir, write, write_as};
use crate::Error;
use crate::error::FileProblem;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Replaces a file: writes `staged` and renames it. An identical file is not rewritten.
pub(crate) fn replace_via(staged: &Path, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if holds(path, bytes) {
        return Ok(());
    }
    write(staged, bytes, Durable::Yes)?;
    rename(staged, path)
}

/// Replaces a file durably, and returns whether it was written. An identical file is not rewritten.
///
/// # Errors
/// If the file system fails.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    if holds(path, bytes) {
        return Ok(false);
    }
    Replacement::write(path, bytes)?.put_in_place()?;
    Ok(true)
}

/// A temporary file next to the file that it will replace, with the same mode.
///
/// It is removed on drop, unless [`Replacement::put_in_place`] was called. Its name is fixed, so
/// that the next process overwrites what a killed process left.
pub(crate) struct Replacement {
    temporary: PathBuf,
    path: PathBuf,
}

impl Replacement {
    pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let replacement = Self { temporary: temporary_path(path), path: path.to_owned() };
        let before = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
        let mode = before.map(|metadata| metadata.permissions());
        // The user does not know the temporary file, so the error names the other one.
        write_as(&replacement.temporary, bytes, Durable::Yes, mode).map_err(
            |error| match error {
                Error::Disk { verb: verb @ "write", source, .. } => Error::disk(verb, path)(source),
                other => other,
            },
        )?;
        Ok(replacement)
    }

    pub(crate) fn put_in_place(self) -> Result<(), Error> {
        rename(&self.temporary, &self.path)?;
        match self.path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => sync_dir(parent),
            None => Ok(()),
        }
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // It does not exist if it was renamed.
        if fs::symlink_metadata(&self.temporary).is_ok() {
            let _ = point().and_then(|()| fs::remove_file(&self.temporary));
        }
    }
}

/// Removes the temporary file that a killed process left next to one of our files.
pub(crate) fn remove_leftover(path: &Path) -> Result<(), Error> {
    let temporary = temporary_path(path);
    match fs::symlink_metadata(&temporary).is_ok_and(|metadata| metadata.is_file()) {
        true => remove_file(&temporary),
        false => Ok(()),
    }
}

/// Removes the temporary file that a killed process left next to a user's file, which it was about
/// to replace with `bytes`. Returns whether there was one.
///
/// # Errors
/// If the file is not a prefix of `bytes`: then it belongs to the user, and is not removed.
pub(crate) fn remove_known_leftover(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    let temporary = temporary_path(path);
    let Ok(metadata) = fs::symlink_metadata(&temporary) else { return Ok(false) };
    let max_len = bytes.len() as u64;
    let is_ours = metadata.is_file()
        && metadata.len() <= max_len
        && fs::read(&temporary).is_ok_and(|found| bytes.starts_with(&found));
    if !is_ours {
        let name = temporary.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Err(Error::file(path.display().to_string(), FileProblem::Leftover { name }));
    }
    remove_file(&temporary)?;
    Ok(true)
}

/// Returns the path of the temporary file for a [`Replacement`]: `.NAME.new`.
fn temporary_path(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".new");
    path.with_file_name(name)
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
}
