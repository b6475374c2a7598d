//! The files of a skill on one side of a comparison.

use super::{
    NamedSkill,
    blob_lookup::{BlobLookup, CacheLookup, read_verified},
};
use crate::{Error, contents::Contents, manifest::Lock, paths::ProjectPaths};
use helix_skills_format::{Digest, Listing};
use std::{collections::BTreeMap, path::PathBuf};

/// A file on one side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ComparedFile {
    /// Its digest, if it is a regular file that was read.
    pub digest: Option<Digest>,
    /// Its size in bytes; `None` if its bytes are not on this machine.
    pub bytes: Option<u64>,
    /// Whether it is a regular file.
    pub is_file: bool,
}

impl ComparedFile {
    /// A link, or another entry that is not a regular file.
    pub(super) const NOT_A_FILE: Self = Self { digest: None, bytes: None, is_file: false };

    /// Creates a file of this many bytes, too large to be read.
    pub(super) fn too_large(bytes: u64) -> Self {
        Self { digest: None, bytes: Some(bytes), is_file: true }
    }

    /// Creates a file whose bytes are read if it differs from the other side.
    pub(super) fn with_digest(digest: Digest) -> Self {
        Self { digest: Some(digest), bytes: None, is_file: true }
    }
}

/// A file and its bytes, if they are on this machine.
pub(super) type FileAndBytes = (ComparedFile, Option<Vec<u8>>);

/// The files of a skill on one side.
pub(super) struct Side<'a> {
    /// The entries of its directory. Files with a digest have no size yet.
    pub(super) entries: BTreeMap<String, ComparedFile>,
    /// Reads the bytes of a file with this path and digest, if they are on this machine.
    read: Read<'a>,
}

type Read<'a> = Box<dyn Fn(&str, Digest) -> Result<Option<Vec<u8>>, Error> + 'a>;

impl<'a> Side<'a> {
    /// Returns the side of an absent skill.
    pub(super) fn empty() -> Self {
        Self { entries: BTreeMap::new(), read: Box::new(|_, _| Ok(None)) }
    }

    /// Returns the side of a skill of `lock`, whose bytes are looked up in `projects` and the
    /// cache; `None` if its listing is not on this machine.
    pub(super) fn locked(
        projects: &[&ProjectPaths],
        lock: &Lock,
        found: NamedSkill<'_>,
        cache: &'a CacheLookup,
    ) -> Result<Option<Self>, Error> {
        let Some((name, skill)) = found else { return Ok(Some(Self::empty())) };
        let lookup = BlobLookup::new(projects, lock, name, skill, cache);
        let listing = lookup.listing()?;
        let read = move |path: &str, digest| lookup.read(path, digest);
        Ok(listing.map(|listing| Self::listed(&listing, Box::new(read))))
    }

    /// Returns a side of files on disk, by their names in the skill.
    pub(super) fn on_disk(found: BTreeMap<String, (PathBuf, ComparedFile)>) -> Self {
        let entries = found.iter().map(|(name, (_, file))| (name.clone(), *file)).collect();
        let read = move |name: &str, digest| match found.get(name) {
            Some((path, _)) => read_verified(path, digest, u64::MAX),
            None => Ok(None),
        };
        Self { entries, read: Box::new(read) }
    }

    pub(super) fn in_memory(contents: &'a Contents) -> Self {
        let read = |path: &str, _| {
            let file = contents.files().iter().find(|file| file.path.as_str() == path);
            Ok(file.map(|file| file.bytes.clone()))
        };
        Self::listed(&contents.listing(), Box::new(read))
    }

    fn listed(listing: &Listing, read: Read<'a>) -> Self {
        let entries = listing.iter();
        let entries = entries
            .map(|(path, digest)| (path.to_string(), ComparedFile::with_digest(digest)))
            .collect();
        Self { entries, read }
    }

    /// Returns the file at a path and its bytes.
    pub(super) fn file(&self, path: &str) -> Result<Option<FileAndBytes>, Error> {
        let Some(mut file) = self.entries.get(path).copied() else { return Ok(None) };
        let Some(digest) = file.digest else { return Ok(Some((file, None))) };
        let bytes = (self.read)(path, digest)?;
        file.bytes = bytes.as_ref().map(|bytes| bytes.len() as u64);
        Ok(Some((file, bytes)))
    }

    pub(super) fn digest(&self, path: &str) -> Option<Digest> {
        self.entries.get(path)?.digest
    }
}
