//! Access to files and directories of a commit by path.

use super::{
    SourceResult,
    links::{Target, resolve},
};
use crate::Error;
use helix_skills_format::{DirPath, ObjectId, SourceKey};
use helix_skills_git::{self as git, EntryKind, Session};

/// Returns the id of the file at `path`, unless an unfetched link is on the way.
pub(super) fn file(
    session: &Session<'_>,
    root: ObjectId,
    path: &str,
) -> Result<Option<ObjectId>, git::Error> {
    Ok(match resolve(session, root, "", path)? {
        Target::Object { kind: EntryKind::File | EntryKind::Executable, id, .. } => Some(id),
        _ => None,
    })
}

/// Returns the text of a file; `None` if it does not exist.
pub(super) fn text(
    session: &mut Session<'_>,
    key: &SourceKey,
    root: ObjectId,
    path: &str,
) -> SourceResult<Option<String>> {
    let place = format!("{key}: {path}");
    let unreadable = |problem: &'static str| Error::of_plugin(&place, problem);
    let id = match follow(session, root, path)? {
        Target::Object { kind: EntryKind::File | EntryKind::Executable, id, .. } => id,
        Target::Nothing => return Ok(None),
        Target::Broken(problem) => return Err(unreadable(problem).into()),
        _ => return Err(unreadable("it is not a regular file").into()),
    };
    if !session.has(&id) {
        session.blobs(&[id])?;
    }
    let text = String::from_utf8(session.blob(&id)?.to_vec());
    Ok(Some(text.map_err(|_| unreadable("it is not UTF-8"))?))
}

/// Resolves a path, and fetches the links on the way.
pub(super) fn follow(
    session: &mut Session<'_>,
    root: ObjectId,
    path: &str,
) -> Result<Target, git::Error> {
    loop {
        match resolve(session, root, "", path)? {
            Target::Needs(id) => session.blobs(&[id])?,
            target => return Ok(target),
        }
    }
}

/// Resolves paths, and fetches the links on the ways of all of them together.
pub(super) fn follow_all<'p>(
    session: &mut Session<'_>,
    root: ObjectId,
    paths: impl Iterator<Item = &'p DirPath> + Clone,
) -> Result<Vec<Target>, git::Error> {
    loop {
        let targets = paths.clone().map(|path| resolve(session, root, "", path.as_str()));
        let targets = targets.collect::<Result<Vec<_>, _>>()?;
        let needed = targets.iter().filter_map(|target| match target {
            Target::Needs(id) => Some(*id),
            _ => None,
        });
        let needed: Vec<ObjectId> = needed.collect();
        if needed.is_empty() {
            return Ok(targets);
        }
        session.blobs(&needed)?;
    }
}

/// Returns whether `path` is a directory.
pub(super) fn is_directory(
    session: &mut Session<'_>,
    root: ObjectId,
    path: &DirPath,
) -> Result<bool, git::Error> {
    Ok(matches!(
        follow(session, root, path.as_str())?,
        Target::Object { kind: EntryKind::Directory, .. }
    ))
}
