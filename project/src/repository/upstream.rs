//! What a newer commit did to skills: renamed, removed and added ones.

use super::{
    discover::{FoundDirectory, has_skill},
    links::{Target, resolve},
};
use crate::fetch::PreviousLock;
use crate::upstream::{Renamed, Upstream};
use helix_skills_format::ObjectId;
use helix_skills_format::{DirPath, LockedSkill, SkillName};
use helix_skills_git::{self as git, EntryKind, Session};
use std::collections::HashSet;

/// Percentage of shared files from which a directory counts as renamed, as in git.
const MIN_SIMILARITY: usize = 50;

/// The score of a directory with the same tree, higher than any percentage.
const SAME_TREE: usize = 101;

/// Maximum number of files of a skill that are compared.
const MAX_FILES: usize = 2000;

/// Compares the locked skills with the directories of a newer commit.
///
/// All trees of the newer commit have been fetched, and those of the older commit if upstream still
/// has it; `root_before` is its root tree then.
pub(super) fn compare(
    session: &Session<'_>,
    (before, root_before): (&PreviousLock, Option<ObjectId>),
    found: &[FoundDirectory],
) -> Result<Upstream, git::Error> {
    let mut upstream = Upstream::default();
    let locked: HashSet<&DirPath> = before.skills.iter().map(|(_, skill)| &skill.path).collect();
    let now: HashSet<&DirPath> = found.iter().map(|found| &found.path).collect();
    let mut gone = Vec::new();
    for (name, skill) in before.skills.iter().filter(|(_, skill)| !now.contains(&skill.path)) {
        let tree = skill.tree;
        let files = tree.map_or_else(|| Ok(HashSet::new()), |tree| files(session, tree))?;
        gone.push(Gone { name, skill, tree, files, best: (MIN_SIMILARITY - 1, None) });
    }
    // Each tree is read once, even if several directories have it.
    let mut seen = HashSet::new();
    for new in found.iter().filter(|found| !locked.contains(&found.path)) {
        let Some(tree) = new.tree() else { continue };
        if let Some(root) = root_before
            && !was_skill(session, root, &new.path)?
        {
            upstream.added.push(new.path.clone());
        }
        if gone.is_empty() || !seen.insert(tree) {
            continue;
        }
        let files = files(session, tree)?;
        gone.iter_mut().for_each(|gone| gone.compare(new, tree, &files));
    }
    for Gone { name, skill, best: (_, to), .. } in gone {
        match to {
            Some(to) => {
                let (skill, from, to) = (name.clone(), skill.path.clone(), to.path.clone());
                upstream.added.retain(|added| *added != to);
                upstream.renamed.push(Renamed { skill, from, to });
            }
            None => {
                upstream.gone.insert(name.clone(), skill.path.clone());
            }
        }
    }
    Ok(upstream)
}

/// Returns whether the older commit had a skill in this directory, or a link that may lead to one.
fn was_skill(session: &Session<'_>, root: ObjectId, path: &DirPath) -> Result<bool, git::Error> {
    match resolve(session, root, "", path.as_str())? {
        Target::Object { kind: EntryKind::Directory, id, .. } => has_skill(session, &id),
        Target::Needs(_) => Ok(true),
        Target::Object { .. } | Target::Nothing | Target::Broken(_) => Ok(false),
    }
}

/// A locked skill whose directory is gone.
struct Gone<'b> {
    name: &'b SkillName,
    skill: &'b LockedSkill,
    tree: Option<ObjectId>,
    files: HashSet<ObjectId>,
    /// The score of the most similar directory so far, and the directory.
    best: (usize, Option<&'b FoundDirectory>),
}

impl<'b> Gone<'b> {
    fn compare(&mut self, new: &'b FoundDirectory, tree: ObjectId, files: &HashSet<ObjectId>) {
        let Some(locked) = self.tree else { return };
        let score = if locked == tree {
            SAME_TREE
        } else {
            let shared = self.files.iter().filter(|file| files.contains(*file)).count();
            100 * shared / self.files.len().max(files.len()).max(1)
        };
        if score > self.best.0 {
            self.best = (score, Some(new));
        }
    }
}

/// Returns the ids of up to [`MAX_FILES`] files below a tree, as far as its trees were fetched.
fn files(session: &Session<'_>, tree: ObjectId) -> Result<HashSet<ObjectId>, git::Error> {
    let mut files = HashSet::new();
    let mut open = vec![tree];
    // A few trees that contain each other many times have any number of paths, but few files.
    let mut seen = HashSet::from([tree]);
    while let Some(tree) = open.pop() {
        if !session.has(&tree) {
            continue;
        }
        for entry in session.entries(&tree)? {
            let entry = entry?;
            if files.len() >= MAX_FILES {
                return Ok(files);
            } else if entry.kind != EntryKind::Directory {
                files.insert(entry.id);
            } else if seen.insert(entry.id) {
                open.push(entry.id);
            }
        }
    }
    Ok(files)
}
