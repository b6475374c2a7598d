//! The files of a skill on two sides.

use super::{
    lines::{DiffBudget, Lines},
    side::{Entry, Half, Known, Side},
};
use crate::Error;
use helix_skills_format::Digest;
use std::collections::{BTreeMap, BTreeSet};

/// Texts of more bytes are not shown. SKILL.md and what it points at are read by models, and far smaller.
const MAX_TEXT: usize = 1 << 20;

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Added,
    Removed,
    Changed,
    /// The same bytes under another path of the skill.
    Renamed,
}

/// A file that is not what it was.
#[derive(Debug)]
pub struct FileChange {
    pub kind: FileKind,
    /// In the skill; of one that was removed, where it was.
    pub path: String,
    /// Where one that was renamed was before.
    pub from: Option<String>,
    pub before: Option<Half>,
    pub after: Option<Half>,
    pub shown: Shown,
}

/// What can be shown of a change.
#[derive(Debug)]
pub enum Shown {
    Lines(Lines),
    /// The bytes are the same.
    Nothing,
    /// All that differs are the ends of lines; so many of them are CR LF, before and after. Without numbers where the
    /// bytes from before are not here.
    LineEnds(Option<(usize, usize)>),
    /// One of them is no text.
    Binary,
    TooLarge,
    /// A link or the like is no file to look into.
    NotAFile,
    /// Its bytes are nowhere to be found.
    NotHere(Missing),
}

/// The sides of which something is not on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    pub before: bool,
    pub after: bool,
}

/// Every file that differs, sorted by path.
pub(super) fn compare(old: &Side<'_>, new: &Side<'_>, budget: &DiffBudget) -> Result<Vec<FileChange>, Error> {
    let mut changes = Vec::new();
    let moved = renames(old, new);
    let left: BTreeSet<&String> = moved.values().collect();
    let paths: BTreeSet<&String> = old.entries.keys().chain(new.entries.keys()).collect();
    for path in paths {
        if left.contains(path) {
            continue;
        }
        if let Some(from) = moved.get(path) {
            let (before, after) = (old.half(from)?.map(|(half, _)| half), new.half(path)?.map(|(half, _)| half));
            let (kind, shown) = (FileKind::Renamed, Shown::Nothing);
            changes.push(FileChange { kind, path: path.clone(), from: Some(from.clone()), before, after, shown });
            continue;
        }
        let (was, is) = (old.entries.get(path), new.entries.get(path));
        if was == is && was.is_some_and(|entry| matches!(entry, Entry::File(_))) {
            continue;
        }
        let kind = match (was, is) {
            (None, _) => FileKind::Added,
            (_, None) => FileKind::Removed,
            _ => FileKind::Changed,
        };
        let (before, after) = (old.half(path)?, new.half(path)?);
        let shown = show(before.as_ref(), after.as_ref(), budget);
        let (before, after) = (before.map(|(half, _)| half), after.map(|(half, _)| half));
        changes.push(FileChange { kind, path: path.clone(), from: None, before, after, shown });
    }
    Ok(changes)
}

/// Paths that are new, with the path that is gone and had the same bytes.
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

fn show(before: Option<&Known>, after: Option<&Known>, budget: &DiffBudget) -> Shown {
    let halves = [before, after].into_iter().flatten();
    if halves.clone().any(|(half, _)| !half.is_file) {
        return Shown::NotAFile;
    }
    if halves.clone().any(|(half, _)| half.bytes.is_some_and(|bytes| bytes > MAX_TEXT as u64)) {
        return Shown::TooLarge;
    }
    let is_away = |half: Option<&Known>| half.is_some_and(|(_, bytes)| bytes.is_none());
    if is_away(before) || is_away(after) {
        if let (Some((Half { digest: Some(digest), .. }, None)), Some((_, Some(bytes)))) = (before, after)
            && digest.is_of_other_line_ends(bytes)
        {
            return Shown::LineEnds(None);
        }
        return Shown::NotHere(Missing { before: is_away(before), after: is_away(after) });
    }
    match (text(before), text(after)) {
        (Some(old), Some(new)) if before.is_some() && after.is_some() && unix(old) == unix(new) => {
            let count = |text: &str| text.matches("\r\n").count();
            Shown::LineEnds(Some((count(old), count(new))))
        }
        (Some(old), Some(new)) => Shown::Lines(Lines::between(old, new, budget)),
        _ => Shown::Binary,
    }
}

/// The text of a side, empty if there is no file; `None` if it is binary.
fn text(half: Option<&Known>) -> Option<&str> {
    match half.and_then(|(_, bytes)| bytes.as_deref()) {
        None => Some(""),
        Some(bytes) if bytes.contains(&0) => None,
        Some(bytes) => std::str::from_utf8(bytes).ok(),
    }
}

/// A text with plain line feeds.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}
