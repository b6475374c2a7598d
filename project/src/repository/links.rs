//! Following symbolic links inside one commit.

use crate::error::PathProblem;
use helix_skills_format::ObjectId;
use helix_skills_format::RelPath;
use helix_skills_git::EntryKind;
use helix_skills_git::{self as git, Session};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, HashMap},
};

/// Links in a row that are followed, as on Linux.
const MAX_HOPS: usize = 40;

/// Bytes of a link's target, and of the real path that it leads to, as on Linux.
const MAX_TARGET: usize = 4096;

/// How the links of a skill are followed.
#[derive(Clone)]
pub(super) enum Resolution {
    /// The whole commit is known: from its root, and the real path of the skill's directory.
    Commit { root: ObjectId, physical: String },
    /// Only the skill's tree is known, and what the lockfile says of links that lead out of it.
    Locked { links: BTreeMap<RelPath, ObjectId> },
}

/// Where a path leads.
#[derive(Clone)]
pub(super) enum Target {
    /// To an object, by its real path; that of the root is empty.
    Object { kind: EntryKind, id: ObjectId, path: String },
    /// Through a link whose text is not here yet.
    Needs(ObjectId),
    /// To a name that nothing has.
    Nothing,
    /// Nowhere, for this reason.
    Broken(PathProblem),
}

/// Links of a repository that were resolved before: each pass over a skill follows its links again, and many skills may
/// link to one directory that has links.
#[derive(Default)]
pub(super) struct Resolved {
    /// By root and path.
    targets: RefCell<HashMap<(ObjectId, String), Target>>,
    /// Bytes of their paths.
    bytes: Cell<usize>,
}

/// Bytes of paths that [`Resolved`] keeps; links that come later are resolved each time.
const MAX_KEPT: usize = 8 << 20;

impl Resolved {
    /// As [`resolve`]; an answer that more objects cannot change is kept.
    pub(super) fn resolve(
        &self,
        session: &Session<'_>,
        root: ObjectId,
        start: &str,
        path: &str,
    ) -> Result<Target, git::Error> {
        let key = (root, join(start, path));
        if let Some(target) = self.targets.borrow().get(&key) {
            session.step(1, key.1.len())?;
            return Ok(target.clone());
        }
        let target = resolve(session, root, start, path)?;
        let length = match &target {
            Target::Needs(_) => return Ok(target),
            Target::Object { path, .. } => path.len(),
            Target::Nothing | Target::Broken(_) => 0,
        };
        let bytes =
            self.bytes.get() + size_of::<((ObjectId, String), Target)>() + key.1.len() + length;
        if bytes <= MAX_KEPT {
            self.bytes.set(bytes);
            self.targets.borrow_mut().insert(key, target.clone());
        }
        Ok(target)
    }
}

/// Follows `path` from the directory `start` of the tree `root`. Each part of a path that is looked up is a step of the
/// session's current source.
pub(super) fn resolve(
    session: &Session<'_>,
    root: ObjectId,
    start: &str,
    path: &str,
) -> Result<Target, git::Error> {
    // The real path so far, and for each of its directories how long it was before, and the tree.
    let mut real = String::new();
    let mut above: Vec<(usize, ObjectId)> = Vec::new();
    let mut rest = vec![path, start];
    let mut hops = 0;
    while let Some(part) = next_part(&mut rest) {
        if part == ".." {
            session.step(1, 0)?;
            match above.pop() {
                Some((length, _)) => real.truncate(length),
                None => return Ok(Target::Broken(PathProblem::LinkOutside)),
            }
            continue;
        }
        let current = above.last().map_or(root, |(_, id)| *id);
        let Some(entry) = session.entry(&current, part.as_bytes())? else {
            return Ok(Target::Nothing);
        };
        let length = real.len();
        match entry.kind {
            EntryKind::Submodule => return Ok(Target::Broken(PathProblem::LinkToSubmodule)),
            EntryKind::Link => {
                hops += 1;
                if hops > MAX_HOPS {
                    return Ok(Target::Broken(PathProblem::LinkCircle));
                }
                match text(session, &entry.id)? {
                    Text::Missing => return Ok(Target::Needs(entry.id)),
                    Text::Bad(why) => return Ok(Target::Broken(why)),
                    Text::Good(target) => {
                        session.step(1, target.len())?;
                        rest.push(target);
                    }
                }
                continue;
            }
            EntryKind::Directory | EntryKind::File | EntryKind::Executable => {}
        }
        if !real.is_empty() {
            real.push('/');
        }
        real.push_str(part);
        if real.len() > MAX_TARGET {
            return Ok(Target::Broken(PathProblem::LinkToLongPath));
        }
        match entry.kind {
            EntryKind::Directory => above.push((length, entry.id)),
            _ if next_part(&mut rest).is_some() => {
                return Ok(Target::Broken(PathProblem::LinkBelowFile));
            }
            kind => return Ok(Target::Object { kind, id: entry.id, path: real }),
        }
    }
    let id = above.last().map_or(root, |(_, id)| *id);
    Ok(Target::Object { kind: EntryKind::Directory, id, path: real })
}

/// Takes the next part off the last text that has one.
fn next_part<'t>(rest: &mut Vec<&'t str>) -> Option<&'t str> {
    while let Some(text) = rest.last_mut() {
        let current: &'t str = text;
        let (part, after) = current.split_once('/').unwrap_or((current, ""));
        *text = after;
        if !matches!(part, "" | ".") {
            return Some(part);
        }
        if after.is_empty() {
            rest.pop();
        }
    }
    None
}

/// A path below another, which may be the empty path of a root.
pub(super) fn join(above: &str, below: &str) -> String {
    if above.is_empty() { below.to_owned() } else { format!("{above}/{below}") }
}

/// What is left of a path below a directory; none if it is not there.
pub(super) fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    match path.strip_prefix(directory)? {
        rest if directory.is_empty() || rest.is_empty() => Some(rest),
        rest => rest.strip_prefix('/'),
    }
}

/// What a link says.
pub(super) enum Text<'s> {
    Good(&'s str),
    Missing,
    Bad(PathProblem),
}

pub(super) fn text<'s>(session: &'s Session<'_>, id: &ObjectId) -> Result<Text<'s>, git::Error> {
    if !session.has(id) {
        return Ok(Text::Missing);
    }
    let bytes = session.blob(id)?;
    if bytes.len() > MAX_TARGET {
        return Ok(Text::Bad(PathProblem::LongTarget));
    }
    Ok(match std::str::from_utf8(bytes) {
        Err(_) => Text::Bad(PathProblem::TargetNotUtf8),
        Ok(text) if text.starts_with('/') || text.contains('\\') => {
            Text::Bad(PathProblem::LinkOutside)
        }
        Ok(text) if text.is_empty() || text.contains('\0') => Text::Bad(PathProblem::NoTarget),
        Ok(text) => Text::Good(text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_from_the_last_text_first() {
        let mut rest = vec!["d/./e/", "", "a//b/..", "."];
        let parts: Vec<&str> = std::iter::from_fn(|| next_part(&mut rest)).collect();
        assert_eq!(parts, ["a", "b", "..", "d", "e"]);
    }

    #[test]
    fn a_path_is_below_whole_directories_only() {
        assert_eq!(below("a/b/c", "a"), Some("b/c"));
        assert_eq!(below("a/b", "a/b"), Some(""));
        assert_eq!(below("a/bc", "a/b"), None);
        assert_eq!(below("a", ""), Some("a"));
    }
}
