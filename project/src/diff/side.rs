//! The files of a skill on one side of a comparison.

use super::blob_lookup::{BlobLookup, read_verified};
use crate::{Error, contents::Contents};
use helix_skills_format::Digest;
use std::{collections::BTreeMap, path::PathBuf};

/// What one side has under a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    File(Digest),
    /// A file of so many bytes that it was not read.
    Large(u64),
    /// A link or something else.
    NotAFile,
}

/// The files of a skill on one side.
pub(super) struct Side<'a> {
    pub(super) entries: BTreeMap<String, Entry>,
    held: Held<'a>,
}

/// Where the bytes of a side are.
enum Held<'a> {
    Nowhere,
    Lookup(BlobLookup<'a>),
    /// Where each lies.
    Disk(BTreeMap<String, PathBuf>),
    Memory(&'a Contents),
}

impl<'a> Side<'a> {
    /// A skill that is not there.
    pub(super) fn empty() -> Self {
        Self { entries: BTreeMap::new(), held: Held::Nowhere }
    }

    pub(super) fn in_lookup(entries: BTreeMap<String, Entry>, lookup: BlobLookup<'a>) -> Self {
        Self { entries, held: Held::Lookup(lookup) }
    }

    /// Files that lie on the disk, with their names in the skill.
    pub(super) fn on_disk(found: BTreeMap<String, (PathBuf, Entry)>) -> Self {
        let entries = found.iter().map(|(name, (_, entry))| (name.clone(), *entry)).collect();
        Self {
            entries,
            held: Held::Disk(found.into_iter().map(|(name, (path, _))| (name, path)).collect()),
        }
    }

    pub(super) fn in_memory(contents: &'a Contents) -> Self {
        let listing = contents.listing();
        let entries =
            listing.iter().map(|(path, digest)| (path.to_string(), Entry::File(digest))).collect();
        Self { entries, held: Held::Memory(contents) }
    }

    fn read(&self, path: &str, digest: Digest) -> Result<Option<Vec<u8>>, Error> {
        match &self.held {
            Held::Nowhere => Ok(None),
            Held::Lookup(lookup) => lookup.read(path, digest),
            Held::Disk(paths) => {
                paths.get(path).map_or(Ok(None), |path| read_verified(path, digest, u64::MAX))
            }
            Held::Memory(contents) => Ok(contents
                .files()
                .iter()
                .find(|file| file.path.as_str() == path)
                .map(|file| file.bytes.clone())),
        }
    }

    /// What is known of a path, and its bytes.
    pub(super) fn half(&self, path: &str) -> Result<Option<Known>, Error> {
        Ok(match self.entries.get(path) {
            None => None,
            Some(Entry::Large(bytes)) => {
                Some((ComparedFile { digest: None, bytes: Some(*bytes), is_file: true }, None))
            }
            Some(Entry::NotAFile) => {
                Some((ComparedFile { digest: None, bytes: None, is_file: false }, None))
            }
            Some(Entry::File(digest)) => {
                let bytes = self.read(path, *digest)?;
                let size = bytes.as_ref().map(|bytes| bytes.len() as u64);
                Some((ComparedFile { digest: Some(*digest), bytes: size, is_file: true }, bytes))
            }
        })
    }

    /// Whether there is anything under a path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    pub(super) fn digest(&self, path: &str) -> Option<Digest> {
        match self.entries.get(path) {
            Some(Entry::File(digest)) => Some(*digest),
            _ => None,
        }
    }
}

/// What is known of a file, and its bytes where they are here.
pub(super) type Known = (ComparedFile, Option<Vec<u8>>);

/// A file on one side of a comparison.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ComparedFile {
    /// Its digest, if it is a file that was read.
    pub digest: Option<Digest>,
    /// Its size in bytes; `None` if its bytes are not on this machine.
    pub bytes: Option<u64>,
    /// Whether it is a regular file.
    pub is_file: bool,
}

impl<'a> BlobLookup<'a> {
    /// The locked files; `None` if no place has the listing.
    pub(super) fn side(self) -> Result<Option<Side<'a>>, Error> {
        let Some(listing) = self.listing()? else { return Ok(None) };
        let entries =
            listing.iter().map(|(path, digest)| (path.to_string(), Entry::File(digest))).collect();
        Ok(Some(Side::in_lookup(entries, self)))
    }
}
