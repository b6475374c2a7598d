//! An exclusive lock on a project, so that two processes never write to it at once.
//!
//! The lock is on the project's directory itself, opened for reading, so that no lock file is left
//! behind. Windows cannot lock directories: there, a file in the user's directory for temporary
//! files stands for each. A directory on a file system without locks (some network file systems) is
//! used without one, as by cargo.

use crate::{Cancellation, Error, ErrorKind, paths::ProjectPaths};
use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long to wait before trying the lock again.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// How long to wait for other processes. A user who may only read the project can lock it, too, and
/// must not be able to block a sync forever.
const MAX_WAIT: Duration = Duration::from_secs(600);

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
    /// `cancellation` is set while it waits; another process holds the lock for longer than
    /// [`MAX_WAIT`]; a temporary file cannot be removed.
    pub(crate) fn acquire(
        project: &ProjectPaths,
        on_wait: impl Fn(),
        cancellation: &Cancellation,
    ) -> Result<Self, Error> {
        Self::acquire_within(MAX_WAIT, project, on_wait, cancellation)
    }

    fn acquire_within(
        max_wait: Duration,
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
        let mut waits_since = None;
        let mut wait = |directory: &Path| {
            if waits_since.is_none() {
                on_wait();
            }
            if waits_since.get_or_insert_with(Instant::now).elapsed() >= max_wait {
                let shown = directory.display();
                let message = format!("another process still holds the lock on `{shown}`");
                let hint = "end that process, which `fuser` or `lsof` finds by the directory, then run the command again";
                return Err(Error::new(ErrorKind::Disk, "disk", message).with_hint(hint));
            }
            // A blocking lock could not be interrupted.
            cancellation.check()?;
            thread::sleep(RETRY_INTERVAL);
            Ok(())
        };
        let mut files = Vec::new();
        for directory in &directories {
            if let Ok(file) = open(directory) {
                // A file system without locks is not an error.
                while let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
                    wait(directory)?;
                }
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A descriptor for reading is enough to lock a directory.
    #[test]
    fn waiting_for_a_locked_project_ends_with_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let project = ProjectPaths::at(directory.path());
        let held = fs::File::open(directory.path()).unwrap();
        held.lock().unwrap();
        let acquire = || {
            let never = Cancellation::default();
            ProjectLock::acquire_within(Duration::ZERO, &project, || {}, &never)
        };
        let error = acquire().err().unwrap();
        let shown = dunce::canonicalize(directory.path()).unwrap().display().to_string();
        assert!(error.to_string().contains(&format!("`{shown}`")), "{error}");
        drop(held);
        acquire().unwrap();
    }
}
