//! Holding a project: whoever changes its files waits until nobody else does.
//!
//! What is locked is the directory itself, opened to be read: nothing is left behind that would have to be committed, and
//! two who use different caches are kept apart, too. Where a directory cannot be locked (on Windows, in some network file
//! systems) a file in the cache stands for it.

use crate::{Cancellation, Error, cache::Cache, paths::ProjectPaths};
use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// How long it waits before it looks again whether a project is free.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Holds a project; it ends with this, or with the process.
pub struct Hold(#[expect(dead_code, reason = "open for as long as the project is held")] Vec<fs::File>);

impl Hold {
    /// Waits until nobody else works on the project or its store, or somebody asks to stop; `waiting` is called when it waits.
    /// What a killed program left beside manifest and lock is removed.
    pub fn take(
        project: &ProjectPaths,
        cache: &Cache,
        waiting: impl Fn(),
        cancellation: &Cancellation,
    ) -> Result<Self, Error> {
        let root = project.real_root()?;
        // A store or a lock that several projects share is held, too: by the directory it lies in, because it may not be
        // there yet.
        let above = |path: &Path| path.ancestors().skip(1).find_map(|path| fs::canonicalize(path).ok());
        let store = fs::canonicalize(&project.store);
        let around = [above(store.as_deref().unwrap_or(&project.store)), above(&project.lock), Some(root)];
        // In one order, so that no two wait for each other.
        let mut places: Vec<PathBuf> = around.into_iter().flatten().collect();
        places.sort();
        places.dedup();
        let mut has_told = false;
        let mut wait = || {
            if !std::mem::replace(&mut has_told, true) {
                waiting();
            }
            // A lock that is waited for could not be interrupted.
            cancellation.check()?;
            thread::sleep(LOOK_AGAIN);
            Ok(())
        };
        let mut held = Vec::new();
        for place in &places {
            held.push(match lock_directory(place, &mut wait)? {
                Some(directory) => directory,
                None => lock_file(cache.lock_of(place)?, &mut wait)?,
            });
        }
        project.sweep()?;
        Ok(Self(held))
    }
}

/// Locks a directory, or tells that it cannot be locked.
fn lock_directory(place: &Path, wait: &mut dyn FnMut() -> Result<(), Error>) -> Result<Option<fs::File>, Error> {
    // Opening a pipe would wait for its other end.
    if !place.is_dir() {
        return Ok(None);
    }
    let Ok(directory) = fs::File::open(place) else { return Ok(None) };
    loop {
        match directory.try_lock() {
            Ok(()) => return Ok(Some(directory)),
            Err(fs::TryLockError::WouldBlock) => wait()?,
            Err(fs::TryLockError::Error(_)) => return Ok(None),
        }
    }
}

fn lock_file(
    (path, file): (PathBuf, fs::File),
    wait: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<fs::File, Error> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(fs::TryLockError::WouldBlock) => wait()?,
            Err(fs::TryLockError::Error(why)) => return Err(Error::disk("lock", &path)(why)),
        }
    }
}
