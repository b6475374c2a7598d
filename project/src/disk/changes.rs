//! Changes below an open directory.

use super::{Durable, point, rooted_dir::RootedDir};
use crate::Error;
use cap_fs_ext::DirExt as _;
use cap_std::fs::{Dir, OpenOptions, Permissions};
use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    thread,
    time::{Duration, SystemTime},
};

impl RootedDir {
    /// Writes a new file. Removes an existing file or link first, and never writes through a link.
    pub(crate) fn write(&self, inner: &Path, bytes: &[u8], durable: Durable) -> Result<(), Error> {
        self.write_as(inner, bytes, durable, None)
    }

    /// Like [`write()`](Self::write), but sets the mode before writing the first byte.
    pub(super) fn write_as(
        &self,
        inner: &Path,
        bytes: &[u8],
        durable: Durable,
        mode: Option<Permissions>,
    ) -> Result<(), Error> {
        if self.exists(inner) {
            self.remove_file(inner)?;
        }
        self.at("write", inner, |above, name| {
            point()?;
            let options = OpenOptions::new().write(true).create_new(true).to_owned();
            let mut file = above.open_with(name, &options)?;
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
        })
    }

    /// Renames `from` to `to`, which is replaced if it exists.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> Result<(), Error> {
        self.at("replace", to, |to_dir, to| {
            let renamed = self.at("replace", from, |from_dir, from| {
                point()?;
                // Windows would deny access, and not say why.
                let is_dir = || to_dir.symlink_metadata(to).is_ok_and(|found| found.is_dir());
                if cfg!(windows) && is_dir() {
                    return Err(io::ErrorKind::IsADirectory.into());
                }
                once_unused(|| from_dir.rename(from, to_dir, to))
            });
            renamed.map_err(|error| {
                error.into_disk().map_or_else(io::Error::other, |(_, source)| source)
            })
        })
    }

    /// Removes a file or link if it exists.
    pub(crate) fn remove_file(&self, inner: &Path) -> Result<(), Error> {
        unless_missing(self.at("remove", inner, |above, name| {
            point()?;
            once_unused(|| above.remove_file_or_symlink(name))
        }))
    }

    /// Removes a directory with its contents, or a file or link. Does not follow links.
    pub(crate) fn remove_tree(&self, inner: &Path) -> Result<(), Error> {
        unless_missing(self.at("remove", inner, |above, name| {
            let is_dir = above.symlink_metadata(name)?.is_dir();
            point()?;
            once_unused(|| match is_dir {
                true => remove_dir_all(above, name),
                false => above.remove_file_or_symlink(name),
            })
        }))
    }

    /// Removes a directory if it is empty.
    pub(crate) fn remove_empty_dir(&self, inner: &Path) {
        let _ = self.at("remove", inner, |above, name| {
            point()?;
            above.remove_dir(name)
        });
    }

    /// Sets or clears the executable bits of a file.
    #[cfg(unix)]
    pub(crate) fn make_executable(&self, inner: &Path, executable: bool) -> Result<(), Error> {
        use std::os::unix::fs::PermissionsExt as _;
        let file = self.open_file(inner, false)?;
        let set = || {
            let mode = file.metadata()?.permissions().mode();
            let wanted = if executable { mode | 0o111 } else { mode & !0o111 };
            if mode == wanted {
                return Ok(());
            }
            point()?;
            file.set_permissions(fs::Permissions::from_mode(wanted))
        };
        set().map_err(Error::disk("change the mode of", self.path_to(inner)))
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "on Unix it may fail")]
    pub(crate) fn make_executable(&self, _: &Path, _: bool) -> Result<(), Error> {
        Ok(())
    }

    /// Sets the modification time of a file.
    pub(crate) fn set_time(&self, inner: &Path, time: SystemTime) -> Result<(), Error> {
        let file = self.open_file(inner, true)?;
        point()
            .and_then(|()| file.set_modified(time))
            .map_err(Error::disk("set the time of", self.path_to(inner)))
    }

    /// Replaces a file: writes `staged` and renames it. An identical file is not rewritten.
    pub(crate) fn replace_via(
        &self,
        staged: &Path,
        inner: &Path,
        bytes: &[u8],
    ) -> Result<(), Error> {
        if self.holds(inner, bytes) {
            return Ok(());
        }
        self.write(staged, bytes, Durable::Yes)?;
        self.rename(staged, inner)
    }
}

/// Repeats a change for a second while another process has the file open.
///
/// Windows does not replace or remove a file while a virus scanner, an indexer or an editor has it
/// open. Most of them close it soon.
fn once_unused(mut change: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    let mut wait = Duration::from_millis(1);
    loop {
        match change() {
            Err(error) if is_in_use(&error) && wait < Duration::from_secs(1) => thread::sleep(wait),
            changed => return changed,
        }
        wait *= 2;
    }
}

fn is_in_use(error: &io::Error) -> bool {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    cfg!(windows) && matches!(error.raw_os_error(), Some(ACCESS_DENIED | SHARING_VIOLATION))
}

/// Removes a directory with its contents. Other processes may remove some of them meanwhile.
fn remove_dir_all(above: &Dir, name: &Path) -> io::Result<()> {
    let dir = above.open_dir_nofollow(name)?;
    for entry in dir.entries()? {
        let entry = entry?;
        let name = entry.file_name();
        let removed = match entry.file_type()?.is_dir() {
            true => remove_dir_all(&dir, Path::new(&name)),
            false => dir.remove_file_or_symlink(&name),
        };
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            removed => removed?,
        }
    }
    // Windows does not remove an open directory.
    drop(dir);
    above.remove_dir(name)
}

fn unless_missing(removed: Result<(), Error>) -> Result<(), Error> {
    match removed {
        Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Ok(()),
        removed => removed,
    }
}
