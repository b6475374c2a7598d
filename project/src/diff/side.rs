//! The files of a skill on one side of a comparison, with their bytes if they are on this machine.
//!
//! Bytes of locked skills come from the cache, stores and `path` sources, and are used only if they
//! have the digest in the lockfile or its listing.

use super::{NamedSkill, Skill};
use crate::manifest::Lock;
use crate::{
    cache::Cache, contents::Contents, locked_file, paths::ProjectPaths, regular_file::Links, store,
};
use helix_skills_format::Digest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Maximum size in bytes of a text that is shown. Models read SKILL.md and the files it names,
/// which are far smaller.
pub(super) const MAX_TEXT: u64 = 1 << 20;

/// A file on one side of a comparison; by default, a link or another entry that is not a file.
#[derive(Default)]
pub(super) struct ComparedFile {
    /// Its digest, if it is a regular file that was read.
    pub(super) digest: Option<Digest>,
    /// Its size in bytes; `None` if its bytes are not on this machine.
    pub(super) bytes: Option<u64>,
    /// Its bytes, if they are on this machine and not too many to be shown.
    pub(super) content: Option<Vec<u8>>,
}

impl ComparedFile {
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

/// Returns files in memory.
pub(super) fn in_memory(contents: &Contents) -> Side {
    let files = contents.files().iter().map(|file| {
        let digest = Digest::hash(&file.bytes);
        (file.path.to_string(), ComparedFile::new(digest, Some(file.bytes.clone())))
    });
    files.collect()
}

/// A lockfile, and where the bytes of its skills may be.
pub(super) struct LockedSide<'a> {
    pub(super) lock: &'a Lock,
    /// The project of the lockfile, and another one whose store may have the same bytes.
    pub(super) projects: Vec<&'a ProjectPaths>,
    pub(super) cache: &'a Cache,
}

impl LockedSide<'_> {
    /// Returns a skill of the lockfile, or of one of its `path` sources, as in the lockfile, with
    /// its name and directory.
    pub(super) fn document(&self, found: NamedSkill<'_>) -> Value {
        let Some((name, skill)) = found else { return Value::Null };
        let directory = self.projects[0].directory_of(self.lock, name, skill);
        let place = self.projects[0].show(&directory).display().to_string();
        let mut lock = Lock::default();
        lock.skills.insert(name.clone(), skill.clone());
        let mut document = as_json(&lock)["skills"][name.as_str()].take();
        document["name"] = json!(name.as_str());
        document["directory"] = json!(place.replace(std::path::MAIN_SEPARATOR, "/"));
        document
    }

    /// Returns the files of a skill; `None` if its listing is not on this machine. A directory in
    /// which a file cannot be read does not have it.
    pub(super) fn files(&self, (name, skill): Skill<'_>) -> Option<Side> {
        if let Ok(Some(cached)) = self.cache.get(skill.integrity, skill.bytes) {
            return Some(in_memory(&cached));
        }
        let listing = self.projects.iter().find_map(|project| {
            let listing = store::read_listing(&project.listing(name)).ok()??;
            listing.filter(|listing| listing.integrity() == skill.integrity)
        })?;
        let files = listing.iter().map(|(path, digest)| {
            let content = self.projects.iter().find_map(|project| {
                let path = project.directory_of(self.lock, name, skill).join(path.as_str());
                locked_file::read(&path, Links::Follow, &[digest], skill.bytes).ok()?.ok()
            });
            (path.to_string(), ComparedFile::new(digest, content))
        });
        Some(files.collect())
    }
}

/// Returns a lockfile as a document.
pub(super) fn as_json(lock: &Lock) -> Value {
    serde_json::from_str(&lock.to_string()).unwrap_or_default()
}
