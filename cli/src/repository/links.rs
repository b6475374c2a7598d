//! Following symbolic links inside one commit.

use crate::git::{GitError, Session};
use gix::{ObjectId, objs::tree::EntryKind};
use helix_skills_format::RelPath;
use std::collections::{BTreeMap, VecDeque};

/// So many links in a row are followed, as Linux does.
const MAX_HOPS: usize = 40;

/// The longest target of a link, in bytes, as on Linux.
const MAX_TARGET: usize = 4096;

/// How the links of a skill are followed.
#[derive(Clone)]
pub(super) enum Resolution {
    /// The whole commit is known: from its root, and the real path of the skill's directory.
    Commit { root: ObjectId, physical: Vec<String> },
    /// Only the skill's tree is, and what the lock says of links that lead out of it.
    Locked { links: BTreeMap<RelPath, ObjectId> },
}

/// Where a path leads.
pub(super) enum Target {
    /// To an object, by its real path.
    Object { kind: EntryKind, id: ObjectId, path: Vec<String> },
    /// Through a link whose text is not here yet.
    Needs(ObjectId),
    /// To a name that nothing has.
    Nothing,
    /// Nowhere, for this reason.
    Broken(String),
}

/// Why a link that leads to [`Target::Nothing`] cannot be followed.
pub(super) const LEADS_TO_NOTHING: &str = "the link leads to nothing";

/// Follows `path` from the directory `start` of the tree `root`.
pub(super) fn resolve(session: &Session<'_>, root: ObjectId, start: &[String], path: &str) -> Result<Target, GitError> {
    let mut stack: Vec<(String, ObjectId)> = Vec::new();
    let mut queue: VecDeque<String> = start.iter().cloned().chain(parts(path)).collect();
    let mut hops = 0;
    let broken = |why: &str| Ok(Target::Broken(why.to_owned()));
    while let Some(part) = queue.pop_front() {
        if part == ".." {
            if stack.pop().is_none() {
                return broken("the link leads out of the repository");
            }
            continue;
        }
        let current = stack.last().map_or(root, |(_, id)| *id);
        let Some(entry) = session.entry(&current, part.as_bytes())? else {
            return Ok(Target::Nothing);
        };
        match entry.mode.kind() {
            EntryKind::Tree => stack.push((part, entry.id)),
            EntryKind::Commit => return broken("the link leads into a submodule"),
            EntryKind::Link => {
                hops += 1;
                if hops > MAX_HOPS {
                    return broken("the link leads in a circle");
                }
                match text(session, &entry.id)? {
                    Text::Missing => return Ok(Target::Needs(entry.id)),
                    Text::Bad(why) => return Ok(Target::Broken(why)),
                    Text::Good(target) => parts(&target).into_iter().rev().for_each(|part| queue.push_front(part)),
                }
            }
            kind @ (EntryKind::Blob | EntryKind::BlobExecutable) => {
                if !queue.is_empty() {
                    return broken("the link goes on below a file");
                }
                let path = stack.into_iter().map(|(name, _)| name).chain([part]).collect();
                return Ok(Target::Object { kind, id: entry.id, path });
            }
        }
    }
    let id = stack.last().map_or(root, |(_, id)| *id);
    Ok(Target::Object { kind: EntryKind::Tree, id, path: stack.into_iter().map(|(name, _)| name).collect() })
}

/// What a link says.
pub(super) enum Text {
    Good(String),
    Missing,
    Bad(String),
}

pub(super) fn text(session: &Session<'_>, id: &ObjectId) -> Result<Text, GitError> {
    if !session.has(id) {
        return Ok(Text::Missing);
    }
    let bytes = session.blob(id)?;
    let bad = |why: &str| Ok(Text::Bad(why.to_owned()));
    match std::str::from_utf8(bytes) {
        Err(_) => bad("the link's target is not UTF-8"),
        Ok(_) if bytes.len() > MAX_TARGET => bad("the link's target is too long"),
        Ok(text) if text.starts_with('/') || text.contains('\\') => bad("the link leads out of the repository"),
        Ok(text) if text.is_empty() || text.contains('\0') => bad("the link has no target"),
        Ok(text) => Ok(Text::Good(text.to_owned())),
    }
}

fn parts(path: &str) -> Vec<String> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
}
