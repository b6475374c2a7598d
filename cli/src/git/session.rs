//! One repository, wherever it is, while its objects are wanted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;

use gix::ObjectId;
use gix::objs::Kind;
use helix_skills_format::RefName;

use super::Git;
use super::error::GitError;
use super::local::Local;
use super::objects::{Commit, Objects, TreeEntry};
use super::remote::Remote;

/// A branch, a tag, or `HEAD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// `HEAD`, or a full name such as `refs/tags/v1`.
    pub(crate) name: String,
    /// What it points at: for an annotated tag, the tag object.
    pub(crate) id: ObjectId,
    /// What it means: for an annotated tag, what is behind it; else the same as `id`.
    pub(crate) peeled: ObjectId,
    /// The reference that a symbolic one such as `HEAD` stands for.
    pub(crate) target: Option<String>,
}

impl Reference {
    /// What a server or a repository says of a reference. None if git allows no such name: it would be locked, and nobody
    /// could read the lock again. A symbolic reference may stand for one of that kind, which is then not told.
    pub(super) fn checked(name: &[u8], id: ObjectId, peeled: ObjectId, target: Option<&[u8]>) -> Option<Self> {
        let checked =
            |name| std::str::from_utf8(name).ok().filter(|name| RefName::new(name).is_ok()).map(str::to_owned);
        let target = target.and_then(checked).filter(|target| target.starts_with("refs/"));
        Some(Self { name: checked(name)?, id, peeled, target })
    }
}

/// One repository, wherever it is, and the objects received from it. Connects when first needed.
pub(crate) struct Session<'g> {
    source: Source,
    /// What [`Session::has_file`] has found out.
    has_file: RefCell<HashMap<(ObjectId, &'static [&'static str]), bool>>,
    /// Sessions live no longer than the program's `Git`, whose connections they use.
    git: PhantomData<&'g Git>,
}

pub(super) enum Source {
    Remote(Box<Remote>),
    Local(Box<Local>),
}

impl Session<'_> {
    pub(super) fn new(source: Source) -> Self {
        Self { source, has_file: RefCell::default(), git: PhantomData }
    }

    /// The references whose names start with one of `prefixes`; compare names exactly. At most one request.
    ///
    /// # Errors
    /// The server cannot be reached or gives no access; the local repository cannot be opened.
    pub(crate) fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError> {
        match &mut self.source {
            Source::Remote(remote) => remote.refs(prefixes),
            Source::Local(local) => local.refs(prefixes),
        }
    }

    /// Fetches a commit without its history and without files, but with all of its trees: one request. A server that cannot
    /// leave out files sends them, too. `id` may be an annotated tag's. `reference` is one that is known to lead to the commit,
    /// for servers that give out only what a reference points at.
    ///
    /// # Errors
    /// There is no such commit, or the server does not give it out; and as [`Session::refs`].
    pub(crate) fn commit(&mut self, id: &ObjectId, reference: Option<&str>) -> Result<Commit, GitError> {
        match &mut self.source {
            Source::Remote(remote) => remote.commit(id, reference),
            Source::Local(local) => local.commit(id),
        }
    }

    /// Fetches several commits, as [`Session::commit`] does one, in one request. Only saves requests: where the server
    /// refuses one of them, nothing is fetched, and [`Session::commit`] finds out which.
    ///
    /// # Errors
    /// As [`Session::refs`].
    pub(crate) fn prefetch_commits(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        match &mut self.source {
            Source::Remote(remote) => remote.prefetch_commits(ids),
            // Whether one is missing is found out when it is asked for.
            Source::Local(local) => {
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
    pub(crate) fn whole_trees(&mut self, trees: &[ObjectId], also: &[ObjectId]) -> Result<bool, GitError> {
        match &mut self.source {
            Source::Remote(remote) => remote.whole_trees(trees, also),
            Source::Local(local) => local.whole_trees(trees, also),
        }
    }

    /// Fetches those of these files that are not there yet, in one request. Where a server does not give out single files,
    /// one more request fetches everything of the commits that this session has fetched.
    ///
    /// # Errors
    /// As [`Session::whole_trees`]; the server does not give out files, and no commit was fetched.
    pub(crate) fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        match &mut self.source {
            Source::Remote(remote) => remote.blobs(ids),
            Source::Local(local) => local.blobs(ids),
        }
    }

    /// The entries of a tree that was fetched, in git's order.
    ///
    /// # Errors
    /// The object is not there, is no tree, or is damaged.
    pub(crate) fn tree(&self, id: &ObjectId) -> Result<Vec<TreeEntry>, GitError> {
        self.objects().tree(id)
    }

    /// The entry with this name of a tree that was fetched.
    ///
    /// # Errors
    /// As [`Session::tree`].
    pub(crate) fn entry(&self, id: &ObjectId, name: &[u8]) -> Result<Option<TreeEntry>, GitError> {
        self.objects().entry(id, name)
    }

    /// Whether a tree that was fetched has a file, or a link, of one of these names. Each tree is read once: it may be very
    /// large, and stand in very many places.
    ///
    /// # Errors
    /// As [`Session::tree`].
    pub(crate) fn has_file(&self, id: &ObjectId, names: &'static [&'static str]) -> Result<bool, GitError> {
        if let Some(known) = self.has_file.borrow().get(&(*id, names)) {
            return Ok(*known);
        }
        let is_there = |entry: &TreeEntry| !entry.mode.is_tree() && names.iter().any(|name| entry.name == *name);
        let found = self.tree(id)?.iter().any(is_there);
        self.has_file.borrow_mut().insert((*id, names), found);
        Ok(found)
    }

    /// The bytes of a file that was fetched.
    ///
    /// # Errors
    /// The object is not there, is no blob, or is larger than the limit.
    pub(crate) fn blob(&self, id: &ObjectId) -> Result<&[u8], GitError> {
        self.objects().of_kind(id, Kind::Blob)
    }

    /// Whether an object was fetched, also when it is larger than the limit: asking for its bytes says so.
    pub(crate) fn has(&self, id: &ObjectId) -> bool {
        self.objects().has(id)
    }

    /// What should be told about the way to the repository, once: that it answers from elsewhere.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        match &self.source {
            Source::Remote(remote) => remote.take_warnings(),
            Source::Local(_) => Vec::new(),
        }
    }

    fn objects(&self) -> &Objects {
        match &self.source {
            Source::Remote(remote) => remote.objects(),
            Source::Local(local) => local.objects(),
        }
    }
}
