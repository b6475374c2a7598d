//! What the file system says of a path.

use std::{fs, path::Path};

/// Whether a link or a file stands where a directory of ours should: nothing may be read or written through it.
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
