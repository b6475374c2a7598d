//! Opens and reads regular files that another user may have replaced.
//!
//! Reading a pipe would block forever, a device may never end, and a link may point to a file of
//! another program. All are refused before they are opened; the opened file is checked again,
//! because the path may have been replaced in between.
#![expect(clippy::disallowed_methods, reason = "nothing is created, truncated or written here")]

use std::{
    fs,
    io::{self, Read as _},
    path::Path,
};

/// Whether symbolic links are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Follow,
    Refuse,
}

/// Opens a regular file for reading; `None` if anything else is at `path`.
pub(crate) fn open(path: &Path, links: Links) -> io::Result<Option<(fs::File, fs::Metadata)>> {
    let before = match links {
        Links::Follow => fs::metadata(path)?,
        Links::Refuse => fs::symlink_metadata(path)?,
    };
    if !before.is_file() {
        return Ok(None);
    }
    let file = without_waiting(fs::OpenOptions::new().read(true), links).open(path)?;
    let opened = file.metadata()?;
    Ok(opened.is_file().then_some((file, opened)))
}

/// Adds the flags that keep `open` from waiting for the other end of a pipe, and from following a
/// link.
#[cfg(unix)]
fn without_waiting(options: &mut fs::OpenOptions, links: Links) -> &mut fs::OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = match links {
        Links::Follow => OFlags::NONBLOCK,
        Links::Refuse => OFlags::NONBLOCK | OFlags::NOFOLLOW,
    };
    options.custom_flags(flags.bits().cast_signed())
}

#[cfg(not(unix))]
fn without_waiting(options: &mut fs::OpenOptions, _: Links) -> &mut fs::OpenOptions {
    options
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// [`io::ErrorKind::InvalidInput`] if anything else is at `path`, or if the file is larger.
pub(crate) fn read(path: &Path, links: Links, limit: u64) -> io::Result<Vec<u8>> {
    let refused = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
    let (file, metadata) =
        open(path, links)?.ok_or_else(|| refused("it is not a regular file".to_owned()))?;
    let too_large = |bytes: u64| refused(format!("it has {bytes} bytes, more than {limit}"));
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    // The file may have grown in the meantime.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    let length = bytes.len() as u64;
    if length > limit { Err(too_large(length)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_within_the_limit_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, b"text").unwrap();
        assert_eq!(read(&path, Links::Refuse, 4).unwrap(), b"text");
        let kind = |path: &Path, limit| read(path, Links::Follow, limit).unwrap_err().kind();
        assert_eq!(kind(&path, 3), io::ErrorKind::InvalidInput);
        assert_eq!(kind(directory.path(), 4), io::ErrorKind::InvalidInput);
        assert_eq!(kind(&directory.path().join("none"), 4), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused_unless_they_may_be_followed() {
        let directory = tempfile::tempdir().unwrap();
        let (path, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&path, b"text").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(read(&link, Links::Follow, 4).unwrap(), b"text");
        assert!(open(&link, Links::Refuse).unwrap().is_none());
        // A link that replaces the file after the first check.
        let raced = without_waiting(fs::OpenOptions::new().read(true), Links::Refuse).open(&link);
        assert!(raced.is_err());
    }

    /// Both would wait forever if the flags were missing.
    #[cfg(unix)]
    #[test]
    fn pipes_are_refused_without_waiting() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for links in [Links::Follow, Links::Refuse] {
            assert!(open(&pipe, links).unwrap().is_none());
            let raced =
                without_waiting(fs::OpenOptions::new().read(true), links).open(&pipe).unwrap();
            assert!(!raced.metadata().unwrap().is_file());
        }
    }
}
