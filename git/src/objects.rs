//! Objects in memory, by their computed ids.

use std::collections::HashMap;

use gix::objs::{CommitRefIter, Kind, TagRefIter};
use helix_skills_format::ObjectId;

use super::error::GitError;
use super::ids::{SHA1, from_gix};
use super::tree::Entries;

/// A commit that was fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Commit {
    /// The commit's own id, even if it was requested by the id of a tag.
    pub id: ObjectId,
    /// The id of its root tree.
    pub tree: ObjectId,
}

/// Maximum size of a tree, commit or tag in bytes, far above any real one.
const LARGEST_TREE: u64 = 16 << 20;

/// Maximum total size of all inflated objects of a repository, as a multiple of the size limit of
/// one pack.
const INFLATED: u64 = 2;

/// Approximate memory of an object in addition to its data, in bytes.
const OBJECT: u64 = 128;

/// Objects received from one repository, by the ids computed from them.
#[derive(Default)]
pub(super) struct Objects {
    /// The repository's name in messages.
    name: String,
    /// Maximum size of a blob in bytes; larger ones are not kept.
    largest: u64,
    pub(super) by_id: HashMap<ObjectId, Object>,
    /// Objects larger than the limit, by id.
    left_out: HashMap<ObjectId, Kind>,
    /// Whether an object was omitted before its id was known.
    lost: bool,
    /// Approximate number of bytes in memory.
    held: u64,
}

/// A complete object.
pub(super) struct Object {
    pub(super) kind: Kind,
    pub(super) data: Vec<u8>,
}

impl Objects {
    /// Creates an empty set. `name` is the repository's name in messages; blobs larger than
    /// `largest` bytes are not kept.
    pub(super) fn new(name: String, largest: u64) -> Self {
        Self { name, largest, ..Self::default() }
    }

    /// Returns the maximum size of an object. The configured limit is for files; trees and commits
    /// have their own.
    pub(super) fn largest(&self, kind: Kind) -> u64 {
        if kind == Kind::Blob { self.largest } else { self.largest.max(LARGEST_TREE) }
    }

    /// Computes the id of an object and stores it.
    ///
    /// # Errors
    /// The bytes are a SHA-1 collision attack.
    pub(super) fn insert(&mut self, kind: Kind, data: Vec<u8>) -> gix::Result<ObjectId> {
        let id = from_gix(&gix::objs::compute_hash(SHA1, kind, &data)?);
        let length = data.len() as u64;
        if self.by_id.insert(id, Object { kind, data }).is_none() {
            self.held = self.held.saturating_add(length + OBJECT);
        }
        Ok(id)
    }

    /// Returns how many more bytes may be stored if one pack may have `bytes_per_fetch`. The limit
    /// is on the sum of all responses, because the server influences how many requests are made.
    pub(super) fn room(&self, bytes_per_fetch: u64) -> u64 {
        bytes_per_fetch.saturating_mul(INFLATED).saturating_sub(self.held)
    }

    pub(super) fn get(&self, id: &ObjectId) -> Option<&Object> {
        self.by_id.get(id)
    }

    /// Returns whether an object was received, even if it was too large to keep.
    pub(super) fn has(&self, id: &ObjectId) -> bool {
        self.by_id.contains_key(id) || self.left_out.contains_key(id)
    }

    /// Records an object that is larger than the limit. Its id may be unknown.
    pub(super) fn leave_out(&mut self, object: Option<(ObjectId, Kind)>) {
        self.lost |= object.is_none();
        self.left_out.extend(object);
    }

    /// Returns whether any object was omitted.
    pub(super) fn is_incomplete(&self) -> bool {
        self.lost || !self.left_out.is_empty()
    }

    /// Fails on the first object that was not received.
    pub(super) fn expect(&self, ids: &[ObjectId]) -> Result<(), GitError> {
        ids.iter().find(|id| !self.has(id)).map_or(Ok(()), |id| Err(self.missing_object(id)))
    }

    /// Returns the commit with this id, following annotated tags.
    pub(super) fn commit(&self, id: &ObjectId) -> Result<Commit, GitError> {
        let mut peeled = *id;
        // An object cannot contain its own id, so this loop ends.
        loop {
            let object = self.get(&peeled).ok_or_else(|| self.missing_object(&peeled))?;
            match object.kind {
                Kind::Tag => peeled = self.tag_target(&peeled)?,
                Kind::Commit => {
                    let tree = CommitRefIter::from_bytes(&object.data, SHA1).tree_id();
                    let tree = tree
                        .map_err(|_| self.corrupt(format!("commit {peeled} cannot be parsed")))?;
                    return Ok(Commit { id: peeled, tree: from_gix(&tree) });
                }
                kind => return Err(self.not_found(format!("commit `{id}` (it is a {kind})"), None)),
            }
        }
    }

    /// Returns the parents of a commit.
    pub(super) fn parents(&self, id: &ObjectId) -> Result<Vec<ObjectId>, GitError> {
        let commit = CommitRefIter::from_bytes(self.data_of(id, Kind::Commit)?, SHA1);
        Ok(commit.parent_ids().map(|parent| from_gix(&parent)).collect())
    }

    /// Returns the target of an annotated tag.
    pub(super) fn tag_target(&self, id: &ObjectId) -> Result<ObjectId, GitError> {
        let target = TagRefIter::from_bytes(self.data_of(id, Kind::Tag)?, SHA1).target_id();
        target
            .map(|target| from_gix(&target))
            .map_err(|_| self.corrupt(format!("tag {id} cannot be parsed")))
    }

    /// Returns the entries of a tree, parsed one by one.
    pub(super) fn entries(&self, id: &ObjectId) -> Result<Entries<'_>, GitError> {
        Ok(Entries::new(&self.name, *id, self.data_of(id, Kind::Tree)?))
    }

    /// Returns the data of an object of this kind.
    pub(super) fn data_of(&self, id: &ObjectId, kind: Kind) -> Result<&[u8], GitError> {
        match self.get(id) {
            None => Err(self.missing_object(id)),
            Some(object) if object.kind == kind => Ok(&object.data),
            Some(object) => {
                Err(self.corrupt(format!("object {id} is a {}, not a {kind}", object.kind)))
            }
        }
    }

    /// Returns why a requested object is missing.
    fn missing_object(&self, id: &ObjectId) -> GitError {
        let kind = self.left_out.get(id).copied().or(self.lost.then_some(Kind::Blob));
        if let Some(kind) = kind {
            let what = match kind {
                Kind::Blob => "bytes in one file",
                Kind::Tree => "bytes in the entries of one directory",
                Kind::Commit | Kind::Tag => "bytes in one commit or tag",
            };
            let limit = self.largest(kind);
            return GitError::limit(&self.name, what, "bytesPerFile", limit);
        }
        self.corrupt(format!("the object {id} is missing"))
    }

    pub(super) fn corrupt(&self, problem: impl Into<String>) -> GitError {
        GitError::Corrupt { url: self.name.clone(), problem: problem.into() }
    }

    pub(super) fn not_found(&self, what: String, hint: Option<&'static str>) -> GitError {
        GitError::NotFound { url: self.name.clone(), what, hint }
    }
}
