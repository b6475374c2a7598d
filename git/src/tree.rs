//! The entries of a tree, parsed while they are read, and an index of their names.

use gix::ObjectId;
use gix::bstr::BStr;
use gix::objs::TreeRefIter;
use gix::objs::tree::EntryMode;

use super::error::GitError;
use super::ids::SHA1;

/// One entry of a tree, as gix reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawEntry<'o> {
    /// Never empty, `.` or `..`, and without `/`. Anything else is possible.
    pub(super) name: &'o BStr,
    /// File, executable, link, directory or submodule.
    pub(super) mode: EntryMode,
    /// The object, or a submodule's commit.
    pub(super) id: ObjectId,
}

/// The entries of a tree in its own order, which in a hostile tree is not git's. Ends after the first error.
pub(super) struct Entries<'o> {
    /// What messages call the repository.
    repository: &'o str,
    id: ObjectId,
    data: &'o [u8],
    rest: TreeRefIter<'o>,
}

impl<'o> Entries<'o> {
    /// The entries of the tree `id` of a repository, whose bytes are `data`.
    pub(super) fn new(repository: &'o str, id: ObjectId, data: &'o [u8]) -> Self {
        Self { repository, id, data, rest: TreeRefIter::from_bytes(data, SHA1) }
    }

    /// Where the next entry starts in the tree's bytes.
    fn offset(&self) -> usize {
        self.rest.offset_to_next_entry(self.data)
    }

    /// Ends the iteration.
    fn fail(&mut self, problem: &str) -> GitError {
        self.rest = TreeRefIter::from_bytes(&[], SHA1);
        GitError::Corrupt {
            url: self.repository.to_owned(),
            problem: format!("tree {} {problem}", self.id),
        }
    }
}

impl<'o> Iterator for Entries<'o> {
    type Item = Result<RawEntry<'o>, GitError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Ok(entry) = self.rest.next()? else { return Some(Err(self.fail("cannot be parsed"))) };
        let name = entry.filename;
        if name.is_empty() || name == "." || name == ".." || name.contains(&b'/') {
            return Some(Err(self.fail("holds an entry with an impossible name")));
        }
        Some(Ok(RawEntry { name, mode: entry.mode, id: entry.oid.to_owned() }))
    }
}

/// Where the entries of a tree start in its bytes, sorted by name. Takes at most a third of the tree's size: an entry has
/// at least 24 bytes.
pub(super) struct TreeIndex(Vec<usize>);

impl TreeIndex {
    /// Parses all entries; `parsed` is called with each of them.
    ///
    /// # Errors
    /// The tree is damaged, or `parsed` fails.
    pub(super) fn new(
        mut entries: Entries<'_>,
        mut parsed: impl FnMut(&RawEntry<'_>) -> Result<(), GitError>,
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
        // Stable: of two entries with one name, the first stays the first.
        offsets.sort_by(|a, b| name_at(data, *a).cmp(name_at(data, *b)));
        offsets.shrink_to_fit();
        Ok(Self(offsets))
    }

    /// The first entry with this name of the tree that was indexed, whose bytes are `data`.
    pub(super) fn find<'o>(&self, data: &'o [u8], name: &[u8]) -> Option<RawEntry<'o>> {
        let at = self.0.partition_point(|offset| name_at(data, *offset) < name);
        let entry = TreeRefIter::from_bytes(&data[*self.0.get(at)?..], SHA1).next()?.ok()?;
        (entry.filename == name).then(|| RawEntry {
            name: entry.filename,
            mode: entry.mode,
            id: entry.oid.to_owned(),
        })
    }
}

/// The name of the entry that starts at `offset`: what is between the first space and the zero byte after it.
fn name_at(data: &[u8], offset: usize) -> &[u8] {
    let entry = &data[offset..];
    let start = entry.iter().position(|byte| *byte == b' ').map_or(entry.len(), |space| space + 1);
    let name = &entry[start..];
    &name[..name.iter().position(|byte| *byte == 0).unwrap_or(name.len())]
}
