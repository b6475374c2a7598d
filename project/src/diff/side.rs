//! The files of a skill on one side of a comparison, with their bytes if they are on this machine.
//!
//! Bytes of locked skills come from stores, `path` sources and the cache, and are used only if they
//! have the digest in the lockfile or its listing.

use super::{ComparedSkill, NamedSkill};
use crate::manifest::Lock;
use crate::{
    Error, cache::Cache, contents::Contents, locked_file::LockedFile, paths::ProjectPaths,
    regular_file::Links, store,
};
use helix_skills_format::{__internal::one_line_chain, Digest};
use serde_json::{Value, json};
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
pub(super) struct ComparedFile {
    /// Its digest, if it is a regular file that was read.
    pub(super) digest: Option<Digest>,
    /// Its size in bytes; `None` if its bytes are not on this machine.
    pub(super) bytes: Option<u64>,
    /// Its bytes, if they are on this machine and not too many to be shown.
    pub(super) content: Option<Vec<u8>>,
}

impl ComparedFile {
    /// A link, or another entry that is not a regular file.
    pub(super) const NOT_A_FILE: Self = Self { digest: None, bytes: None, content: None };

    /// Returns a file with this digest, and its bytes if they are on this machine.
    pub(super) fn new(digest: Digest, content: Option<Vec<u8>>) -> Self {
        let bytes = content.as_ref().map(|content| content.len() as u64);
        let content = content.filter(|content| content.len() as u64 <= MAX_TEXT);
        Self { digest: Some(digest), bytes, content }
    }

    pub(super) fn is_file(&self) -> bool {
        self.digest.is_some() || self.bytes.is_some()
    }

    pub(super) fn document(&self, file: &str) -> Value {
        let digest = self.digest.map(|digest| digest.to_string());
        json!({ "file": file, "bytes": self.bytes, "sha256": digest, "isFile": self.is_file() })
    }
}

/// The files by their paths in the skill.
pub(super) type Side = BTreeMap<String, ComparedFile>;

/// A lockfile, and where the bytes of its skills may be.
pub(super) struct LockedSide<'a> {
    pub(super) lock: &'a Lock,
    /// The project of the lockfile, and another one whose store may have the same bytes.
    pub(super) projects: Vec<&'a ProjectPaths>,
    pub(super) cache: &'a CacheLookup,
    /// How to get bytes that are not on this machine; `PLACE` stands for the skill's directory.
    pub(super) hint: &'static str,
}

impl LockedSide<'_> {
    /// Returns a skill of the lockfile, or one of its `path` sources.
    pub(super) fn skill<'a>(&self, found: NamedSkill<'a>) -> Option<ComparedSkill<'a>> {
        let ((name, locked), project) = (found?, self.projects[0]);
        let directory = project.show(&project.directory_of(self.lock, name, locked));
        let place = directory.display().to_string().replace(std::path::MAIN_SEPARATOR, "/");
        let hint = self.hint.replace("PLACE", &place);
        Some(ComparedSkill { name, locked, place, hint })
    }

    /// Returns the files of a skill; `None` if its listing is not on this machine.
    pub(super) fn files(&self, found: NamedSkill<'_>) -> Result<Option<Side>, Error> {
        let Some((name, skill)) = found else { return Ok(Some(Side::new())) };
        let CacheLookup { cache, warnings } = self.cache;
        let cached = LazyCell::new(|| {
            cache.get(skill.integrity, skill.bytes).unwrap_or_else(|error| {
                let warning = format!("the cache is ignored: {}", one_line_chain(&error));
                warnings.borrow_mut().insert(warning);
                None
            })
        });
        let mut listing = None;
        for project in &self.projects {
            let found = store::read_listing(&project.listing(name))?.flatten();
            listing = listing.or(found.filter(|found| found.integrity() == skill.integrity));
        }
        let Some(listing) = listing.or_else(|| cached.as_ref().map(Contents::listing)) else {
            return Ok(None);
        };
        let mut side = Side::new();
        for (path, digest) in listing.iter() {
            let mut content = None;
            for project in &self.projects {
                if content.is_none() {
                    let directory = project.directory_of(self.lock, name, skill);
                    content = read(&directory.join(path.as_str()), digest, skill.bytes)?;
                }
            }
            let content = content.or_else(|| {
                let file = cached.as_ref()?.files().iter().find(|file| file.path == *path)?;
                Some(file.bytes.clone()).filter(|bytes| Digest::hash(bytes) == digest)
            });
            side.insert(path.to_string(), ComparedFile::new(digest, content));
        }
        Ok(Some(side))
    }
}

/// Returns the bytes of a regular file, or of the target of a link, if they have this digest.
/// `skill_bytes` is the size of its skill in the lockfile.
fn read(path: &Path, digest: Digest, skill_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
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
