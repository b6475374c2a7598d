//! The files of a skill on one side of a comparison, with their bytes if they are on this machine.
//!
//! Bytes of locked skills come from stores, `path` sources and the cache, and are used only if they
//! have the digest in the lockfile or its listing.

use super::NamedSkill;
use crate::manifest::Lock;
use crate::{
    Error, cache::Cache, contents::Contents, locked_file::LockedFile, paths::ProjectPaths,
    regular_file::Links, store,
};
use helix_skills_format::{__internal::one_line_chain, Digest};
use std::{
    cell::{LazyCell, RefCell},
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

/// Maximum size in bytes of a text that is shown. Models read SKILL.md and the files it names,
/// which are far smaller.
pub(super) const MAX_TEXT: u64 = 1 << 20;

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
}

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
}

/// The files by their paths in the skill, each with its bytes if it is not too large to be shown.
pub(super) type Side = BTreeMap<String, (ComparedFile, Option<Vec<u8>>)>;

/// Returns a file with this digest, and its bytes if they are on this machine.
pub(super) fn file(digest: Digest, content: Option<Vec<u8>>) -> (ComparedFile, Option<Vec<u8>>) {
    let bytes = content.as_ref().map(|content| content.len() as u64);
    let file = ComparedFile { digest: Some(digest), bytes, is_file: true };
    (file, content.filter(|content| content.len() as u64 <= MAX_TEXT))
}

/// Returns the side of files in memory.
pub(super) fn in_memory(contents: &Contents) -> Side {
    let files = contents.files().iter();
    files
        .map(|it| (it.path.to_string(), file(Digest::hash(&it.bytes), Some(it.bytes.clone()))))
        .collect()
}

/// Returns the side of a skill of `lock`, whose bytes are looked up in `projects` and the cache;
/// `None` if its listing is not on this machine.
pub(super) fn locked(
    projects: &[&ProjectPaths],
    lock: &Lock,
    found: NamedSkill<'_>,
    CacheLookup { cache, warnings }: &CacheLookup,
) -> Result<Option<Side>, Error> {
    let Some((name, skill)) = found else { return Ok(Some(Side::new())) };
    let cached = LazyCell::new(|| {
        cache.get(skill.integrity, skill.bytes).unwrap_or_else(|error| {
            let warning = format!("the cache is ignored: {}", one_line_chain(&error));
            warnings.borrow_mut().insert(warning);
            None
        })
    });
    let mut listing = None;
    for project in projects {
        let found = store::read_listing(&project.listing(name))?.flatten();
        listing = listing.or(found.filter(|found| found.integrity() == skill.integrity));
    }
    let Some(listing) = listing.or_else(|| cached.as_ref().map(Contents::listing)) else {
        return Ok(None);
    };
    let mut side = Side::new();
    for (path, digest) in listing.iter() {
        let mut content = None;
        for project in projects.iter().map(|project| project.directory_of(lock, name, skill)) {
            if content.is_none() {
                content = read_verified(&project.join(path.as_str()), digest, skill.bytes)?;
            }
        }
        let content = content.or_else(|| {
            let file = cached.as_ref()?.files().iter().find(|file| file.path == *path)?;
            Some(file.bytes.clone()).filter(|bytes| Digest::hash(bytes) == digest)
        });
        side.insert(path.to_string(), file(digest, content));
    }
    Ok(Some(side))
}

/// Returns the bytes of a regular file, or of the target of a link, if they have this digest.
/// `skill_bytes` is the size of its skill in the lockfile.
fn read_verified(path: &Path, digest: Digest, skill_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
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
