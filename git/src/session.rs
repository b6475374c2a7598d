//! One repository, local or remote, and the objects read from it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;

use gix::objs::{Kind, tree};
use helix_skills_format::ObjectId;

use super::error::Error;
use super::ids::{all_to_gix, from_gix, to_gix};
use super::kept::Slot;
use super::local::Local;
use super::objects::{Objects, RawCommit};
use super::reference::Reference;
use super::remote::Remote;
use super::steps::Steps;
use super::tree::{RawEntry, TreeIndex};
use super::{Git, GitOptions};

/// A commit that was fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Commit {
    /// The commit's own id, even if it was requested by the id of a tag.
    pub id: ObjectId,
    /// The id of its root tree.
    pub tree: ObjectId,
}

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

impl<'o> TreeEntry<'o> {
    fn new(entry: RawEntry<'o>) -> Self {
        let kind = match entry.mode.kind() {
            tree::EntryKind::Blob => EntryKind::File,
            tree::EntryKind::BlobExecutable => EntryKind::Executable,
            tree::EntryKind::Link => EntryKind::Link,
            tree::EntryKind::Tree => EntryKind::Directory,
            tree::EntryKind::Commit => EntryKind::Submodule,
        };
        Self { name: entry.name, kind, id: from_gix(&entry.id) }
    }
}

/// One repository, local or remote, and the objects read from it. Connects when first needed.
pub struct Session<'g> {
    origin: Origin,
    /// Name indexes of the trees that [`Session::entry`] has searched.
    indexes: RefCell<HashMap<ObjectId, TreeIndex>>,
    /// The steps taken for each source.
    steps: Steps,
    /// Cached results of [`Session::has_file`].
    has_file: RefCell<HashMap<(ObjectId, &'static [&'static str]), bool>>,
    /// Where the session is kept when it ends.
    slot: Option<Slot>,
    /// Ties the session to the `Git` whose connections it uses.
    git: PhantomData<&'g Git>,
}

pub(super) enum Origin {
    Remote(Box<Remote>),
    Local(Box<Local>),
}

impl Session<'_> {
    pub(super) fn new(origin: Origin, slot: Option<Slot>, options: &GitOptions) -> Self {
        let steps = Steps::new(options.objects_per_fetch, options.cancellation.clone());
        Self {
            origin,
            indexes: RefCell::default(),
            steps,
            has_file: RefCell::default(),
            slot,
            git: PhantomData,
        }
    }

    /// Ends the session. The next one of the same repository continues it, if the options have
    /// [`GitOptions::kept_sessions`].
    #[doc(hidden)]
    pub fn keep(self) {
        if let (Origin::Remote(remote), Some(slot)) = (self.origin, self.slot) {
            slot.put(remote);
        }
    }

    /// Counts all following steps for `source`, a name that the caller chooses. The limit of steps
    /// per source depends on `objects_per_fetch`.
    #[doc(hidden)]
    pub fn count_steps_for(&self, source: &str) {
        self.steps.count_steps_for(source);
    }

    /// Counts `steps` for the current source, plus one for each 64 bytes of `text`, the length of
    /// the text that is processed.
    ///
    /// # Errors
    /// The source has used up its steps, or the operation was cancelled.
    #[doc(hidden)]
    pub fn step(&self, steps: u64, text: usize) -> Result<(), Error> {
        Ok(self.steps.take(steps, text)?)
    }

    /// Returns the references whose names start with one of `prefixes`; compare names exactly. At
    /// most one request. Prefixes that were listed before are not listed again.
    ///
    /// # Errors
    /// The server cannot be reached or denies access; the local repository cannot be opened.
    pub fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, Error> {
        match &mut self.origin {
            Origin::Remote(remote) => Ok(remote.refs(prefixes)?),
            Origin::Local(local) => Ok(local.refs(prefixes)?),
        }
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
        let id = to_gix(id)?;
        let RawCommit { id, tree } = match &mut self.origin {
            Origin::Remote(remote) => remote.commit(&id, reference)?,
            Origin::Local(local) => local.commit(&id)?,
        };
        Ok(Commit { id: from_gix(&id), tree: from_gix(&tree) })
    }

    /// Fetches several commits, like [`Session::commit`], in one request. This is an optimization:
    /// if the server refuses one of them, nothing is fetched, and [`Session::commit`] reports
    /// which.
    ///
    /// # Errors
    /// As for [`Session::refs`].
    #[doc(hidden)]
    pub fn prefetch_commits(&mut self, ids: &[ObjectId]) -> Result<(), Error> {
        let ids = all_to_gix(ids)?;
        match &mut self.origin {
            Origin::Remote(remote) => Ok(remote.prefetch_commits(&ids)?),
            // A missing commit is reported when it is read.
            Origin::Local(local) => {
                ids.iter().for_each(|id| drop(local.commit(id)));
                Ok(())
            }
        }
    }

    /// Fetches `trees` with everything below them, and the objects `also`, in one request. Returns
    /// false, and fetches nothing, if the server does not send objects that no reference points at.
    ///
    /// # Errors
    /// As for [`Session::refs`]; the server did not send a requested object.
    pub fn fetch_trees(&mut self, trees: &[ObjectId], also: &[ObjectId]) -> Result<bool, Error> {
        let (trees, also) = (all_to_gix(trees)?, all_to_gix(also)?);
        match &mut self.origin {
            Origin::Remote(remote) => Ok(remote.fetch_trees(&trees, &also)?),
            Origin::Local(local) => Ok(local.fetch_trees(&trees, &also)?),
        }
    }

    /// Fetches the files that are not in memory yet, in one request. If the server does not send
    /// single files, one more request fetches everything of the commits that this session has
    /// fetched.
    ///
    /// # Errors
    /// As for [`Session::fetch_trees`]; the server does not send files, and no commit was fetched.
    pub fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), Error> {
        let ids = all_to_gix(ids)?;
        match &mut self.origin {
            Origin::Remote(remote) => Ok(remote.blobs(&ids)?),
            Origin::Local(local) => Ok(local.blobs(&ids)?),
        }
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
        let count = |entry: RawEntry<'s>| {
            self.steps.take(1, entry.name.len()).map(|()| TreeEntry::new(entry))
        };
        Ok(self.objects().entries(&to_gix(id)?)?.map(move |entry| Ok(entry.and_then(count)?)))
    }

    /// Returns the first entry with this name in a fetched tree. The first lookup in a tree parses
    /// all of it.
    ///
    /// # Errors
    /// As for [`Session::entries`].
    pub fn entry(&self, id: &ObjectId, name: &[u8]) -> Result<Option<TreeEntry<'_>>, Error> {
        self.steps.take(1, name.len())?;
        let tree = self.objects().data_of(&to_gix(id)?, Kind::Tree)?;
        if let Some(index) = self.indexes.borrow().get(id) {
            return Ok(index.find(tree, name).map(TreeEntry::new));
        }
        let index = TreeIndex::new(self.objects().entries(&to_gix(id)?)?, |entry| {
            self.steps.take(1, entry.name.len())
        })?;
        let found = index.find(tree, name).map(TreeEntry::new);
        self.indexes.borrow_mut().insert(*id, index);
        Ok(found)
    }

    /// Returns whether a fetched object is a tree.
    #[doc(hidden)]
    pub fn is_tree(&self, id: &ObjectId) -> bool {
        to_gix(id).is_ok_and(|id| self.objects().data_of(&id, Kind::Tree).is_ok())
    }

    /// Returns whether a fetched tree has a file, or a link, with one of these names. The result is
    /// cached, because a tree may be very large and occur in very many places.
    ///
    /// # Errors
    /// As for [`Session::entries`].
    #[doc(hidden)]
    pub fn has_file(&self, id: &ObjectId, names: &'static [&'static str]) -> Result<bool, Error> {
        if let Some(known) = self.has_file.borrow().get(&(*id, names)) {
            return Ok(*known);
        }
        let mut found = false;
        for entry in self.entries(id)? {
            let entry = entry?;
            if entry.kind != EntryKind::Directory
                && names.iter().any(|name| entry.name == name.as_bytes())
            {
                found = true;
                break;
            }
        }
        self.has_file.borrow_mut().insert((*id, names), found);
        Ok(found)
    }

    /// Returns the bytes of a fetched file.
    ///
    /// # Errors
    /// The object is missing, not a blob, or larger than the limit.
    pub fn blob(&self, id: &ObjectId) -> Result<&[u8], Error> {
        Ok(self.objects().data_of(&to_gix(id)?, Kind::Blob)?)
    }

    /// Returns whether an object was fetched, even if it is larger than the limit: reading its
    /// bytes reports that.
    #[doc(hidden)]
    pub fn has(&self, id: &ObjectId) -> bool {
        to_gix(id).is_ok_and(|id| self.objects().has(&id))
    }

    /// Returns messages about redirects of the repository, once.
    #[doc(hidden)]
    pub fn take_redirects(&mut self) -> Vec<String> {
        match &self.origin {
            Origin::Remote(remote) => remote.take_redirects(),
            Origin::Local(_) => Vec::new(),
        }
    }

    fn objects(&self) -> &Objects {
        match &self.origin {
            Origin::Remote(remote) => remote.objects(),
            Origin::Local(local) => local.objects(),
        }
    }
}
