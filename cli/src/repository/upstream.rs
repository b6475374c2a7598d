//! How locked skills went on in a newer commit.

use super::{discover::Found, from_format};
use crate::{
    git::{GitError, Session},
    sync::{Before, Renamed, Upstream},
};
use gix::ObjectId;
use helix_skills_format::LockedSkill;
use std::collections::BTreeSet;

/// A directory is the new place of a skill if it has so much of its files, in percent. Git has the same threshold.
const SIMILAR: usize = 50;

/// So many files of a skill are compared.
const FILES: usize = 2000;

/// Compares what the lock had with the directories that there are now. The trees of the newer commit are here; those of
/// the older one are where it could be had.
pub(super) fn compare(session: &Session<'_>, before: &Before, found: &[Found]) -> Result<Upstream, GitError> {
    let mut upstream = Upstream::default();
    let is_locked = |found: &&Found| before.skills.iter().any(|(_, skill)| skill.path == found.path);
    let (_, new): (Vec<&Found>, Vec<&Found>) = found.iter().partition(is_locked);
    for (name, skill) in &before.skills {
        if found.iter().any(|found| found.path == skill.path) {
            continue;
        }
        match most_similar(session, skill, &new)? {
            Some(to) => {
                let (skill, from, to) = (name.clone(), skill.path.clone(), to.path.clone());
                upstream.renamed.push(Renamed { skill, from, to });
            }
            None => upstream.gone.push(name.clone()),
        }
    }
    Ok(upstream)
}

fn most_similar<'f>(
    session: &Session<'_>,
    skill: &LockedSkill,
    new: &[&'f Found],
) -> Result<Option<&'f Found>, GitError> {
    let Some(tree) = skill.tree.as_ref().map(from_format) else { return Ok(None) };
    if let Some(same) = new.iter().find(|found| found.tree == Some(tree)) {
        return Ok(Some(same));
    }
    let files = files(session, tree)?;
    let mut best = (SIMILAR - 1, None);
    for found in new {
        let Some(other) = found.tree else { continue };
        let other = self::files(session, other)?;
        let shared = files.intersection(&other).count();
        let score = 100 * shared / files.len().max(other.len()).max(1);
        if score > best.0 {
            best = (score, Some(*found));
        }
    }
    Ok(best.1)
}

/// The ids of all files below a tree, as far as its trees are here.
fn files(session: &Session<'_>, tree: ObjectId) -> Result<BTreeSet<ObjectId>, GitError> {
    let mut files = BTreeSet::new();
    let mut open = vec![tree];
    // A few trees that name each other many times have any number of paths, and no more files for it.
    let mut seen = BTreeSet::new();
    while let Some(tree) = open.pop().filter(|_| files.len() < FILES) {
        if seen.insert(tree) && session.has(&tree) {
            for entry in session.tree(&tree)? {
                if entry.mode.is_tree() {
                    open.push(entry.id);
                } else {
                    files.insert(entry.id);
                }
            }
        }
    }
    Ok(files)
}
