//! A file that a listing names, beside its digest.

use helix_skills_format::Digest;
use std::{fs, io, path::Path};

/// A longer file is hashed before it is kept: whoever can edit the store could fill any memory.
const LONG: u64 = 64 << 20;

/// What stands where a file should be.
pub(crate) enum LockedFile {
    /// A file with one of the digests.
    Same(Vec<u8>),
    /// Its line ends were converted, and nothing else.
    LineEnds,
    /// Its bytes are others.
    Changed {
        /// Their digest.
        found: Digest,
    },
    /// A directory, a pipe, a device; a link, where none is followed.
    NotAFile,
}

impl LockedFile {
    /// Reads the file at `path`, which should have one of these digests. A link counts as what it leads to.
    #[cfg(feature = "program")]
    pub(crate) fn read(path: &Path, expected: &[Digest]) -> io::Result<Self> {
        Self::judge(path, &fs::metadata(path)?, expected, LONG)
    }

    /// As [`LockedFile::read`], of a place where a link is no file.
    pub(crate) fn read_plain(path: &Path, expected: &[Digest]) -> io::Result<Self> {
        Self::judge(path, &fs::symlink_metadata(path)?, expected, LONG)
    }

    fn judge(path: &Path, metadata: &fs::Metadata, expected: &[Digest], long: u64) -> io::Result<Self> {
        // A device or a pipe might never end.
        if !metadata.is_file() {
            return Ok(Self::NotAFile);
        }
        if metadata.len() > long {
            let found = digest(path)?;
            if !expected.contains(&found) {
                return Ok(Self::Changed { found });
            }
        }
        let bytes = fs::read(path)?;
        let found = Digest::of(&bytes);
        Ok(match expected.contains(&found) {
            true => Self::Same(bytes),
            false if expected.iter().any(|expected| expected.is_of_other_line_ends(&bytes)) => Self::LineEnds,
            false => Self::Changed { found },
        })
    }
}

/// The digest of a file of any length.
pub(crate) fn digest(path: &Path) -> io::Result<Digest> {
    Digest::of_reader(&mut fs::File::open(path)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::{Durable, write};

    #[test]
    fn long_files_are_kept_only_if_they_are_what_was_locked() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("long");
        write(&path, b"a\r\nb\r\n", Durable::No).unwrap();
        let metadata = fs::metadata(&path).unwrap();
        let (found, unix) = (Digest::of(b"a\r\nb\r\n"), Digest::of(b"a\nb\n"));
        let judge = |expected, long| LockedFile::judge(&path, &metadata, &[expected], long).unwrap();
        assert!(matches!(judge(found, 5), LockedFile::Same(bytes) if bytes.len() == 6));
        // Line ends are told apart in memory alone.
        assert!(matches!(judge(unix, 6), LockedFile::LineEnds));
        assert!(matches!(judge(unix, 5), LockedFile::Changed { found: other } if other == found));
    }
}
