//! What locked entries select in locked commits, without the contents of files.

use crate::{
    Error,
    fetch::PreviousLock,
    manifest::{Lock, LockedSource},
    notes::Notes,
    repository::{
        FoundDirectory, Location, OpenedSource, Reader, Repository, SkillFiles, SourceError,
        SourceResult, Task, has_link,
    },
};
use helix_skills_format::{DirPath, ObjectId, RelPath, SourceKey};
use helix_skills_git as git;
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

/// What a locked entry selects in a locked commit.
pub(crate) struct Resolved {
    pub(crate) key: SourceKey,
    pub(crate) commit: ObjectId,
    /// The objects that were read for it, as [`git::Session::take_read`] returns them.
    pub(crate) read: String,
    /// The source and its skills; `None` if these are in another repository.
    pub(crate) source: Option<(LockedSource, Vec<ResolvedSkill>)>,
}

/// A skill of a commit.
pub(crate) struct ResolvedSkill {
    pub(crate) path: DirPath,
    pub(crate) tree: ObjectId,
    /// Each file, and whether it is executable.
    pub(crate) files: BTreeMap<RelPath, (ObjectId, bool)>,
    pub(crate) links: BTreeMap<RelPath, ObjectId>,
}

impl Reader<'_> {
    /// Resolves locked sources, each also in the repository of its plugin. Returns why others
    /// cannot be resolved.
    ///
    /// If the lockfile has all that is selected, only the entry decides, and not what was locked.
    pub(crate) fn resolve<'l>(
        &self,
        sources: impl Iterator<Item = (&'l SourceKey, &'l LockedSource)>,
        lock: &Lock,
    ) -> (Vec<Resolved>, Vec<(SourceKey, Error)>) {
        let locations = sources.filter_map(|(key, locked)| {
            let before = locked.directories.is_none();
            let before = before.then(|| Box::new(PreviousLock::new(key, locked, lock)));
            let location = Location::new(key.clone(), locked.entry.clone(), Task::Select)?;
            Some(Location { known: Some(locked.clone()), before, ..location })
        });
        let read = |repository: &mut Repository<'_>, locations| repository.resolve(locations, lock);
        self.read(locations.collect(), &mut Notes::default(), read)
    }
}

impl Repository<'_> {
    fn resolve(
        &mut self,
        locations: Vec<Location>,
        lock: &Lock,
    ) -> Result<Vec<Resolved>, git::Error> {
        let mut resolved = Vec::new();
        for location in locations {
            // What an earlier source has found would not be read again.
            self.scopes.clear();
            let key = location.key.clone();
            let Some(commit) = location.known_commit() else {
                // The index has the plugin in another place than the lockfile.
                self.failed.for_source(&key).push(Error::other_source(&key, "plugin"));
                continue;
            };
            let (located, _) = self.locate(vec![location])?;
            let mut opened = self.open(located)?;
            self.fetch_files(&mut opened, false)?;
            if let Some(opened) = opened.first_mut() {
                // A sync does not lock a source with a skill that it refuses.
                let refused = mem::take(&mut opened.errors).finish(&key).map_err(SourceError::from);
                let copies = refused.and_then(|()| self.take_locked_copies(opened, lock));
                if self.keep((&key, None), copies)?.is_none() {
                    continue;
                }
            }
            let source = opened.pop().map(|OpenedSource { location, found, files, .. }| {
                let skills = found.into_iter().zip(files.into_iter().flatten());
                let skill = |(found, walked): (FoundDirectory, SkillFiles)| {
                    let files = walked.files.into_iter();
                    let files = files.map(|(path, id, executable)| (path, (id, executable)));
                    let (path, tree, links) = (found.path, found.tree, walked.links);
                    ResolvedSkill { path, tree, files: files.collect(), links }
                };
                (location.locked, skills.map(skill).collect())
            });
            resolved.push(Resolved { key, commit, read: self.session.take_read(), source });
        }
        Ok(resolved)
    }

    /// Moves skills to the directories where the lockfile has them, if these are copies.
    fn take_locked_copies(&mut self, opened: &mut OpenedSource, lock: &Lock) -> SourceResult<()> {
        let OpenedSource { location, found, .. } = opened;
        let mut locked: BTreeSet<&DirPath> =
            lock.skills_of(&location.key).map(|(_, skill)| &skill.path).collect();
        locked.retain(|path| found.iter().all(|found| found.path != **path));
        let copies = self.search(location.searched()).at(locked.iter().copied())?;
        for copy in copies.into_iter().flatten() {
            let is_copy = |found: &&mut FoundDirectory| {
                (found.tree, &found.name) == (copy.tree, &copy.name)
                    && !locked.contains(&found.path)
            };
            if !has_link(&self.session, copy.tree)?
                && let Some(found) = found.iter_mut().find(is_copy)
            {
                *found = copy;
            }
        }
        Ok(())
    }
}
