//! Finds the bytes of locked skills in stores, `path` sources and the cache.
//!
//! Bytes are returned only if they have the digest in the lockfile or its listing.

use crate::manifest::Lock;
use crate::{
    Error, cache::Cache, contents::Contents, locked_file::LockedFile, paths::ProjectPaths,
    regular_file::Links, store,
};
use helix_skills_format::{
    __internal::one_line_chain, Digest, Integrity, Listing, LockedSkill, SkillName,
};
use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

/// A lookup in the cache, which is ignored with a warning if it cannot be read.
pub(crate) struct CacheLookup {
    cache: Cache,
    warnings: RefCell<BTreeSet<String>>,
}

impl CacheLookup {
    pub(crate) fn new(cache: Cache) -> Self {
        Self { cache, warnings: RefCell::default() }
    }

    /// Returns why the cache was ignored, one line for each error.
    pub(crate) fn into_warnings(self) -> Vec<String> {
        self.warnings.into_inner().into_iter().collect()
    }

    fn get(&self, integrity: Integrity, skill_bytes: u64) -> Option<Contents> {
        self.cache.get(integrity, skill_bytes).unwrap_or_else(|error| {
            self.warnings
                .borrow_mut()
                .insert(format!("the cache is ignored: {}", one_line_chain(&error)));
            None
        })
    }
}

/// A lookup of the bytes of one locked skill.
pub(super) struct BlobLookup<'a> {
    integrity: Integrity,
    /// The size of the skill in the lockfile.
    skill_bytes: u64,
    /// Directories that may have its files.
    directories: Vec<PathBuf>,
    listings: Vec<PathBuf>,
    cache: &'a CacheLookup,
    cached: OnceCell<Option<Contents>>,
}

impl<'a> BlobLookup<'a> {
    /// Creates a lookup of a skill of `lock` in the stores and `path` sources of `projects`, then
    /// in the cache.
    pub(super) fn new(
        projects: &[&ProjectPaths],
        lock: &Lock,
        name: &SkillName,
        skill: &LockedSkill,
        cache: &'a CacheLookup,
    ) -> Self {
        Self {
            integrity: skill.integrity,
            skill_bytes: skill.bytes,
            directories: projects
                .iter()
                .map(|project| project.directory_of(lock, name, skill))
                .collect(),
            listings: projects.iter().map(|project| project.listing(name)).collect(),
            cache,
            cached: OnceCell::new(),
        }
    }

    /// Returns the locked listing, if it is on this machine.
    pub(super) fn listing(&self) -> Result<Option<Listing>, Error> {
        for path in &self.listings {
            if let Some(Some(listing)) = store::read_listing(path)?
                && listing.integrity() == self.integrity
            {
                return Ok(Some(listing));
            }
        }
        Ok(self.cached().map(Contents::listing))
    }

    /// Returns the bytes of a file, if they are on this machine.
    pub(super) fn read(&self, path: &str, digest: Digest) -> Result<Option<Vec<u8>>, Error> {
        for directory in &self.directories {
            if let Some(bytes) = read_verified(&directory.join(path), digest, self.skill_bytes)? {
                return Ok(Some(bytes));
            }
        }
        let file = self
            .cached()
            .and_then(|contents| contents.files().iter().find(|file| file.path.as_str() == path));
        Ok(file.filter(|file| Digest::hash(&file.bytes) == digest).map(|file| file.bytes.clone()))
    }

    fn cached(&self) -> Option<&Contents> {
        self.cached.get_or_init(|| self.cache.get(self.integrity, self.skill_bytes)).as_ref()
    }
}

/// Returns the bytes of a regular file, or of the target of a link, if they have this digest.
/// `skill_bytes` is the size of its skill in the lockfile.
pub(super) fn read_verified(
    path: &Path,
    digest: Digest,
    skill_bytes: u64,
) -> Result<Option<Vec<u8>>, Error> {
    match LockedFile::read(path, Links::Follow, &[digest], skill_bytes) {
        Ok(LockedFile::Same(bytes)) => Ok(Some(bytes)),
        Ok(_) => Ok(None),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(Error::read(path)(error)),
    }
}
