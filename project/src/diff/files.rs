//! Compares the files of a skill on two sides.

use super::{
    ChangeKind,
    lines::{DiffBudget, Lines},
    side::{ComparedFile, FileAndBytes, Side},
};
use crate::Error;
use helix_skills_format::Digest;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum size in bytes of a text that is shown. Models read SKILL.md and the files it names,
/// which are far smaller.
const MAX_TEXT: usize = 1 << 20;

/// A file that differs.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileChange {
    /// How it differs.
    pub kind: ChangeKind,
    /// Its path in the skill; for a removed file, its old path. Empty if the skill's directory is
    /// not a directory.
    pub path: String,
    /// The old path of a renamed file.
    pub from: Option<String>,
    /// The file on the old side.
    pub before: Option<ComparedFile>,
    /// The file on the new side.
    pub after: Option<ComparedFile>,
    /// Its changed lines, or why they are not known.
    pub diff: FileDiff,
}

/// The changed lines of a file, or why they are not known.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileDiff {
    /// Its changed lines.
    Lines(Lines),
    /// The bytes are the same.
    Same,
    /// Only the line endings differ. Has the numbers of CR LF on the old and the new side, unless
    /// the old bytes are not on this machine.
    LineEnds(Option<(usize, usize)>),
    /// One side is not UTF-8 text.
    Binary,
    /// One side is larger than 1 MiB.
    TooLarge,
    /// One side is a link or something else that is not a regular file.
    NotAFile,
    /// The bytes of these sides are not on this machine.
    Unavailable(MissingSides),
}

/// The sides of a comparison whose data is not on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingSides {
    /// The old side.
    pub before: bool,
    /// The new side.
    pub after: bool,
}

/// Returns every file that differs, sorted by path; an error if the files of a side are unknown.
pub(super) fn compare(
    old: Option<Side<'_>>,
    new: Option<Side<'_>>,
    budget: &DiffBudget,
) -> Result<Result<Vec<FileChange>, MissingSides>, Error> {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (old, new) => {
            return Ok(Err(MissingSides { before: old.is_none(), after: new.is_none() }));
        }
    };
    let mut changes = Vec::new();
    let moved = renames(&old, &new);
    let old_paths: BTreeSet<&String> = moved.values().collect();
    let paths: BTreeSet<&String> = old.entries.keys().chain(new.entries.keys()).collect();
    for path in paths.into_iter().filter(|path| !old_paths.contains(path)) {
        let from = moved.get(path);
        let kind = match (old.entries.get(path), new.entries.get(path)) {
            _ if from.is_some() => ChangeKind::Renamed,
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            (was, is) if was == is && old.digest(path).is_some() => continue,
            _ => ChangeKind::Changed,
        };
        let (before, after) = (old.file(from.unwrap_or(path))?, new.file(path)?);
        let diff = match from {
            Some(_) => FileDiff::Same,
            None => diff(before.as_ref(), after.as_ref(), budget),
        };
        let (before, after) = (before.map(|(file, _)| file), after.map(|(file, _)| file));
        let (path, from) = (path.clone(), from.cloned());
        changes.push(FileChange { kind, path, from, before, after, diff });
    }
    Ok(Ok(changes))
}

/// Returns the new paths of renamed files with their old paths. A file is renamed if a new path has
/// the bytes of a removed one.
fn renames(old: &Side<'_>, new: &Side<'_>) -> BTreeMap<String, String> {
    let mut gone: BTreeMap<Digest, Vec<&String>> = BTreeMap::new();
    for path in old.entries.keys().rev().filter(|path| !new.entries.contains_key(*path)) {
        if let Some(digest) = old.digest(path) {
            gone.entry(digest).or_default().push(path);
        }
    }
    let mut renamed = BTreeMap::new();
    for path in new.entries.keys().filter(|path| !old.entries.contains_key(*path)) {
        if let Some(from) = new.digest(path).and_then(|digest| gone.get_mut(&digest)?.pop()) {
            renamed.insert(path.clone(), from.clone());
        }
    }
    renamed
}

fn diff(
    before: Option<&FileAndBytes>,
    after: Option<&FileAndBytes>,
    budget: &DiffBudget,
) -> FileDiff {
    let files = [before, after].into_iter().flatten();
    if files.clone().any(|(file, _)| !file.is_file) {
        return FileDiff::NotAFile;
    }
    if files.clone().any(|(file, _)| file.bytes.is_some_and(|bytes| bytes > MAX_TEXT as u64)) {
        return FileDiff::TooLarge;
    }
    let is_missing = |file: Option<&FileAndBytes>| file.is_some_and(|(_, bytes)| bytes.is_none());
    if is_missing(before) || is_missing(after) {
        if let (Some((ComparedFile { digest: Some(digest), .. }, None)), Some((_, Some(bytes)))) =
            (before, after)
            && digest.matches_other_line_endings(bytes)
        {
            return FileDiff::LineEnds(None);
        }
        return FileDiff::Unavailable(MissingSides {
            before: is_missing(before),
            after: is_missing(after),
        });
    }
    match (text(before), text(after)) {
        (Some(old), Some(new)) if before.is_some() && after.is_some() && unix(old) == unix(new) => {
            let count = |text: &str| text.matches("\r\n").count();
            FileDiff::LineEnds(Some((count(old), count(new))))
        }
        (Some(old), Some(new)) => FileDiff::Lines(Lines::between(old, new, budget)),
        _ => FileDiff::Binary,
    }
}

/// Returns the text of a side, which is empty if the file is absent; `None` if it is binary.
fn text(file: Option<&FileAndBytes>) -> Option<&str> {
    match file.and_then(|(_, bytes)| bytes.as_deref()) {
        None => Some(""),
        Some(bytes) if bytes.contains(&0) => None,
        Some(bytes) => std::str::from_utf8(bytes).ok(),
    }
}

/// Converts line endings to LF.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}
