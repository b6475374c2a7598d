//! A repository on a server: chooses the requests for each question, and keeps the received
//! objects.

use std::sync::Arc;

use helix_skills_format::ObjectId;

use super::connector::Connector;
use super::dialogue::Dialogue;
use super::error::GitError;
use super::ids::to_gix;
use super::objects::{Commit, Objects};
use super::pack::{self, PackLimits};
use super::reference::{Reference, is_below};
use super::repository::Repository;
use super::request::Scope;
use super::shared::Origin;
use super::wait::lock;
use crate::FetchEvent;

/// A repository on a server, and the objects received from it.
pub(super) struct Remote {
    origin: Arc<Origin>,
    dialogue: Dialogue,
    /// The listed references, and the prefixes that they were listed for.
    refs: Vec<Reference>,
    listed: Vec<String>,
    /// The ids that were requested to get the commits received so far.
    wanted_commits: Vec<ObjectId>,
    objects: Objects,
}

impl Repository for Remote {
    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn objects_mut(&mut self) -> &mut Objects {
        &mut self.objects
    }

    fn take_redirects(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.origin.redirects))
    }

    fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError> {
        let mut new = prefixes.to_vec();
        new.retain(|prefix| !is_below(prefix, &self.listed));
        if !new.is_empty() {
            self.refs.extend(self.dialogue.refs(&new)?);
            if !self.listed.is_empty() {
                // A reference that moved meanwhile keeps its first value.
                self.refs.sort_by(|a, b| a.name.cmp(&b.name));
                self.refs.dedup_by(|a, b| a.name == b.name);
            }
            self.listed.append(&mut new);
        }
        Ok(self.refs.iter().filter(|found| is_below(&found.name, prefixes)).cloned().collect())
    }

    fn commit(&mut self, id: &ObjectId, reference: Option<&str>) -> Result<Commit, GitError> {
        if self.objects.has(id) {
            return self.objects.commit(id);
        }
        let want = self.fetch_commit(id, reference)?;
        let commit = self.objects.commit(id)?;
        self.wanted_commits.push(want);
        Ok(commit)
    }

    fn prefetch_commits(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        let wants = self.missing(ids);
        if wants.len() < 2 {
            return Ok(());
        }
        match self.fetch(&wants, Scope::Trees) {
            Err(GitError::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
            Ok(()) => {
                self.wanted_commits.extend(wants);
                Ok(())
            }
        }
    }

    fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        let wants = self.missing(ids);
        if wants.is_empty() {
            return Ok(());
        }
        match self.fetch(&wants, Scope::Whole) {
            Err(GitError::Refused { .. }) if !self.wanted_commits.is_empty() => {
                self.origin.log("the server does not send single files: fetching the whole commit");
                let commits = self.wanted_commits.clone();
                self.fetch(&commits, Scope::Shallow)?;
            }
            other => other?,
        }
        self.objects.expect(&wants)
    }

    fn history(&mut self, commit: &ObjectId, tip: &ObjectId) -> Result<bool, GitError> {
        match self.fetch(&[*tip], Scope::Between(*commit)) {
            Err(GitError::Refused { .. }) => Ok(false),
            other => other.map(|()| true),
        }
    }
}

impl Remote {
    /// Creates the repository without doing any IO.
    pub(super) fn new(origin: Arc<Origin>, connector: Connector) -> Self {
        let objects = Objects::new(origin.name.clone(), origin.shared.options.bytes_per_object);
        let dialogue = Dialogue::new(origin.clone(), connector);
        let (refs, listed) = (Vec::new(), Vec::new());
        Self { origin, dialogue, refs, listed, wanted_commits: Vec::new(), objects }
    }

    /// Fetches a commit. Returns the id that the server had to be asked for.
    fn fetch_commit(
        &mut self,
        id: &ObjectId,
        reference: Option<&str>,
    ) -> Result<ObjectId, GitError> {
        match self.fetch(&[*id], Scope::Trees) {
            Err(GitError::Refused { .. }) => {}
            other => return other.map(|()| *id),
        }
        // The server only sends objects that a reference points at. An annotated tag leads to its
        // commit.
        let prefixes = match reference {
            Some(name) => vec![name.to_owned()],
            None => ["HEAD", "refs/heads/", "refs/tags/"].map(str::to_owned).to_vec(),
        };
        let refs = self.refs(&prefixes)?;
        let way = refs.iter().find(|r| r.peeled == *id && r.id != *id).map(|r| r.id);
        if let Some(way) = way {
            match self.fetch(&[way], Scope::Trees) {
                Err(GitError::Refused { .. }) => {}
                other => return other.map(|()| way),
            }
        }
        // The server may also advertise filters but refuse the requested one.
        let want = way.unwrap_or(*id);
        match self.fetch(&[want], Scope::Shallow) {
            Err(error) if way.is_none() && error.denies(id) => {
                self.origin.shared.verbose(&error.to_string());
                Err(self.objects.not_found(
                    format!("commit `{id}`"),
                    Some("the server has no such commit, or only sends commits that a branch or tag points at"),
                ))
            }
            other => other.map(|()| want),
        }
    }

    /// Returns the ids of objects that are not in memory, sorted and without duplicates.
    fn missing<'a>(&self, ids: impl IntoIterator<Item = &'a ObjectId>) -> Vec<ObjectId> {
        let mut missing: Vec<ObjectId> =
            ids.into_iter().filter(|id| !self.objects.has(id)).copied().collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Makes one request for `wants`.
    fn fetch(&mut self, wants: &[ObjectId], scope: Scope) -> Result<(), GitError> {
        // Only ids of SHA-1 can be requested.
        wants.iter().try_for_each(|id| to_gix(id).map(drop))?;
        let options = &self.origin.shared.options;
        let limits = PackLimits {
            objects: options.objects_per_fetch,
            total_bytes: self.objects.room(options.bytes_per_fetch),
        };
        let pack = self.dialogue.pack(wants, scope)?;
        let read = pack::ingest(&pack, &limits, &mut self.objects);
        let count = read.map_err(|error| self.dialogue.refuse_pack(error))?;
        self.origin.log(format_args!("{count} objects, {} bytes", pack.len()));
        Ok(())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.origin.shared.emit(&FetchEvent::Finished { url: &self.origin.name });
    }
}
