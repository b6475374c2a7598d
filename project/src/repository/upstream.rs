//! How locked skills went on in a newer commit.

use super::discover::Found;
use crate::sync::{PreviousLock, Renamed, Upstream};
use helix_skills_format::ObjectId;
use helix_skills_format::{DirPath, LockedSkill, SkillName};
use helix_skills_git::{self as git, EntryKind, Session};
use std::collections::HashSet;

/// A directory is the new place of a skill if it has so much of its files, in percent. Git has the same threshold.
const SIMILAR: usize = 50;

/// The score of a directory that has the very tree of a skill: more than any other.
const SAME: usize = 101;

/// Files of a skill that are compared.
const FILES: usize = 2000;

/// Compares what the lockfile had with the directories that there are now. The trees of the newer commit are here; those
/// of the older one are where it could be had.
pub(super) fn compare(
    session: &Session<'_>,
    before: &PreviousLock,
    found: &[Found],
) -> Result<Upstream, git::Error> {
    let mut upstream = Upstream::default();
    let locked: HashSet<&DirPath> = before.skills.iter().map(|(_, skill)| &skill.path).collect();
    let now: HashSet<&DirPath> = found.iter().map(|found| &found.path).collect();
    let mut gone = Vec::new();
    for (name, skill) in before.skills.iter().filter(|(_, skill)| !now.contains(&skill.path)) {
        let tree = skill.tree;
        let files = tree.map_or_else(|| Ok(HashSet::new()), |tree| files(session, tree))?;
        gone.push(Gone { name, skill, tree, files, best: (SIMILAR - 1, None) });
    }
    if gone.is_empty() {
        return Ok(upstream);
    }
    // Each tree is read once, however many directories there are that have it.
    let mut seen = HashSet::new();
    for new in found.iter().filter(|found| !locked.contains(&found.path)) {
        let Some(tree) = new.tree.filter(|tree| seen.insert(*tree)) else { continue };
        let files = files(session, tree)?;
        gone.iter_mut().for_each(|gone| gone.compare(new, tree, &files));
    }
    for Gone { name, skill, best: (_, to), .. } in gone {
        match to {
            Some(to) => {
                let (skill, from, to) = (name.clone(), skill.path.clone(), to.path.clone());
                upstream.renamed.push(Renamed { skill, from, to });
            }
            None => upstream.gone.push(name.clone()),
        }
    }
    Ok(upstream)
}

/// A locked skill whose directory is gone.
struct Gone<'b> {
    name: &'b SkillName,
    skill: &'b LockedSkill,
    tree: Option<ObjectId>,
    files: HashSet<ObjectId>,
    /// The most similar directory so far, with how much of its files it has, in percent.
    best: (usize, Option<&'b Found>),
}

impl<'b> Gone<'b> {
    fn compare(&mut self, new: &'b Found, tree: ObjectId, files: &HashSet<ObjectId>) {
        let Some(locked) = self.tree else { return };
        let score = if locked == tree {
            SAME
        } else {
            let shared = self.files.iter().filter(|file| files.contains(*file)).count();
            100 * shared / self.files.len().max(files.len()).max(1)
        };
        if score > self.best.0 {
            self.best = (score, Some(new));
        }
    }
}

/// The ids of the first files below a tree, as far as its trees are here.
fn files(session: &Session<'_>, tree: ObjectId) -> Result<HashSet<ObjectId>, git::Error> {
    let mut files = HashSet::new();
    let mut open = vec![tree];
    // A few trees that name each other many times have any number of paths, and no more files for it.
    let mut seen = HashSet::from([tree]);
    while let Some(tree) = open.pop() {
        if !session.has(&tree) {
            continue;
        }
        for entry in session.entries(&tree)? {
            let entry = entry?;
            if files.len() >= FILES {
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
