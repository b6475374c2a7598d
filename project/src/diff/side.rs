//! The files of a skill on one side of a comparison.

use super::blob_lookup::{BlobLookup, read_verified};
use crate::{Error, contents::Contents};
use helix_skills_format::Digest;
use std::{collections::BTreeMap, path::PathBuf};

/// An entry of a skill's directory on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SideEntry {
    File(Digest),
    /// A file of this many bytes, too large to be read.
    Large(u64),
    /// A link, or another entry that is not a regular file.
    NotAFile,
}

/// The files of a skill on one side.
pub(super) struct Side<'a> {
    pub(super) entries: BTreeMap<String, SideEntry>,
    bytes: Bytes<'a>,
}

/// The location of the bytes of a side.
enum Bytes<'a> {
    None,
    Lookup(BlobLookup<'a>),
    /// The path of each file.
    Disk(BTreeMap<String, PathBuf>),
    Memory(&'a Contents),
}

impl<'a> Side<'a> {
    /// Returns the side of an absent skill.
    pub(super) fn empty() -> Self {
        Self { entries: BTreeMap::new(), bytes: Bytes::None }
    }

    pub(super) fn in_lookup(entries: BTreeMap<String, SideEntry>, lookup: BlobLookup<'a>) -> Self {
        Self { entries, bytes: Bytes::Lookup(lookup) }
    }

    /// Returns a side of files on disk, by their names in the skill.
    pub(super) fn on_disk(found: BTreeMap<String, (PathBuf, SideEntry)>) -> Self {
        let entries = found.iter().map(|(name, (_, entry))| (name.clone(), *entry)).collect();
        Self {
            entries,
            bytes: Bytes::Disk(found.into_iter().map(|(name, (path, _))| (name, path)).collect()),
        }
    }

    pub(super) fn in_memory(contents: &'a Contents) -> Self {
        let listing = contents.listing();
        let entries = listing
            .iter()
            .map(|(path, digest)| (path.to_string(), SideEntry::File(digest)))
            .collect();
        Self { entries, bytes: Bytes::Memory(contents) }
    }

    fn read(&self, path: &str, digest: Digest) -> Result<Option<Vec<u8>>, Error> {
        match &self.bytes {
            Bytes::None => Ok(None),
            Bytes::Lookup(lookup) => lookup.read(path, digest),
            Bytes::Disk(paths) => {
                paths.get(path).map_or(Ok(None), |path| read_verified(path, digest, u64::MAX))
            }
            Bytes::Memory(contents) => Ok(contents
                .files()
                .iter()
                .find(|file| file.path.as_str() == path)
                .map(|file| file.bytes.clone())),
        }
    }

    /// Returns the file at a path and its bytes.
    pub(super) fn file(&self, path: &str) -> Result<Option<FileAndBytes>, Error> {
        Ok(match self.entries.get(path) {
            None => None,
            Some(SideEntry::Large(bytes)) => {
                Some((ComparedFile { digest: None, bytes: Some(*bytes), is_file: true }, None))
            }
            Some(SideEntry::NotAFile) => {
                Some((ComparedFile { digest: None, bytes: None, is_file: false }, None))
            }
            Some(SideEntry::File(digest)) => {
                let bytes = self.read(path, *digest)?;
                let size = bytes.as_ref().map(|bytes| bytes.len() as u64);
                Some((ComparedFile { digest: Some(*digest), bytes: size, is_file: true }, bytes))
            }
        })
    }

    /// Returns whether there is an entry at a path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    pub(super) fn digest(&self, path: &str) -> Option<Digest> {
        match self.entries.get(path) {
            Some(SideEntry::File(digest)) => Some(*digest),
            _ => None,
        }
    }
}

/// A file and its bytes, if they are on this machine.
pub(super) type FileAndBytes = (ComparedFile, Option<Vec<u8>>);

/// A file on one side of a comparison.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ComparedFile {
    /// Its digest, if it is a regular file that was read.
    pub digest: Option<Digest>,
    /// Its size in bytes; `None` if its bytes are not on this machine.
    pub bytes: Option<u64>,
    /// Whether it is a regular file.
    pub is_file: bool,
}

impl<'a> BlobLookup<'a> {
    /// Converts to the side of the locked files; `None` if the listing is not on this machine.
    pub(super) fn side(self) -> Result<Option<Side<'a>>, Error> {
        let Some(listing) = self.listing()? else { return Ok(None) };
        let entries = listing
            .iter()
            .map(|(path, digest)| (path.to_string(), SideEntry::File(digest)))
            .collect();
        Ok(Some(Side::in_lookup(entries, self)))
    }
}
