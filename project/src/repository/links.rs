//! Resolving symbolic links in a commit.

use helix_skills_format::ObjectId;
use helix_skills_git::{self as git, EntryKind, Session};

/// Maximum number of links that are followed for one path, as on Linux.
const MAX_HOPS: usize = 40;

/// Maximum length of a link's target, and of the real path that it leads to, in bytes, as on Linux.
const MAX_TARGET: usize = 4096;

/// Why a link cannot be followed.
pub(super) const TO_NOTHING: &str = "the link leads to nothing";
pub(super) const SUBMODULE: &str = "the link leads into a submodule";
const OUTSIDE: &str = "the link leads out of the repository";

/// Why an entry cannot be used that another one of its directory has the name of.
pub(super) const DUPLICATE: &str =
    "its directory has two entries with this name, which git never writes";

/// The target of a path.
pub(super) enum Target {
    /// An object with its real path, which is empty for the root.
    Object { kind: EntryKind, id: ObjectId, path: String },
    /// Unknown, because the text of a link on the way has not been fetched.
    Needs(ObjectId),
    /// A name that does not exist.
    Nothing,
    /// The path has no target, for this reason.
    Broken(&'static str),
}

impl Target {
    /// Returns the id of a file; `None` for anything else.
    pub(crate) fn file(&self) -> Option<ObjectId> {
        match self {
            Self::Object { kind: EntryKind::File | EntryKind::Executable, id, .. } => Some(*id),
            _ => None,
        }
    }
}

/// Resolves `path` from the directory `start` of the tree `root`. Counts each looked-up part as a
/// step of the session's current source.
pub(crate) fn resolve(
    session: &Session<'_>,
    root: ObjectId,
    start: &str,
    path: &str,
) -> Result<Target, git::Error> {
    // The real path so far, and for each of its directories the length of its parent's path and its
    // tree.
    let mut real = String::new();
    let mut above: Vec<(usize, ObjectId)> = Vec::new();
    let mut rest = vec![path, start];
    let mut hops = 0;
    while let Some(part) = next_part(&mut rest) {
        if part == ".." {
            session.step(1, 0)?;
            match above.pop() {
                Some((length, _)) => real.truncate(length),
                None => return Ok(Target::Broken(OUTSIDE)),
            }
            continue;
        }
        let current = above.last().map_or(root, |(_, id)| *id);
        let Some(entry) = session.entry(&current, part.as_bytes())? else {
            return Ok(Target::Nothing);
        };
        let length = real.len();
        match entry.kind {
            EntryKind::Submodule => return Ok(Target::Broken(SUBMODULE)),
            EntryKind::Link => {
                hops += 1;
                if hops > MAX_HOPS {
                    return Ok(Target::Broken("the link leads to too many further links"));
                }
                match text(session, entry.id)? {
                    Ok(text) => {
                        session.step(1, text.len())?;
                        rest.push(text);
                    }
                    Err(target) => return Ok(target),
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
            return Ok(Target::Broken("the link leads to a path that is too long"));
        }
        match entry.kind {
            EntryKind::Directory => above.push((length, entry.id)),
            _ if next_part(&mut rest).is_some() => {
                return Ok(Target::Broken("the link leads to a path below a file"));
            }
            kind => return Ok(Target::Object { kind, id: entry.id, path: real }),
        }
    }
    let id = above.last().map_or(root, |(_, id)| *id);
    Ok(Target::Object { kind: EntryKind::Directory, id, path: real })
}

/// Takes the next part from the last text that has one.
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

/// Joins two paths, of which the first may be the empty path of a root.
pub(crate) fn join(above: &str, below: &str) -> String {
    if above.is_empty() { below.to_owned() } else { format!("{above}/{below}") }
}

/// Returns a path relative to a directory; `None` if it is not below it.
pub(crate) fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    match path.strip_prefix(directory)? {
        rest if directory.is_empty() || rest.is_empty() => Some(rest),
        rest => rest.strip_prefix('/'),
    }
}

/// Returns the text of a link, or the target if it cannot be followed.
fn text<'s>(session: &'s Session<'_>, id: ObjectId) -> Result<Result<&'s str, Target>, git::Error> {
    if !session.has(&id) {
        return Ok(Err(Target::Needs(id)));
    }
    let bytes = session.blob(&id)?;
    let problem = match std::str::from_utf8(bytes) {
        _ if bytes.len() > MAX_TARGET => "the link's target is too long",
        Err(_) => "the link's target is not UTF-8",
        Ok(text) if text.starts_with('/') || text.contains('\\') => OUTSIDE,
        Ok(text) if text.is_empty() || text.contains('\0') => "the link has no target",
        Ok(text) => return Ok(Ok(text)),
    };
    Ok(Err(Target::Broken(problem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_taken_from_the_last_text_first() {
        let mut rest = vec!["d/./e/", "", "a//b/..", "."];
        let parts: Vec<&str> = std::iter::from_fn(|| next_part(&mut rest)).collect();
        assert_eq!(parts, ["a", "b", "..", "d", "e"]);
    }

    #[test]
    fn below_matches_whole_directory_names() {
        assert_eq!(below("a/b/c", "a"), Some("b/c"));
        assert_eq!(below("a/b", "a/b"), Some(""));
        assert_eq!(below("a/bc", "a/b"), None);
        assert_eq!(below("a", ""), Some("a"));
    }
}
