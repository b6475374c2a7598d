//! Detecting whether a file is unchanged.

use cap_fs_ext::MetadataExt as _;
use cap_std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// The coarsest timestamps of a file system: FAT has two seconds.
const COARSEST: Duration = Duration::from_secs(2);

/// The metadata by which a version of a file is recognized.
///
/// Equal versions have the same content if the first one was [settled](FileVersion::is_settled).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileVersion {
    len: u64,
    modified: Option<SystemTime>,
    /// Device and inode; on Windows, the serial number of the volume and the index of the file.
    identity: (u64, u64),
    /// The time of the last change of content or metadata in seconds and nanoseconds, which no
    /// program can set.
    #[cfg(unix)]
    changed: (i64, i64),
}

impl FileVersion {
    /// Returns the version of an opened file or directory. On Windows, metadata of a path that was
    /// not opened has no identity.
    pub(crate) fn from_metadata(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: metadata.modified().ok().map(cap_std::time::SystemTime::into_std),
            identity: (metadata.dev(), metadata.ino()),
            #[cfg(unix)]
            changed: {
                use cap_std::fs::MetadataExt;
                (metadata.ctime(), metadata.ctime_nsec())
            },
        }
    }

    /// Returns whether both are versions of one file, for example because one path is a link.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        self.identity == other.identity
    }

    /// Returns the size in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether the file was last written so long before `now` that another write would
    /// change its timestamp. A file written a moment ago may be written again within the same tick
    /// of the file system's clock.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let age = self.modified.and_then(|modified| now.duration_since(modified).ok());
        age.is_some_and(|age| age > COARSEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::{ambient_authority, fs::Dir};

    /// Also on Windows, where every script was refused because its directory seemed replaced.
    #[test]
    fn directory_opened_twice_is_the_same() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let version = |folder: &tempfile::TempDir| {
            let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
            FileVersion::from_metadata(&dir.dir_metadata().unwrap())
        };
        let [first, other] = [version(&folders[0]), version(&folders[1])];
        assert!(first.is_same_file(&version(&folders[0])));
        assert!(!first.is_same_file(&other));
    }
}
