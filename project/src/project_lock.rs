//! An exclusive lock on a project, so that two processes never write to it at once.
//!
//! The lock is on the project's directory itself, opened for reading: no lock file is left behind,
//! and processes with different caches exclude each other. If a directory cannot be locked
//! (Windows, some network file systems), a file in the cache is locked instead.

use crate::{Cancellation, Error, cache::Cache, paths::ProjectPaths};
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
    /// `cancellation` is set while it waits; a file of the cache cannot be opened or locked.
    pub(crate) fn acquire(
        project: &ProjectPaths,
        cache: &Cache,
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
            // Opening a pipe would wait for its other end.
            let opened = if directory.is_dir() { fs::File::open(directory).ok() } else { None };
            if let Some(opened) = opened
                && lock(&opened, &mut wait)?.is_ok()
            {
                files.push(opened);
                continue;
            }
            let (path, file) = cache.lock_of(directory)?;
            lock(&file, &mut wait)?.map_err(Error::disk("lock", path))?;
            files.push(file);
        }
        project.sweep()?;
        Ok(Self(files))
    }
}

/// Locks an open file or directory. The inner error says why it cannot be locked.
fn lock(
    file: &fs::File,
    wait: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<io::Result<()>, Error> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Ok(())),
            Err(fs::TryLockError::WouldBlock) => wait()?,
            Err(fs::TryLockError::Error(why)) => return Ok(Err(why)),
        }
    }
}
