//! What a newer commit did to skills: moved, removed and added ones.

use super::{
    Repository, SourceResult,
    links::{Target, resolve},
    skill_tree::FoundDirectory,
};
use crate::{
    fetch::PreviousLock,
    upstream::{Renamed, Upstream},
};
use helix_skills_format::{DirPath, ObjectId, SourceKey};
use helix_skills_git::{self as git, EntryKind};
use std::{collections::HashSet, sync::Arc};

/// Compares the locked skills with the directories `found` of a newer commit with the tree `root`.
///
/// All trees of the newer commit have been fetched, and those of the older commit if upstream still
/// has it; `root_before` is its root tree then.
pub(super) fn compare(
    repository: &mut Repository<'_>,
    key: &SourceKey,
    (before, root_before): (&PreviousLock, Option<ObjectId>),
    (root, found): (ObjectId, &[FoundDirectory]),
) -> SourceResult<Upstream> {
    let mut upstream = Upstream::default();
    let locked: HashSet<&DirPath> = before.skills.iter().map(|(_, skill)| &skill.path).collect();
    let now: HashSet<&DirPath> = found.iter().map(|found| &found.path).collect();
    if let Some(root) = root_before {
        for new in found.iter().filter(|found| !locked.contains(&found.path)) {
            if !was_skill(repository, root, &new.path)? {
                upstream.added.push(new.path.clone());
            }
        }
    }
    let gone: Vec<_> =
        before.skills.iter().filter(|(_, skill)| !now.contains(&skill.path)).collect();
    let elsewhere = match gone.as_slice() {
        [] => Arc::default(),
        _ => repository.everything((key, &before.source.entry, root))?,
    };
    for (name, skill) in gone {
        let is_new = |found: &&FoundDirectory| !locked.contains(&found.path);
        let mut new = found.iter().chain(&elsewhere.found).filter(is_new);
        let has_tree = |found: &&FoundDirectory| Some(found.tree) == skill.tree;
        // With other files, it is the only one of that name.
        let moved = new.clone().find(has_tree).or_else(|| {
            new.find(|found| found.path.file_name() == skill.path.file_name()).filter(|only| {
                new.all(|other| {
                    other.path == only.path || other.path.file_name() != only.path.file_name()
                })
            })
        });
        match moved {
            Some(to) => {
                let (skill, from, to) = (name.clone(), skill.path.clone(), to.path.clone());
                upstream.added.retain(|added| *added != to);
                upstream.renamed.push(Renamed { skill, from, to });
            }
            None => drop(upstream.gone.insert(name.clone(), skill.path.clone())),
        }
    }
    Ok(upstream)
}

/// Returns whether the older commit had a skill in this directory, or a link that may lead to one.
fn was_skill(
    repository: &Repository<'_>,
    root: ObjectId,
    path: &DirPath,
) -> Result<bool, git::Error> {
    match resolve(&repository.session, root, "", path.as_str())? {
        Target::Object { kind: EntryKind::Directory, id, .. } => repository.has_skill(&id),
        Target::Needs(_) => Ok(true),
        Target::Object { .. } | Target::Nothing | Target::Broken(_) => Ok(false),
    }
}
