//! What a newer commit did to skills: moved, removed and added ones.

use super::{
    Repository, SourceResult,
    links::{Target, resolve},
    location::Location,
    skill_tree::FoundDirectory,
};
use crate::selection::without_copies;
use crate::upstream::{Renamed, Upstream};
use helix_skills_format::{DirPath, ObjectId};
use helix_skills_git::{self as git, EntryKind};
use std::{collections::HashSet, sync::Arc};

/// Returns where a skill with this path and tree is in a newer commit, of whose directories `new`
/// has those that may be it.
pub(crate) fn moved<'f>(
    (path, tree): (&DirPath, Option<ObjectId>),
    mut new: impl Iterator<Item = &'f FoundDirectory> + Clone,
) -> Option<&'f FoundDirectory> {
    let has_name = |found: &&FoundDirectory| found.path.file_name() == path.file_name();
    // With other files, it is the only one of that name.
    new.clone().find(|found| Some(found.tree) == tree).or_else(|| {
        let only = new.find(has_name)?;
        new.filter(has_name).all(|other| other.path == only.path).then_some(only)
    })
}

impl Repository<'_> {
    /// Compares the locked skills of a source with the directories `found` of a newer commit;
    /// `None` if nothing is locked, or the commit stays.
    ///
    /// All trees of the newer commit have been fetched, and those of the older commit if upstream
    /// still has it.
    pub(crate) fn upstream(
        &mut self,
        location: &Location,
        found: &[FoundDirectory],
    ) -> SourceResult<Option<Upstream>> {
        let is_moved = location.known().is_none();
        let Some(before) = location.before.as_ref().filter(|_| is_moved) else { return Ok(None) };
        let mut upstream = Upstream::default();
        let locked: HashSet<_> = before.skills.iter().map(|(_, skill)| &skill.path).collect();
        let now: HashSet<&DirPath> = found.iter().map(|found| &found.path).collect();
        if let Some(root) = self.root_before(before)? {
            // Copies are one skill.
            for new in without_copies(&Vec::from_iter(found), |path| locked.contains(path)) {
                if !locked.contains(&new.path) && !self.was_skill(root, &new.path)? {
                    upstream.added.push(new.path.clone());
                }
            }
        }
        let gone = before.skills.iter().filter(|(_, skill)| !now.contains(&skill.path));
        let gone: Vec<_> = gone.collect();
        let elsewhere = match gone.as_slice() {
            [] => Arc::default(),
            _ => self.everything(location.searched())?,
        };
        for (name, skill) in gone {
            let is_new = |found: &&FoundDirectory| !locked.contains(&found.path);
            let new = found.iter().chain(&elsewhere.found).filter(is_new);
            match moved((&skill.path, skill.tree), new) {
                Some(to) => {
                    let (skill, from, to) = (name.clone(), skill.path.clone(), to.path.clone());
                    upstream.added.retain(|added| *added != to);
                    upstream.renamed.push(Renamed { skill, from, to });
                }
                None => drop(upstream.gone.insert(name.clone(), skill.path.clone())),
            }
        }
        Ok(Some(upstream))
    }

    /// Returns whether the older commit had a skill in this directory, or a link that may lead to
    /// one.
    fn was_skill(&self, root: ObjectId, path: &DirPath) -> Result<bool, git::Error> {
        match resolve(&self.session, root, "", path.as_str())? {
            Target::Object { kind: EntryKind::Directory, id, .. } => self.has_skill(&id),
            Target::Needs(_) => Ok(true),
            Target::Object { .. } | Target::Nothing | Target::Broken(_) => Ok(false),
        }
    }
}
