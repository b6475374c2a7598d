//! The entries of a tree, parsed one by one, and an index of their names.

use gix::objs::TreeRefIter;
use gix::objs::tree::{self, EntryRef};
use helix_skills_format::ObjectId;

use super::error::GitError;
use super::ids::{SHA1, from_gix};

/// One entry of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeEntry<'o> {
    /// The bytes of the name: never empty, `.` or `..`, and without `/`. Any other bytes are
    /// possible.
    pub name: &'o [u8],
    /// What the entry is.
    pub kind: EntryKind,
    /// The id of the object, or the commit of a submodule.
    pub id: ObjectId,
}

/// The type of a tree entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A file with the executable bit.
    Executable,
    /// A symbolic link. The object's bytes are its target.
    Link,
    /// A directory, whose object is a tree.
    Directory,
    /// A commit of another repository.
    Submodule,
}

impl<'o> From<EntryRef<'o>> for TreeEntry<'o> {
    fn from(entry: EntryRef<'o>) -> Self {
        let kind = match entry.mode.kind() {
            tree::EntryKind::Blob => EntryKind::File,
            tree::EntryKind::BlobExecutable => EntryKind::Executable,
            tree::EntryKind::Link => EntryKind::Link,
            tree::EntryKind::Tree => EntryKind::Directory,
            tree::EntryKind::Commit => EntryKind::Submodule,
        };
        Self { name: entry.filename, kind, id: from_gix(entry.oid) }
    }
}

/// Iterates over the entries of a tree in the tree's own order, which may differ from git's in a
/// hostile tree. Ends after the first error.
pub(super) struct Entries<'o> {
    /// The repository's name in messages.
    repository: &'o str,
    id: ObjectId,
    data: &'o [u8],
    rest: TreeRefIter<'o>,
}

impl<'o> Entries<'o> {
    /// Creates an iterator over the tree `id` with the bytes `data`.
    pub(super) fn new(repository: &'o str, id: ObjectId, data: &'o [u8]) -> Self {
        Self { repository, id, data, rest: TreeRefIter::from_bytes(data, SHA1) }
    }

    /// Returns the offset of the next entry in the tree's bytes.
    fn offset(&self) -> usize {
        self.rest.offset_to_next_entry(self.data)
    }

    /// Ends the iteration with an error.
    fn fail(&mut self, problem: &str) -> GitError {
        self.rest = TreeRefIter::from_bytes(&[], SHA1);
        GitError::Corrupt {
            url: self.repository.to_owned(),
            problem: format!("tree {} {problem}", self.id),
        }
    }
}

impl<'o> Iterator for Entries<'o> {
    type Item = Result<TreeEntry<'o>, GitError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Ok(entry) = self.rest.next()? else { return Some(Err(self.fail("cannot be parsed"))) };
        let name = entry.filename;
        if name.is_empty() || name == "." || name == ".." || name.contains(&b'/') {
            return Some(Err(self.fail("contains an entry with an invalid name")));
        }
        Some(Ok(entry.into()))
    }
}

/// The offsets of the entries of a tree in its bytes, sorted by name. Its size is at most a third
/// of the tree's, because an entry has at least 24 bytes.
pub(super) struct TreeIndex(Vec<usize>);

impl TreeIndex {
    /// Parses all entries and calls `parsed` with each of them.
    ///
    /// # Errors
    /// The tree is damaged, or `parsed` fails.
    pub(super) fn new(
        mut entries: Entries<'_>,
        mut parsed: impl FnMut(&TreeEntry<'_>) -> Result<(), GitError>,
    ) -> Result<Self, GitError> {
        let data = entries.data;
        let mut offsets = Vec::new();
        loop {
            let offset = entries.offset();
            match entries.next() {
                Some(entry) => parsed(&entry?)?,
                None => break,
            }
            offsets.push(offset);
        }
        // The sort is stable: of two entries with the same name, the first one stays first.
        offsets.sort_by(|a, b| name_at(data, *a).cmp(name_at(data, *b)));
        offsets.shrink_to_fit();
        Ok(Self(offsets))
    }

    /// Returns the first entry with this name in the indexed tree, whose bytes are `data`.
    pub(super) fn find<'o>(&self, data: &'o [u8], name: &[u8]) -> Option<TreeEntry<'o>> {
        let at = self.0.partition_point(|offset| name_at(data, *offset) < name);
        let entry = TreeRefIter::from_bytes(&data[*self.0.get(at)?..], SHA1).next()?.ok()?;
        (entry.filename == name).then(|| entry.into())
    }
}

/// Returns the name of the entry at `offset`: the bytes between the first space and the zero byte
/// after it.
fn name_at(data: &[u8], offset: usize) -> &[u8] {
    let entry = &data[offset..];
    let start = entry.iter().position(|byte| *byte == b' ').map_or(entry.len(), |space| space + 1);
    let name = &entry[start..];
    &name[..name.iter().position(|byte| *byte == 0).unwrap_or(name.len())]
}
