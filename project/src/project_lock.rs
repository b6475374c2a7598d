//! An exclusive lock on a project, so that two processes never write to it at once.
//!
//! The lock is on the project's directory itself, opened for reading, so that no lock file is left
//! behind. Windows cannot lock directories: there, a file in the user's directory for temporary
//! files stands for each. A directory on a file system without locks (some network file systems) is
//! used without one, as by cargo.

use crate::{Cancellation, Error, paths::ProjectPaths};
use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// How long to wait before trying the lock again.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// An exclusive lock on a project, released on drop.
pub(crate) struct ProjectLock(
    #[expect(dead_code, reason = "open for as long as the project is locked")] Vec<fs::File>,
);

impl ProjectLock {
    /// Waits until no other process works on the project, its store or its lockfile.
    ///
    /// Calls `on_wait` once if it has to wait. Removes temporary files that a killed process left
    /// next to the manifest and the lockfile.
    ///
    /// # Errors
    /// `cancellation` is set while it waits; a temporary file cannot be removed.
    pub(crate) fn acquire(
        project: &ProjectPaths,
        on_wait: impl Fn(),
        cancellation: &Cancellation,
    ) -> Result<Self, Error> {
        let root = project.real_root()?;
        // Several projects may share a store or a lockfile: the directory above it is locked,
        // because it may not exist yet.
        let above =
            |path: &Path| path.ancestors().skip(1).find_map(|path| dunce::canonicalize(path).ok());
        let store = dunce::canonicalize(&project.store);
        let around =
            [above(store.as_deref().unwrap_or(&project.store)), above(&project.lock), Some(root)];
        // Always in the same order: two processes must not wait for each other.
        let mut directories: Vec<PathBuf> = around.into_iter().flatten().collect();
        directories.sort();
        directories.dedup();
        let mut has_waited = false;
        let mut wait = || {
            if !std::mem::replace(&mut has_waited, true) {
                on_wait();
            }
            // A blocking lock could not be interrupted.
            cancellation.check()?;
            thread::sleep(RETRY_INTERVAL);
            Ok(())
        };
        let mut files = Vec::new();
        for directory in &directories {
            if let Ok(file) = open(directory) {
                lock(&file, &mut wait)?;
                files.push(file);
            }
        }
        project.sweep()?;
        Ok(Self(files))
    }
}

/// Opens what is locked for a directory.
#[cfg(unix)]
fn open(directory: &Path) -> io::Result<fs::File> {
    // Opening a pipe would wait for its other end.
    if !directory.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    fs::File::open(directory)
}

#[cfg(not(unix))]
fn open(directory: &Path) -> io::Result<fs::File> {
    let name = format!("helix-skills-{}.lock", crate::cache::name_of(directory));
    fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(std::env::temp_dir().join(name))
}

/// Locks an open file or directory, unless its file system has no locks.
fn lock(file: &fs::File, wait: &mut dyn FnMut() -> Result<(), Error>) -> Result<(), Error> {
    while let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
        wait()?;
    }
    Ok(())
}
