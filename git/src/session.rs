//! One repository, wherever it is, while its objects are wanted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;

use gix::objs::{Kind, tree};
use helix_skills_format::ObjectId;

use super::error::Error;
use super::ids::{all_to_gix, from_gix, to_gix};
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
    /// Its own id, also when it was asked for by the id of a tag.
    pub id: ObjectId,
    /// Its root tree.
    pub tree: ObjectId,
}

/// One entry of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeEntry<'o> {
    /// The name's bytes: never empty, `.` or `..`, and without `/`. Anything else is possible.
    pub name: &'o [u8],
    /// What the entry is.
    pub kind: EntryKind,
    /// The object, or the commit of a submodule.
    pub id: ObjectId,
}

/// What an entry of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A file with the executable bit.
    Executable,
    /// A symbolic link. The object's bytes are its target.
    Link,
    /// A directory, which is a tree.
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

/// One repository, wherever it is, and the objects received from it. Connects when first needed.
pub struct Session<'g> {
    origin: Origin,
    /// The trees that [`Session::entry`] has looked into.
    indexes: RefCell<HashMap<ObjectId, TreeIndex>>,
    /// What is done for each source.
    steps: Steps,
    /// What [`Session::has_file`] has found out.
    has_file: RefCell<HashMap<(ObjectId, &'static [&'static str]), bool>>,
    /// Sessions live no longer than the program's `Git`, whose connections they use.
    git: PhantomData<&'g Git>,
}

pub(super) enum Origin {
    Remote(Box<Remote>),
    Local(Box<Local>),
}

impl Session<'_> {
    pub(super) fn new(origin: Origin, options: &GitOptions) -> Self {
        let steps = Steps::new(options.objects_per_fetch, options.cancellation.clone());
        Self {
            origin,
            indexes: RefCell::default(),
            steps,
            has_file: RefCell::default(),
            git: PhantomData,
        }
    }

    /// Counts the steps that follow for this source, whatever the caller calls so. Each source may take
    /// a number of them that depends on `objects_per_fetch`.
    pub fn count_steps_for(&self, source: &str) {
        self.steps.count_steps_for(source);
    }

    /// Counts steps of the current source, and more for each 64 bytes of the text that they are about.
    ///
    /// # Errors
    /// The source has taken all of its steps, or the run was interrupted.
    pub fn step(&self, steps: u64, text: usize) -> Result<(), Error> {
        Ok(self.steps.take(steps, text)?)
    }

    /// The references whose names start with one of `prefixes`; compare names exactly. At most one request.
    ///
    /// # Errors
    /// The server cannot be reached or gives no access; the local repository cannot be opened.
    pub fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, Error> {
        match &mut self.origin {
            Origin::Remote(remote) => Ok(remote.refs(prefixes)?),
            Origin::Local(local) => Ok(local.refs(prefixes)?),
        }
    }

    /// Fetches a commit without its history and without files, but with all of its trees: one request. A server that cannot
    /// leave out files sends them, too. `id` may be an annotated tag's. `reference` is one that is known to lead to the commit,
    /// for servers that give out only what a reference points at.
    ///
    /// # Errors
    /// There is no such commit, or the server does not give it out; and as [`Session::refs`].
    pub fn commit(&mut self, id: &ObjectId, reference: Option<&str>) -> Result<Commit, Error> {
        let id = to_gix(id)?;
        let RawCommit { id, tree } = match &mut self.origin {
            Origin::Remote(remote) => remote.commit(&id, reference)?,
            Origin::Local(local) => local.commit(&id)?,
        };
        Ok(Commit { id: from_gix(&id), tree: from_gix(&tree) })
    }

    /// Fetches several commits, as [`Session::commit`] does one, in one request. Only saves requests: where the server
    /// refuses one of them, nothing is fetched, and [`Session::commit`] finds out which.
    ///
    /// # Errors
    /// As [`Session::refs`].
    pub fn prefetch_commits(&mut self, ids: &[ObjectId]) -> Result<(), Error> {
        let ids = all_to_gix(ids)?;
        match &mut self.origin {
            Origin::Remote(remote) => Ok(remote.prefetch_commits(&ids)?),
            // Whether one is missing is found out when it is asked for.
            Origin::Local(local) => {
                ids.iter().for_each(|id| drop(local.commit(id)));
                Ok(())
            }
        }
    }

    /// Fetches trees with everything below them, and `also` other objects, all in one request. False, and nothing fetched,
    /// when the server does not give out objects that no reference points at.
    ///
    /// # Errors
    /// As [`Session::refs`]; what was asked for did not come.
    pub fn fetch_trees(&mut self, trees: &[ObjectId], also: &[ObjectId]) -> Result<bool, Error> {
        let (trees, also) = (all_to_gix(trees)?, all_to_gix(also)?);
        match &mut self.origin {
            Origin::Remote(remote) => Ok(remote.fetch_trees(&trees, &also)?),
            Origin::Local(local) => Ok(local.fetch_trees(&trees, &also)?),
        }
    }

    /// Fetches those of these files that are not there yet, in one request. Where a server does not give out single files,
    /// one more request fetches everything of the commits that this session has fetched.
    ///
    /// # Errors
    /// As [`Session::fetch_trees`]; the server does not give out files, and no commit was fetched.
    pub fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), Error> {
        let ids = all_to_gix(ids)?;
        match &mut self.origin {
            Origin::Remote(remote) => Ok(remote.blobs(&ids)?),
            Origin::Local(local) => Ok(local.blobs(&ids)?),
        }
    }

    /// The entries of a tree that was fetched, in its own order. Each is parsed when it is asked for, and is a step of the
    /// current source.
    ///
    /// # Errors
    /// The object is not there, is not a tree, or is damaged; the source has taken all of its steps.
    pub fn entries<'s>(
        &'s self,
        id: &ObjectId,
    ) -> Result<impl Iterator<Item = Result<TreeEntry<'s>, Error>> + use<'s>, Error> {
        let count = |entry: RawEntry<'s>| {
            self.steps.take(1, entry.name.len()).map(|()| TreeEntry::new(entry))
        };
        Ok(self.objects().entries(&to_gix(id)?)?.map(move |entry| Ok(entry.and_then(count)?)))
    }

    /// The first entry with this name of a tree that was fetched. The first lookup in a tree parses all of it.
    ///
    /// # Errors
    /// As [`Session::entries`].
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

    /// Whether an object that was fetched is a tree.
    pub fn is_tree(&self, id: &ObjectId) -> bool {
        to_gix(id).is_ok_and(|id| self.objects().data_of(&id, Kind::Tree).is_ok())
    }

    /// Whether a tree that was fetched has a file, or a link, with one of these names. The answer is kept: a tree may be
    /// very large, and be in very many places.
    ///
    /// # Errors
    /// As [`Session::entries`].
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

    /// The bytes of a file that was fetched.
    ///
    /// # Errors
    /// The object is not there, is no blob, or is larger than the limit.
    pub fn blob(&self, id: &ObjectId) -> Result<&[u8], Error> {
        Ok(self.objects().data_of(&to_gix(id)?, Kind::Blob)?)
    }

    /// Whether an object was fetched, also when it is larger than the limit: asking for its bytes says so.
    pub fn has(&self, id: &ObjectId) -> bool {
        to_gix(id).is_ok_and(|id| self.objects().has(&id))
    }

    /// What should be told about the way to the repository, once: that it answers from elsewhere.
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
