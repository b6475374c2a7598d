//! Reads a file of a listing and compares it with its digest.

use crate::{
    difference::Difference,
    regular_file::{self, Links},
};
use helix_skills_format::Digest;
use std::{
    fs,
    io::{self, Read as _, Seek as _},
    path::Path,
};

/// Size in bytes up to which a file is read into memory at once. A longer file is hashed first, and
/// is not read if it is longer than its whole skill in the lockfile.
pub(crate) const LONG: u64 = 64 << 20;

/// Reads the file at `path`, which should have one of the `expected` digests, of which there is at
/// least one. The inner error is the difference from the first one. `skill_bytes` is the size of
/// its skill in the lockfile.
pub(crate) fn read(
    path: &Path,
    links: Links,
    expected: &[Digest],
    skill_bytes: u64,
) -> io::Result<Result<Vec<u8>, Difference>> {
    read_within(path, links, expected, skill_bytes, LONG)
}

fn read_within(
    path: &Path,
    links: Links,
    expected: &[Digest],
    skill_bytes: u64,
    long: u64,
) -> io::Result<Result<Vec<u8>, Difference>> {
    let Some((mut file, metadata)) = regular_file::open(path, links)? else {
        return Ok(Err(Difference::NotAFile));
    };
    let (bytes, limit) = (metadata.len(), skill_bytes.max(long));
    if bytes > limit {
        return Ok(Err(Difference::TooLong { bytes, limit }));
    }
    let changed = |found| Err(Difference::Changed { expected: expected[0], found });
    if bytes > long {
        let found = digest_of(&file, bytes)?;
        if !expected.contains(&found) {
            return Ok(changed(found));
        }
        file.rewind()?;
    }
    let mut bytes = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
    // The file may have grown in the meantime.
    file.take(limit).read_to_end(&mut bytes)?;
    let found = Digest::hash(&bytes);
    Ok(match expected.contains(&found) {
        true => Ok(bytes),
        false if expected.iter().any(|expected| expected.matches_other_line_endings(&bytes)) => {
            Err(Difference::LineEnds)
        }
        false => changed(found),
    })
}

/// Returns the digest of a regular file of any length. Links are not followed.
pub(crate) fn digest(path: &Path) -> io::Result<Digest> {
    match regular_file::open(path, Links::Refuse)? {
        Some((file, metadata)) => digest_of(&file, metadata.len()),
        None => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Returns the digest of the first `length` bytes. The limit is for files that grow meanwhile.
fn digest_of(file: &fs::File, length: u64) -> io::Result<Digest> {
    Digest::hash_reader(&mut file.take(length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::{Durable, RootedDir};

    #[test]
    fn long_files_are_read_only_if_they_match() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("long");
        let root = RootedDir::open(directory.path()).unwrap();
        root.write(Path::new("long"), b"a\r\nb\r\n", Durable::No).unwrap();
        let (found, unix) = (Digest::hash(b"a\r\nb\r\n"), Digest::hash(b"a\nb\n"));
        let read = |expected, skill_bytes, long| {
            read_within(&path, Links::Refuse, &[expected], skill_bytes, long).unwrap()
        };
        assert!(matches!(read(found, 6, 5), Ok(bytes) if bytes.len() == 6));
        // Line endings are compared only in files that are read into memory.
        assert!(matches!(read(unix, 0, 6), Err(Difference::LineEnds)));
        assert!(
            matches!(read(unix, 6, 5), Err(Difference::Changed { found: other, .. }) if other == found)
        );
        assert!(matches!(read(found, 4, 5), Err(Difference::TooLong { bytes: 6, limit: 5 })));
    }
}
