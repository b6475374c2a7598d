//! Detecting whether a file is unchanged.

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
    /// Device, inode, and the time of the last change of content or metadata in seconds and
    /// nanoseconds, which no program can set.
    #[cfg(unix)]
    identity: (u64, u64, i64, i64),
}

impl FileVersion {
    pub(crate) fn from_metadata(metadata: &Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: metadata.modified().ok().map(cap_std::time::SystemTime::into_std),
            #[cfg(unix)]
            identity: {
                use cap_std::fs::MetadataExt;
                (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
            },
        }
    }

    /// Returns whether both are versions of one file, for example because one path is a link.
    /// Always `false` on systems without inode numbers.
    pub(crate) fn is_same_file(&self, other: &Self) -> bool {
        #[cfg(unix)]
        let is_same = (self.identity.0, self.identity.1) == (other.identity.0, other.identity.1);
        #[cfg(not(unix))]
        let is_same = {
            let _ = other;
            false
        };
        is_same
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
