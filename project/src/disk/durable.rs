//! Waiting until changes would survive a power failure.
//!
//! A killed process loses nothing that it wrote, with or without these calls. After a power
//! failure, a file system may have a rename without the bytes of the renamed file. Therefore bytes
//! are synced before the rename, and the directory after it.
//!
//! Each call waits for the disk: 45,000 of them, for a first sync of 9,000 skills, took 16 seconds.
//! On Linux, more than [`MANY`] files or directories are therefore synced with one call for their
//! whole file system, which takes less than a second, but also waits for what other programs have
//! written there. Other systems have no such call that waits; several threads share the waiting.

use super::{Durable, RootedDir, point};
use crate::{Cancellation, Error, parallel};
use std::{
    borrow::Cow,
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

/// Number of files or directories above which the file system is synced instead of each of them.
const MANY: usize = 64;

/// Number of threads that write or sync. The disk commits what several threads wait for at once.
const THREADS: usize = 8;

impl RootedDir {
    /// Writes new files, which are durable when this returns.
    pub(crate) fn write_durably(
        &self,
        files: Vec<(PathBuf, Cow<'_, [u8]>)>,
        cancellation: &Cancellation,
    ) -> Result<(), Error> {
        let is_together = CAN_SYNC_FILE_SYSTEM && files.len() > MANY;
        // Writes without a sync do not wait for the disk, so more threads would not help.
        let (threads, durable) =
            if is_together { (1, Durable::No) } else { (THREADS, Durable::Yes) };
        let written = parallel::map_on(threads, files, |(inner, bytes)| {
            cancellation.check()?;
            self.write(&inner, &bytes, durable)
        });
        written.into_iter().collect::<Result<(), Error>>()?;
        if is_together { self.sync_file_system() } else { self.sync_dir(Path::new("")) }
    }

    /// Makes changes in these directories durable, except in those that were removed since.
    pub(crate) fn sync_dirs(&self, directories: BTreeSet<PathBuf>) -> Result<(), Error> {
        if CAN_SYNC_FILE_SYSTEM && directories.len() > MANY {
            return self.sync_file_system();
        }
        let directories = directories.into_iter().collect();
        let synced = parallel::map_on(THREADS, directories, |inner: PathBuf| self.sync_dir(&inner));
        synced.into_iter().collect()
    }

    /// Makes renames, creations and removals in a directory durable, if it still exists.
    pub(crate) fn sync_dir(&self, inner: &Path) -> Result<(), Error> {
        self.sync_with(inner, std::fs::File::sync_all)
    }

    /// Makes all changes in the file system of this directory durable.
    fn sync_file_system(&self) -> Result<(), Error> {
        self.sync_with(Path::new(""), sync_file_system)
    }

    fn sync_with(
        &self,
        inner: &Path,
        sync: impl Fn(&std::fs::File) -> io::Result<()>,
    ) -> Result<(), Error> {
        if cfg!(not(unix)) {
            return Ok(()); // there, a directory cannot be synced
        }
        let Some(directory) = self.open_to_sync(inner)? else { return Ok(()) };
        let synced = point().and_then(|()| {
            sync(&directory).or_else(|error| match error.kind() {
                // Some file systems cannot sync directories.
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
                _ => Err(error),
            })
        });
        synced.map_err(Error::disk("sync", self.path_to(inner)))
    }
}

const CAN_SYNC_FILE_SYSTEM: bool = cfg!(target_os = "linux");

#[cfg(target_os = "linux")]
fn sync_file_system(directory: &std::fs::File) -> io::Result<()> {
    Ok(rustix::fs::syncfs(directory)?)
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(directory: &std::fs::File) -> io::Result<()> {
    directory.sync_all()
}
