//! Queries of file metadata.

use std::{fs, path::Path};

/// Returns whether a link or a file exists where a directory is expected. Nothing may be read or
/// written through it.
pub(crate) fn is_no_directory(directory: &Path) -> bool {
    instead_of_directory(directory).is_some()
}

/// Returns what exists where a directory is expected; `None` if it is a directory, or missing.
pub(crate) fn instead_of_directory(directory: &Path) -> Option<&'static str> {
    let metadata = fs::symlink_metadata(directory).ok().filter(|metadata| !metadata.is_dir())?;
    Some(if metadata.is_symlink() { "a link" } else { "a file" })
}

#[cfg(unix)]
pub(crate) fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
pub(crate) fn is_executable(_: &fs::Metadata) -> bool {
    false
}
