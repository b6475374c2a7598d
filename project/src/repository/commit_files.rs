//! Access to files and directories of a commit by path.

use super::{
    Repository, SourceResult,
    links::{Target, join, resolve},
    skill_tree::FoundDirectory,
};
use crate::{Error, marketplace::Marketplace};
use helix_skills_format::{DirPath, ObjectId, SkillMd, SourceKey};
use helix_skills_git::{self as git, EntryKind};
use std::iter;

impl Repository<'_> {
    /// Returns the id of the file at `path`, unless an unfetched link is on the way.
    pub(crate) fn file(&self, root: ObjectId, path: &str) -> Result<Option<ObjectId>, git::Error> {
        Ok(resolve(&self.session, root, "", path)?.file())
    }

    /// Returns the path of the index of a marketplace and its id: the first one that exists, or the
    /// usual path without an id.
    pub(crate) fn index(
        &self,
        root: ObjectId,
    ) -> Result<(&'static str, Option<ObjectId>), git::Error> {
        for path in Marketplace::FILES {
            if !matches!(resolve(&self.session, root, "", path)?, Target::Nothing) {
                return Ok((path, self.file(root, path)?));
            }
        }
        Ok((Marketplace::FILES[0], None))
    }

    /// Returns the text of a file; `None` if it does not exist.
    pub(crate) fn text(
        &mut self,
        key: &SourceKey,
        root: ObjectId,
        path: &str,
    ) -> SourceResult<Option<String>> {
        let place = format!("{key}: {path}");
        let unreadable = |problem: &'static str| Error::of_plugin(&place, problem);
        let id = match self.follow(root, path)? {
            Target::Nothing => return Ok(None),
            Target::Broken(problem) => return Err(unreadable(problem).into()),
            target => target.file().ok_or_else(|| unreadable("it is not a regular file"))?,
        };
        self.session.blobs(&[id])?;
        let text = String::from_utf8(self.session.blob(&id)?.to_vec());
        Ok(Some(text.map_err(|_| unreadable("it is not UTF-8"))?))
    }

    /// Resolves a path, and fetches the links on the way.
    fn follow(&mut self, root: ObjectId, path: &str) -> Result<Target, git::Error> {
        Ok(self.follow_all(root, iter::once(path))?.remove(0))
    }

    /// Resolves paths, and fetches the links on the ways of all of them together.
    pub(super) fn follow_all<'p>(
        &mut self,
        root: ObjectId,
        paths: impl Iterator<Item = &'p str> + Clone,
    ) -> Result<Vec<Target>, git::Error> {
        loop {
            let targets = paths.clone().map(|path| resolve(&self.session, root, "", path));
            let targets = targets.collect::<Result<Vec<_>, _>>()?;
            let needed = targets.iter().filter_map(|target| match target {
                Target::Needs(id) => Some(*id),
                _ => None,
            });
            let needed: Vec<ObjectId> = needed.collect();
            if needed.is_empty() {
                return Ok(targets);
            }
            self.session.blobs(&needed)?;
        }
    }

    /// Returns the directory at `path` and its real path; the inner error says why there is none.
    pub(crate) fn directory(
        &mut self,
        root: ObjectId,
        path: &DirPath,
    ) -> Result<Result<(ObjectId, String), &'static str>, git::Error> {
        Ok(match self.follow(root, path.as_str())? {
            Target::Object { kind: EntryKind::Directory, id, path } => Ok((id, path)),
            Target::Broken(why) => Err(why),
            Target::Nothing => Err("there is no such directory"),
            Target::Object { .. } | Target::Needs(_) => Err("it is not a directory"),
        })
    }

    /// Returns the names of a directory's entries, those that are not UTF-8 excepted.
    pub(crate) fn names(&self, tree: ObjectId) -> Result<Vec<(String, EntryKind)>, git::Error> {
        let mut names = Vec::new();
        for entry in self.session.entries(&tree)? {
            let entry = entry?;
            if let Ok(name) = std::str::from_utf8(entry.name) {
                names.push((name.to_owned(), entry.kind));
            }
        }
        Ok(names)
    }

    /// Returns whether a directory is a skill.
    pub(crate) fn has_skill(&self, tree: &ObjectId) -> Result<bool, git::Error> {
        self.session.has_file(tree, &SkillMd::FILE_NAMES)
    }

    /// Fetches the `SKILL.md` of each directory of a commit, with another file, and returns their
    /// names and ids. Links may need further requests.
    pub(crate) fn skill_files(
        &mut self,
        found: &[FoundDirectory],
        other: Option<ObjectId>,
    ) -> Result<Vec<Option<(&'static str, ObjectId)>>, git::Error> {
        let name = |found: &FoundDirectory| {
            let [usual, lower] = SkillMd::FILE_NAMES;
            let has_usual = self.session.entry(&found.tree, usual.as_bytes())?.is_some();
            let name = if has_usual { usual } else { lower };
            Ok((name, join(&found.physical, name)))
        };
        let names = found.iter().map(name).collect::<Result<Vec<_>, git::Error>>()?;
        let root = found.first().map_or_else(|| ObjectId::from([0; 20]), |found| found.root);
        let targets = self.follow_all(root, names.iter().map(|(_, path)| path.as_str()))?;
        let file =
            |((name, _), target): (&(&'static str, String), &Target)| Some((*name, target.file()?));
        let files: Vec<_> = names.iter().zip(&targets).map(file).collect();
        let ids: Vec<ObjectId> = files.iter().flatten().map(|(_, id)| *id).chain(other).collect();
        self.session.blobs(&ids)?;
        Ok(files)
    }
}
