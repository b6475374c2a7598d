//! Replacing a file as a whole.

use super::{Durable, holds, point::point, remove_file, rename, sync_dir, write, write_as};
use crate::Error;
use crate::error::FileProblem;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Replaces a file by way of `staged`. An identical file is not rewritten.
pub(crate) fn replace_by_way_of(staged: &Path, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if holds(path, bytes) {
        return Ok(());
    }
    write(staged, bytes, Durable::Yes)?;
    rename(staged, path)
}

/// Replaces a file durably, and returns whether it was written. An identical file is not rewritten.
///
/// # Errors
/// The file system.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    if holds(path, bytes) {
        return Ok(false);
    }
    Replacement::write(path, bytes)?.put_in_place()?;
    Ok(true)
}

/// A file that is written next to the one it will replace, with its mode. It is removed on drop, unless
/// [`Replacement::put_in_place`] was called.
///
/// Its name is always the same, so that the next process overwrites what a killed one left.
pub(crate) struct Replacement {
    beside: PathBuf,
    path: PathBuf,
}

impl Replacement {
    pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let replacement = Self { beside: beside(path), path: path.to_owned() };
        let before = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
        let mode = before.map(|metadata| metadata.permissions());
        // Nobody knows the file beside it.
        write_as(&replacement.beside, bytes, Durable::Yes, mode).map_err(|error| match error {
            Error::Disk { verb: verb @ "write", source, .. } => Error::disk(verb, path)(source),
            other => other,
        })?;
        Ok(replacement)
    }

    pub(crate) fn put_in_place(self) -> Result<(), Error> {
        rename(&self.beside, &self.path)?;
        match self.path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => sync_dir(parent),
            None => Ok(()),
        }
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // In its place already, or not wanted any more.
        if fs::symlink_metadata(&self.beside).is_ok() {
            let _ = point().and_then(|()| fs::remove_file(&self.beside));
        }
    }
}

/// Removes what a killed process left next to one of our files.
pub(crate) fn remove_leftover(path: &Path) -> Result<(), Error> {
    let beside = beside(path);
    match fs::symlink_metadata(&beside).is_ok_and(|metadata| metadata.is_file()) {
        true => remove_file(&beside),
        false => Ok(()),
    }
}

/// Removes what a killed program left beside a file of a person's that it was about to replace with these bytes; tells whether
/// there was something.
///
/// # Errors
/// What stands there was never written by a program that was about to: it is the person's, too.
pub(crate) fn remove_leftover_of(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    let beside = beside(path);
    let Ok(metadata) = fs::symlink_metadata(&beside) else { return Ok(false) };
    let most = bytes.len() as u64;
    let is_ours = metadata.is_file()
        && metadata.len() <= most
        && fs::read(&beside).is_ok_and(|found| bytes.starts_with(&found));
    if !is_ours {
        let name = beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Err(Error::file(path.display().to_string(), FileProblem::Leftover { name }));
    }
    remove_file(&beside)?;
    Ok(true)
}

/// Where a [`Replacement`] waits.
fn beside(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".new");
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_replaced_is_named_and_not_the_one_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("gone/helix.skills.json");
        let error = replace(&path, b"").unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write `{}`", path.display()));
    }
}
