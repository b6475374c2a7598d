//! Locked skills, which begin with their commit.

use super::{Repository, SourceResult, discover::FoundDirectory};
use crate::manifest::Source;
use crate::{
    Error,
    contents::FileRules,
    fetch::{LockedRequest, MissingSkill},
    selection::Directories as _,
};
use helix_skills_format::{ObjectId, SourceKey};
use helix_skills_git::ErrorKind;
use std::mem;

/// Locked skills before their files are fetched.
pub(super) struct OpenedSkills {
    pub(super) key: SourceKey,
    pub(super) commit: ObjectId,
    pub(super) needed: Vec<MissingSkill>,
    pub(super) rules: FileRules,
    /// Their directories in the commit.
    pub(super) found: Vec<FoundDirectory>,
}

impl Repository<'_, '_> {
    /// Fetches the commit of locked skills, with its trees.
    pub(super) fn open_locked(
        &mut self,
        key: &SourceKey,
        source: &Source,
        mut request: LockedRequest,
    ) -> SourceResult<OpenedSkills> {
        let rules = FileRules::new(&source.select, self.limits)?;
        let locked = &request.locked;
        let commit = *locked.skills_commit().ok_or_else(|| Error::no_repository(key))?;
        let root = match self.commit(commit, locked.skills_reference()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(Error::vanished(key, None, &commit).into());
            }
            other => other?.tree,
        };
        let mut paths = Vec::new();
        for MissingSkill { locked: skill, cached, .. } in &mut request.needed {
            paths.push(skill.path.clone());
            for file in cached.iter_mut().flat_map(|cached| mem::take(cached).into_files()) {
                self.session.add_blob(file.bytes);
            }
        }
        let found = self.search(key, source, root).at(&paths)?;
        let mut found: Vec<FoundDirectory> = found.into_iter().flatten().collect();
        for found in &mut found {
            found.place.is_root = request.locked.is_root(&found.path);
        }
        Ok(OpenedSkills { key: key.clone(), commit, needed: request.needed, rules, found })
    }
}
