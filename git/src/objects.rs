//! Objects in memory, by the ids that were computed from them, and what they mean.

use std::collections::HashMap;

use gix::ObjectId;
use gix::objs::{CommitRefIter, Kind, TagRefIter};

use super::error::{GitError, LimitKind};
use super::ids::SHA1;
use super::tree::Entries;

/// Bytes of a tree, a commit or a tag: far above any that are real.
const LARGEST_TREE: u64 = 16 << 20;

/// All objects of a repository together, inflated, may be this many times as long as the longest pack.
const INFLATED: u64 = 2;

/// What an object takes besides its bytes, about.
const OBJECT: u64 = 128;

/// A commit, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawCommit {
    /// Its own id, also when it was asked for by the id of a tag.
    pub(super) id: ObjectId,
    /// Its root tree.
    pub(super) tree: ObjectId,
}

/// Objects received from one repository, by the ids that were computed from them.
pub(super) struct Objects {
    /// How messages call the repository.
    name: String,
    /// Bytes; larger blobs are not kept.
    largest: u64,
    by_id: HashMap<ObjectId, Object>,
    /// Those that are larger than the limit.
    left_out: HashMap<ObjectId, Kind>,
    /// Whether some object was left out before its id could be known.
    lost: bool,
    /// Bytes that are kept, about.
    held: u64,
}

/// A whole object.
pub(super) struct Object {
    pub(super) kind: Kind,
    pub(super) data: Vec<u8>,
}

impl Objects {
    /// Nothing yet. `name` is how messages call the repository; no blob is kept that is longer than `largest` bytes.
    pub(super) fn new(name: String, largest: u64) -> Self {
        Self {
            name,
            largest,
            by_id: HashMap::new(),
            left_out: HashMap::new(),
            lost: false,
            held: 0,
        }
    }

    /// Bytes that an object may have. The limit is about files; trees and commits have one of their own.
    pub(super) fn largest(&self, kind: Kind) -> u64 {
        if kind == Kind::Blob { self.largest } else { self.largest.max(LARGEST_TREE) }
    }

    /// Computes the id and keeps the object.
    ///
    /// # Errors
    /// The bytes are a SHA-1 collision attack.
    pub(super) fn insert(&mut self, kind: Kind, data: Vec<u8>) -> gix::Result<ObjectId> {
        let id = gix::objs::compute_hash(SHA1, kind, &data)?;
        let length = data.len() as u64;
        if self.by_id.insert(id, Object { kind, data }).is_none() {
            self.held = self.held.saturating_add(length + OBJECT);
        }
        Ok(id)
    }

    /// Bytes that may still come, where one pack may have so many. However many answers bring them: a server decides how
    /// often there is a reason to ask.
    pub(super) fn room(&self, bytes_per_fetch: u64) -> u64 {
        bytes_per_fetch.saturating_mul(INFLATED).saturating_sub(self.held)
    }

    pub(super) fn get(&self, id: &ObjectId) -> Option<&Object> {
        self.by_id.get(id)
    }

    /// Every object that was kept.
    #[cfg(feature = "fuzzing")]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&ObjectId, &Object)> {
        self.by_id.iter()
    }

    /// Whether an object came, even if it was too large to keep.
    pub(super) fn has(&self, id: &ObjectId) -> bool {
        self.by_id.contains_key(id) || self.left_out.contains_key(id)
    }

    /// Notes that an object is larger than the limit. Its id may be unknown.
    pub(super) fn leave_out(&mut self, object: Option<(ObjectId, Kind)>) {
        self.lost |= object.is_none();
        self.left_out.extend(object);
    }

    /// Whether anything was left out.
    pub(super) fn is_incomplete(&self) -> bool {
        self.lost || !self.left_out.is_empty()
    }

    /// The first that is not there is an error.
    pub(super) fn expect(&self, ids: &[ObjectId]) -> Result<(), GitError> {
        ids.iter().find(|id| !self.has(id)).map_or(Ok(()), |id| Err(self.missing_object(id)))
    }

    /// The commit behind an id, through annotated tags.
    pub(super) fn commit(&self, id: &ObjectId) -> Result<RawCommit, GitError> {
        let mut peeled = *id;
        // An object cannot hold its own id, so this ends.
        loop {
            let object = self.get(&peeled).ok_or_else(|| self.missing_object(&peeled))?;
            match object.kind {
                Kind::Tag => peeled = self.tag_target(&peeled)?,
                Kind::Commit => {
                    let tree = CommitRefIter::from_bytes(&object.data, SHA1).tree_id();
                    let tree = tree
                        .map_err(|_| self.corrupt(format!("commit {peeled} cannot be parsed")))?;
                    return Ok(RawCommit { id: peeled, tree });
                }
                kind => return Err(self.not_found(format!("commit `{id}` (it is a {kind})"), None)),
            }
        }
    }

    /// What an annotated tag points at.
    pub(super) fn tag_target(&self, id: &ObjectId) -> Result<ObjectId, GitError> {
        let target = TagRefIter::from_bytes(self.data_of(id, Kind::Tag)?, SHA1).target_id();
        target.map_err(|_| self.corrupt(format!("tag {id} cannot be parsed")))
    }

    /// The entries of a tree, parsed one by one.
    pub(super) fn entries(&self, id: &ObjectId) -> Result<Entries<'_>, GitError> {
        Ok(Entries::new(&self.name, *id, self.data_of(id, Kind::Tree)?))
    }

    /// The bytes of an object of a kind.
    pub(super) fn data_of(&self, id: &ObjectId, kind: Kind) -> Result<&[u8], GitError> {
        match self.get(id) {
            None => Err(self.missing_object(id)),
            Some(object) if object.kind == kind => Ok(&object.data),
            Some(object) => {
                Err(self.corrupt(format!("object {id} is a {}, not a {kind}", object.kind)))
            }
        }
    }

    /// Why an object that was asked for is not there.
    fn missing_object(&self, id: &ObjectId) -> GitError {
        let kind = self.left_out.get(id).copied().or(self.lost.then_some(Kind::Blob));
        if let Some(kind) = kind {
            let what = match kind {
                Kind::Blob => "bytes in one file",
                Kind::Tree => "bytes in the entries of one directory",
                Kind::Commit | Kind::Tag => "bytes in one commit or tag",
            };
            let limit = self.largest(kind);
            return GitError::Limit {
                url: self.name.clone(),
                what,
                which: LimitKind::ObjectBytes,
                limit,
            };
        }
        self.corrupt(format!("object {id} was asked for and did not come"))
    }

    pub(super) fn corrupt(&self, problem: impl Into<String>) -> GitError {
        GitError::Corrupt { url: self.name.clone(), problem: problem.into() }
    }

    pub(super) fn not_found(&self, what: String, hint: Option<&'static str>) -> GitError {
        GitError::NotFound { url: self.name.clone(), what, hint }
    }
}
