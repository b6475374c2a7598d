//! Repositories on this machine, opened without their configuration and without a `git` executable.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::bstr::ByteSlice;
use gix::objs::Kind;
use gix::prelude::HeaderExt as _;
use helix_skills_format::__internal::one_line_chain;
use helix_skills_format::ObjectId;

use super::error::{Cause, DAMAGED, GitError};
use super::ids::{from_gix, to_gix};
use super::objects::{Commit, Objects};
use super::reference::{Reference, is_below};
use super::repository::Repository;
use super::shared::Origin;
use super::tree::EntryKind;

/// The files that opening a repository reads.
const READ_WHEN_OPENED: [&str; 7] =
    [".git", "HEAD", "commondir", "config", "config.worktree", "packed-refs", "shallow"];

const NOT_A_REPOSITORY: &str =
    "for skills that are not in a git repository, use a source of type `path`";

/// Maximum number of object directories that a repository borrows from, far above any real one.
const MAX_ALTERNATES: usize = 100;

/// A repository on this machine. All objects that are read are hashed, like those from a server.
pub(super) struct Local {
    origin: Arc<Origin>,
    path: PathBuf,
    objects: Objects,
}

impl Repository for Local {
    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn objects_mut(&mut self) -> &mut Objects {
        &mut self.objects
    }

    fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError> {
        let repository = self.open()?;
        let platform = repository.references().map_err(|error| self.unreadable(&error))?;
        let all = platform.all().map_err(|error| self.unreadable(&error))?;
        let head =
            repository.try_find_reference("HEAD").map_err(|error| self.unreadable(&error))?;
        let mut found = Vec::new();
        // A reference that is unreadable or dangling matches no pin.
        for mut reference in head.into_iter().chain(all.filter_map(Result::ok)) {
            let Ok(name) = reference.name().as_bstr().to_str().map(str::to_owned) else { continue };
            if !is_below(&name, prefixes) {
                continue;
            }
            let target = reference.target().try_name().map(|target| target.as_bstr().to_vec());
            let Ok(id) = reference.follow_to_object().map(|id| from_gix(&id)) else { continue };
            let peeled = match self.read_commit(&repository, &id) {
                Ok(commit) => commit.id,
                Err(_) if has(&repository, &id)? => id,
                Err(_) => continue,
            };
            found.extend(Reference::checked(name.as_bytes(), id, peeled, target.as_deref()));
        }
        Ok(found)
    }

    fn commit(&mut self, id: &ObjectId, _reference: Option<&str>) -> Result<Commit, GitError> {
        let repository = self.open()?;
        if !has(&repository, id)? {
            return Err(self.not_found(&repository, format!("commit `{id}`")));
        }
        let commit = self.read_commit(&repository, id)?;
        self.read_all(&repository, HashSet::from([commit.tree]), commit.tree, |objects, id| {
            let mut entries = objects.entries(id)?.collect::<Result<Vec<_>, _>>()?;
            entries.retain(|entry| entry.kind == EntryKind::Directory);
            Ok(entries.into_iter().map(|entry| entry.id).collect())
        })?;
        Ok(commit)
    }

    fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        let repository = self.open()?;
        ids.iter().try_for_each(|id| self.read(&repository, id))?;
        self.objects.expect(ids)
    }

    fn history(&mut self, commit: &ObjectId, tip: &ObjectId) -> Result<bool, GitError> {
        let repository = self.open()?;
        self.read_all(&repository, HashSet::from([*tip, *commit]), *tip, |objects, id| {
            let mut parents = Vec::new();
            for parent in objects.parents(id)? {
                // A shallow clone ends somewhere.
                parents.extend(has(&repository, &parent)?.then_some(parent));
            }
            Ok(parents)
        })?;
        Ok(true)
    }

    fn prefetch_commits(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        // Many sources may have the same commit. A missing one is reported when it is read.
        let ids: HashSet<&ObjectId> = ids.iter().collect();
        ids.into_iter().for_each(|id| drop(self.commit(id, None)));
        Ok(())
    }
}

impl Local {
    /// Creates the repository without doing any IO. `path` is its directory, its `.git`, or a bare
    /// repository.
    pub(super) fn new(origin: Arc<Origin>, path: PathBuf) -> Self {
        let objects = Objects::new(origin.name.clone(), origin.shared.options.bytes_per_object);
        Self { origin, path, objects }
    }

    fn read_commit(
        &mut self,
        repository: &gix::Repository,
        id: &ObjectId,
    ) -> Result<Commit, GitError> {
        let mut next = *id;
        loop {
            self.read(repository, &next)?;
            match self.objects.get(&next) {
                Some(object) if object.kind == Kind::Tag => {
                    next = self.objects.tag_target(&next)?
                }
                _ => return self.objects.commit(id),
            }
        }
    }

    /// Reads the object `first`, those that `next` finds in it, and so on, except those in `seen`.
    /// Not too many are read, and none after the operation was cancelled.
    fn read_all(
        &mut self,
        repository: &gix::Repository,
        mut seen: HashSet<ObjectId>,
        first: ObjectId,
        next: impl Fn(&Objects, &ObjectId) -> Result<Vec<ObjectId>, GitError>,
    ) -> Result<(), GitError> {
        let mut open = vec![first];
        while let Some(id) = open.pop() {
            self.origin.shared.check()?;
            if seen.len() as u64 > self.origin.shared.options.objects_per_fetch {
                return Err(self.origin.too_many());
            }
            self.read(repository, &id)?;
            open.extend(next(&self.objects, &id)?.into_iter().filter(|id| seen.insert(*id)));
        }
        Ok(())
    }

    /// Reads an object and verifies that its id is correct. Omits objects that are too large.
    fn read(&mut self, repository: &gix::Repository, id: &ObjectId) -> Result<(), GitError> {
        if self.objects.has(id) {
            return Ok(());
        }
        let gix_id = to_gix(id)?;
        let Ok(header) = repository.objects.header(gix_id) else {
            return Err(self.not_found(repository, format!("object `{id}`")));
        };
        if header.size() > self.objects.largest(header.kind()) {
            self.objects.leave_out(Some((*id, header.kind())));
            return Ok(());
        }
        if self.objects.room(self.origin.shared.options.bytes_per_fetch) < header.size() {
            return Err(self.origin.too_long());
        }
        let object =
            repository.find_object(gix_id).map_err(|error| self.unreadable(&error))?.detach();
        match self.objects.insert(object.kind, object.data) {
            Ok(computed) if computed == *id => Ok(()),
            Ok(computed) => {
                Err(self.objects.corrupt(format!("object {id} has the contents of {computed}")))
            }
            Err(_) => Err(self.objects.corrupt(format!("object {id} is a SHA-1 collision attack"))),
        }
    }

    /// Opened for each operation, because gix's repositories cannot be sent between threads, and
    /// sessions can.
    fn open(&self) -> Result<gix::Repository, GitError> {
        let isolated = gix::open::Options::isolated;
        // Like git, `dir/name` may stand for `dir/name.git`.
        let mut with_suffix = self.path.clone().into_os_string();
        with_suffix.push(".git");
        let with_suffix = PathBuf::from(with_suffix);
        for directory in [&self.path, &self.path.join(".git"), &with_suffix] {
            self.check_types(directory)?;
        }
        let opened = gix::open_opts(&self.path, isolated())
            .or_else(|error| gix::open_opts(&with_suffix, isolated()).map_err(|_| error));
        let mut repository = opened.map_err(|error| self.cannot_open(&error))?;
        // Otherwise `refs/replace/*` would substitute other contents for an id.
        repository.objects.ignore_replacements = true;
        Ok(repository)
    }

    /// Checks that what opening a repository reads are files, because the opening of a pipe waits
    /// for its other end.
    fn check_types(&self, directory: &Path) -> Result<(), GitError> {
        let check = |path: PathBuf| match path.metadata() {
            Ok(found) if !found.is_file() && !found.is_dir() => {
                let problem = "expected a regular file or a directory";
                let (hint, source) = (Some(NOT_A_REPOSITORY), Cause::new(problem));
                Err(GitError::Local { path, hint, source })
            }
            _ => Ok(path),
        };
        for name in READ_WHEN_OPENED {
            check(directory.join(name))?;
        }
        // A directory of objects may name others, and these further ones.
        let mut objects = vec![directory.join("objects")];
        let mut at = 0;
        while at < objects.len().min(MAX_ALTERNATES) {
            let alternates = check(objects[at].join("info/alternates"))?;
            let names = fs::read_to_string(alternates).unwrap_or_default();
            let named = names.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            let named: Vec<PathBuf> = named.map(|line| objects[at].join(line)).collect();
            objects.extend(named);
            at += 1;
        }
        Ok(())
    }

    fn cannot_open(&self, error: &gix::Error) -> GitError {
        let source = Cause::from_gix(error);
        if one_line_chain(&source).to_ascii_lowercase().contains("sha256") {
            return GitError::Sha256 { url: self.origin.name.clone() };
        }
        let hint = match self.path.exists() {
            true => NOT_A_REPOSITORY,
            false => "check the path; relative URLs are relative to the manifest's directory",
        };
        GitError::Local { path: self.path.clone(), hint: Some(hint), source }
    }

    fn unreadable(&self, error: &gix::Error) -> GitError {
        GitError::Local {
            path: self.path.clone(),
            hint: Some(DAMAGED),
            source: Cause::from_gix(error),
        }
    }

    fn not_found(&self, repository: &gix::Repository, what: String) -> GitError {
        let is_partial = repository.is_shallow().unwrap_or(false)
            || repository.config_snapshot().string("extensions.partialClone").is_some();
        let hint = is_partial.then_some(
            "the local repository is a shallow or partial clone; fetch the rest of it with git",
        );
        self.objects.not_found(what, hint)
    }
}

fn has(repository: &gix::Repository, id: &ObjectId) -> Result<bool, GitError> {
    Ok(repository.has_object(to_gix(id)?))
}
