//! By what a file is known to be unchanged.

use cap_std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// A file system may keep times as coarse as this, FAT for one.
const COARSEST: Duration = Duration::from_secs(2);

/// What the system says of a file that was opened. Equal versions are the same content, if the first was
/// [settled](FileVersion::is_settled).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileVersion {
    len: u64,
    modified: Option<SystemTime>,
    /// Device, file, and the last change of either content or metadata, in seconds and nanoseconds, which no program can set.
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

    /// Whether both are of one file, as where a link leads to another skill. Where files have no number nobody knows.
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

    /// Bytes of the file.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Whether the file was last written so long before `now` that another write would give another time. One that was
    /// written a moment ago may be written again within the same tick of the file system's clock.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let age = self.modified.and_then(|modified| now.duration_since(modified).ok());
        age.is_some_and(|age| age > COARSEST)
    }
}
