//! Every change of the disk, and nothing else.
//!
//! All writes go through these functions, so that a test can end the program before any of them: in debug builds
//! `HELIX_SKILLS_CRASH_AT=N` aborts before the Nth change.

use crate::Error;
use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

#[cfg(debug_assertions)]
fn point() {
    use std::sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    };
    static AT: LazyLock<Option<u64>> = LazyLock::new(|| std::env::var("HELIX_SKILLS_CRASH_AT").ok()?.parse().ok());
    static SEEN: AtomicU64 = AtomicU64::new(0);
    if let Some(at) = *AT
        && SEEN.fetch_add(1, Relaxed) + 1 == at
    {
        std::process::abort();
    }
}

#[cfg(not(debug_assertions))]
fn point() {}

/// Whether a file has to survive the loss of power.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durable {
    Yes,
    /// Its bytes are proved whenever it is read, so a torn one does no harm.
    No,
}

/// Writes a whole new file. What stands in its place, a link above all, is removed and never written through.
pub(crate) fn write(path: &Path, bytes: &[u8], durable: Durable) -> Result<(), Error> {
    if fs::symlink_metadata(path).is_ok() {
        remove_file(path)?;
    }
    point();
    let attempt = || {
        let mut file = fs::File::create_new(path)?;
        let (first, second) = bytes.split_at(bytes.len() / 2);
        file.write_all(first)?;
        point();
        file.write_all(second)?;
        point();
        if durable == Durable::Yes { file.sync_all() } else { Ok(()) }
    };
    attempt().map_err(Error::disk("write", path))
}

/// Puts `from` in the place of `to`, which may be there.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    point();
    fs::rename(from, to).map_err(Error::disk("replace", to))
}

/// Makes a directory and those above it.
pub(crate) fn create_dir(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    point();
    fs::create_dir_all(path).map_err(Error::disk("create the directory", path))
}

/// Removes a file; one that is not there is removed already.
pub(crate) fn remove_file(path: &Path) -> Result<(), Error> {
    point();
    match fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(Error::disk("remove", path)),
    }
}

/// Removes a directory with all that is in it.
pub(crate) fn remove_tree(path: &Path) -> Result<(), Error> {
    point();
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(Error::disk("remove", path)),
    }
}

/// Removes a directory if it is empty; tells whether it is gone.
pub(crate) fn remove_empty_dir(path: &Path) -> bool {
    point();
    fs::remove_dir(path).is_ok()
}

/// Sets or clears the executable bits of a file where it differs.
#[cfg(unix)]
pub(crate) fn make_executable(path: &Path, executable: bool) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path).map_err(Error::disk("read", path))?.permissions().mode();
    let wanted = if executable { mode | 0o111 } else { mode & !0o111 };
    if mode == wanted {
        return Ok(());
    }
    point();
    fs::set_permissions(path, fs::Permissions::from_mode(wanted)).map_err(Error::disk("change the mode of", path))
}

#[cfg(not(unix))]
pub(crate) fn make_executable(_: &Path, _: bool) -> Result<(), Error> {
    Ok(())
}

/// Makes renames into a directory durable.
#[cfg(unix)]
pub(crate) fn sync_dir(path: &Path) -> Result<(), Error> {
    fs::File::open(path).and_then(|dir| dir.sync_all()).map_err(Error::disk("make durable", path))
}

#[cfg(not(unix))]
pub(crate) fn sync_dir(_: &Path) -> Result<(), Error> {
    Ok(())
}

/// Whether a plain file holds just these bytes.
pub(crate) fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
        && fs::read(path).is_ok_and(|found| found == bytes)
}

/// Replaces one file as a whole, its bytes written to `staged` first. An identical file is left alone.
pub(crate) fn replace_by_way_of(staged: &Path, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if holds(path, bytes) {
        return Ok(());
    }
    write(staged, bytes, Durable::Yes)?;
    rename(staged, path)
}

/// Replaces the text of one file as a whole, and durably. An identical file is left alone; tells whether it was written.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    if holds(path, bytes) {
        return Ok(false);
    }
    Replacement::write(path, bytes)?.put_in_place()?;
    Ok(true)
}

/// A file that is written beside the one it will replace, with its mode. Without [`Replacement::put_in_place`] it goes
/// again.
///
/// The name beside it is always the same, so that what a killed program left is overwritten by the next.
pub(crate) struct Replacement {
    beside: PathBuf,
    path: PathBuf,
}

impl Replacement {
    pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let replacement = Self { beside: beside(path), path: path.to_owned() };
        // Nobody knows the file beside it.
        write(&replacement.beside, bytes, Durable::Yes).map_err(|error| match error {
            Error::Disk { verb: verb @ "write", source, .. } => Error::disk(verb, path)(source),
            other => other,
        })?;
        if let Ok(metadata) = fs::symlink_metadata(path)
            && metadata.is_file()
        {
            let kept = fs::set_permissions(&replacement.beside, metadata.permissions());
            kept.map_err(Error::disk("change the mode of", &replacement.beside))?;
        }
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
        let _ = fs::remove_file(&self.beside);
    }
}

/// Removes what a killed program left beside a file it was about to replace.
pub(crate) fn remove_leftover(path: &Path) -> Result<(), Error> {
    let beside = beside(path);
    if fs::symlink_metadata(&beside).is_ok() { remove_file(&beside) } else { Ok(()) }
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
        assert!(error.message().starts_with(&format!("cannot write `{}`: ", path.display())), "{error:?}");
    }
}
