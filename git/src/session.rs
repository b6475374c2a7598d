//! One repository, local or remote, and the objects read from it.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;

use gix::objs::Kind;
use helix_skills_format::ObjectId;

use super::error::Error;
use super::kept::Slot;
use super::objects::{Commit, Objects};
use super::reference::Reference;
use super::repository::Repository;
use super::saved;
use super::steps::Steps;
use super::tree::{EntryKind, TreeEntry, TreeIndex};
use super::{Git, GitOptions};

/// One repository, local or remote, and the objects read from it. Connects when first needed.
pub struct Session<'g> {
    repository: Box<dyn Repository>,
    /// Name indexes of the trees that [`Session::entry`] has searched.
    indexes: RefCell<HashMap<ObjectId, TreeIndex>>,
    /// The steps taken for each source.
    steps: Steps,
    /// Cached results of [`Session::has_file`].
    has_file: RefCell<HashMap<(ObjectId, &'static [&'static str]), bool>>,
    /// The objects that were read.
    read: RefCell<HashSet<ObjectId>>,
    /// Where the session is kept when it ends.
    slot: Option<Slot>,
    /// Ties the session to the `Git` whose connections it uses.
    git: PhantomData<&'g Git>,
}

impl Session<'_> {
    pub(super) fn new(
        repository: Box<dyn Repository>,
        slot: Option<Slot>,
        options: &GitOptions,
    ) -> Self {
        let steps = Steps::new(options.objects_per_fetch, options.cancellation.clone());
        Self {
            repository,
            indexes: RefCell::default(),
            steps,
            has_file: RefCell::default(),
            read: RefCell::default(),
            slot,
            git: PhantomData,
        }
    }

    /// Returns the references whose names start with one of `prefixes`; compare names exactly. At
    /// most one request. Prefixes that were listed before are not listed again.
    ///
    /// # Errors
    /// The server cannot be reached or denies access; the local repository cannot be opened.
    pub fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, Error> {
        Ok(self.repository.refs(prefixes)?)
    }

    /// Fetches a commit with all of its trees, but without history and files: one request.
    ///
    /// A server that cannot omit files sends them too. `id` may be the id of an annotated tag.
    /// `reference` is a reference that is known to lead to the commit, for servers that only send
    /// what a reference points at.
    ///
    /// # Errors
    /// The commit does not exist, or the server does not send it; otherwise as for
    /// [`Session::refs`].
    pub fn commit(&mut self, id: &ObjectId, reference: Option<&str>) -> Result<Commit, Error> {
        let commit = self.repository.commit(id, reference)?;
        self.record(&commit.id);
        Ok(commit)
    }

    /// Returns whether a commit leads to `tip`; both have been fetched. One request, for the
    /// commits between them. Returns `None` if the server does not send commits without files.
    ///
    /// # Errors
    /// As for [`Session::refs`].
    pub fn is_ancestor(
        &mut self,
        commit: &ObjectId,
        tip: &ObjectId,
    ) -> Result<Option<bool>, Error> {
        if !self.repository.history(commit, tip)? {
            return Ok(None);
        }
        let (mut next, mut seen) = (vec![*tip], HashSet::from([*tip]));
        while let Some(id) = next.pop().filter(|id| id != commit) {
            // Those that lead to both were not sent.
            let parents = self.objects().parents(&id)?.into_iter();
            next.extend(parents.filter(|parent| self.has(parent) && seen.insert(*parent)));
        }
        Ok(Some(seen.contains(commit)))
    }

    /// Fetches the files that are not in memory yet, in one request. If the server does not send
    /// single files, one more request fetches everything of the commits that this session has
    /// fetched.
    ///
    /// # Errors
    /// As for [`Session::refs`]; the server did not send a requested file, or does not send files
    /// and no commit was fetched.
    pub fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), Error> {
        Ok(self.repository.blobs(ids)?)
    }

    /// Returns the entries of a fetched tree, in the tree's own order. Each entry is parsed when
    /// the iterator reaches it, and counts as a step of the current source.
    ///
    /// # Errors
    /// The object is missing, damaged or not a tree; the source has used up its steps.
    pub fn entries<'s>(
        &'s self,
        id: &ObjectId,
    ) -> Result<impl Iterator<Item = Result<TreeEntry<'s>, Error>> + use<'s>, Error> {
        self.record(id);
        let count = |entry: TreeEntry<'s>| self.steps.take(1, entry.name.len()).map(|()| entry);
        Ok(self.objects().entries(id)?.map(move |entry| Ok(entry.and_then(count)?)))
    }

    /// Returns the first entry with this name in a fetched tree. The first lookup in a tree parses
    /// all of it.
    ///
    /// # Errors
    /// As for [`Session::entries`].
    pub fn entry(&self, id: &ObjectId, name: &[u8]) -> Result<Option<TreeEntry<'_>>, Error> {
        self.steps.take(1, name.len())?;
        self.record(id);
        let tree = self.objects().data_of(id, Kind::Tree)?;
        if let Some(index) = self.indexes.borrow().get(id) {
            return Ok(index.find(tree, name));
        }
        let index = TreeIndex::new(self.objects().entries(id)?, |entry| {
            self.steps.take(1, entry.name.len())
        })?;
        let found = index.find(tree, name);
        self.indexes.borrow_mut().insert(*id, index);
        Ok(found)
    }

    /// Returns the bytes of a fetched file.
    ///
    /// # Errors
    /// The object is missing, not a blob, or larger than the limit.
    pub fn blob(&self, id: &ObjectId) -> Result<&[u8], Error> {
        self.record(id);
        Ok(self.objects().data_of(id, Kind::Blob)?)
    }

    fn record(&self, id: &ObjectId) {
        self.read.borrow_mut().insert(*id);
    }

    fn objects(&self) -> &Objects {
        self.repository.objects()
    }
}

#[doc(hidden)]
impl Session<'_> {
    /// Ends the session. The next one of the same repository continues it, if the options have
    /// [`GitOptions::kept_sessions`].
    pub fn keep(self) {
        if let Some(slot) = self.slot {
            slot.put(self.repository);
        }
    }

    /// Counts all following steps for `source`, a name that the caller chooses. The limit of steps
    /// per source depends on `objects_per_fetch`.
    pub fn count_steps_for(&self, source: &str) {
        self.steps.count_steps_for(source);
    }

    /// Counts `steps` for the current source, plus one for each 64 bytes of `text`, the length of
    /// the text that is processed.
    ///
    /// # Errors
    /// The source has used up its steps, or the operation was cancelled.
    pub fn step(&self, steps: u64, text: usize) -> Result<(), Error> {
        Ok(self.steps.take(steps, text)?)
    }

    /// Fetches several commits, like [`Session::commit`], in one request. This is an optimization:
    /// if the server refuses one of them, nothing is fetched, and [`Session::commit`] reports
    /// which.
    ///
    /// # Errors
    /// As for [`Session::refs`].
    pub fn prefetch_commits(&mut self, ids: &[ObjectId]) -> Result<(), Error> {
        Ok(self.repository.prefetch_commits(ids)?)
    }

    /// Adds the bytes of a file that the caller has already, under the id computed from them, so
    /// that [`Session::blobs`] does not fetch it.
    pub fn add_blob(&mut self, bytes: Vec<u8>) {
        // The bytes of a SHA-1 collision attack are not added. The server is asked for the file.
        let _ = self.repository.objects_mut().insert(Kind::Blob, bytes);
    }

    /// Returns whether a fetched tree has a file, or a link, with one of these names. The result is
    /// cached, because a tree may be very large and occur in very many places.
    ///
    /// # Errors
    /// As for [`Session::entries`].
    pub fn has_file(&self, id: &ObjectId, names: &'static [&'static str]) -> Result<bool, Error> {
        self.record(id);
        if let Some(known) = self.has_file.borrow().get(&(*id, names)) {
            return Ok(*known);
        }
        let is_other = |entry: &TreeEntry<'_>| {
            entry.kind == EntryKind::Directory
                || names.iter().all(|name| entry.name != name.as_bytes())
        };
        let mut entries = self.entries(id)?;
        let found = entries.find(|entry| !entry.as_ref().is_ok_and(is_other));
        let found = found.transpose()?.is_some();
        self.has_file.borrow_mut().insert((*id, names), found);
        Ok(found)
    }

    /// Returns the objects that were read since the last call, one line each, sorted, for
    /// [`Git::saved_session`].
    pub fn take_read(&self) -> String {
        saved::text(self.objects(), self.read.take().into_iter())
    }

    /// Returns whether an object was fetched, even if it is larger than the limit: reading its
    /// bytes reports that.
    pub fn has(&self, id: &ObjectId) -> bool {
        self.objects().has(id)
    }

    /// Returns messages about redirects of the repository, once.
    pub fn take_redirects(&mut self) -> Vec<String> {
        self.repository.take_redirects()
    }
}
