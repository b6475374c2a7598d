//! All changes to the disk.
//!
//! `clippy.toml` forbids the functions of `std` that change files everywhere else, so that a test
//! can kill the program before each change or let it fail (see [`point`]).
//!
//! Changes are made with a [`RootedDir`] and a relative path. Only what the user chose is opened by
//! an absolute path: the project's directory, the directory above the store, the cache. A directory
//! that is checked first and changed later could be exchanged with a link in between.
#![expect(clippy::disallowed_methods, reason = "only this module changes files")]

mod changes;
mod durable;
mod replacement;
mod rooted_dir;

pub use replacement::replace;
pub(crate) use replacement::{Replacement, remove_leftover};
pub(crate) use rooted_dir::RootedDir;

use crate::Error;
use helix_skills_format::__internal::point;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Whether a file has to survive a power failure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durable {
    Yes,
    /// Its bytes are verified whenever it is read, so an incomplete file is harmless.
    No,
}

/// Creates a directory that the user chose, and its missing parents. Returns the directories that
/// have a new entry.
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
