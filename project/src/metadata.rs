//! Queries of file metadata.

use std::{fs, path::Path};

/// Returns whether a link or a file exists where a directory is expected. Nothing may be read or
/// written through it.
pub(crate) fn is_no_directory(directory: &Path) -> bool {
    fs::symlink_metadata(directory).is_ok_and(|metadata| !metadata.is_dir())
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
