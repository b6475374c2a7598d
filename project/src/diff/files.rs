//! Compares the files of a skill on two sides.

use super::{
    lines::Lines,
    side::{ComparedFile, MAX_TEXT, Side},
};
use helix_skills_format::Digest;
use std::collections::{BTreeMap, BTreeSet};

/// A file that differs.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileChange {
    /// How it differs: `added`, `removed`, `changed`, or `renamed` with the same bytes.
    pub kind: &'static str,
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
    /// The bytes of these sides are not on this machine.
    Unavailable(MissingSides),
    /// There are none: the code for `--json`, and why.
    Other(&'static str, String),
}

impl FileDiff {
    pub(super) fn not_a_file() -> Self {
        Self::Other("not-a-file", "not a regular file".to_owned())
    }
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
    old: Option<Side>,
    new: Option<Side>,
    context: usize,
) -> Result<Vec<FileChange>, MissingSides> {
    let missing = MissingSides { before: old.is_none(), after: new.is_none() };
    let (Some(old), Some(new)) = (old, new) else { return Err(missing) };
    let mut changes = Vec::new();
    let moved = renames(&old, &new);
    let old_paths: BTreeSet<&String> = moved.values().collect();
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for path in paths.into_iter().filter(|path| !old_paths.contains(path)) {
        let from = moved.get(path);
        let (before, after) = (old.get(from.unwrap_or(path)), new.get(path));
        let kind = match (before, after) {
            _ if from.is_some() => "renamed",
            (None, _) => "added",
            (_, None) => "removed",
            (Some(was), Some(is)) if was.0.digest.is_some() && was.0.digest == is.0.digest => {
                continue;
            }
            _ => "changed",
        };
        let diff = match from {
            Some(_) => FileDiff::Other("same", "the same bytes".to_owned()),
            None => diff(before, after, context),
        };
        let [before, after] = [before, after].map(|side| side.map(|(file, _)| *file));
        let (path, from) = (path.clone(), from.cloned());
        changes.push(FileChange { kind, path, from, before, after, diff });
    }
    Ok(changes)
}

/// Returns the new paths of renamed files with their old paths. A file is renamed if a new path has
/// the bytes of a removed one.
fn renames(old: &Side, new: &Side) -> BTreeMap<String, String> {
    let mut gone: BTreeMap<Digest, Vec<&String>> = BTreeMap::new();
    for (path, (file, _)) in old.iter().rev().filter(|(path, _)| !new.contains_key(*path)) {
        file.digest.into_iter().for_each(|digest| gone.entry(digest).or_default().push(path));
    }
    let come = new.iter().filter(|(path, _)| !old.contains_key(*path));
    let renamed = come.filter_map(|(path, (file, _))| {
        Some((path.clone(), gone.get_mut(&file.digest?)?.pop()?.clone()))
    });
    renamed.collect()
}

type SidedFile<'s> = Option<&'s (ComparedFile, Option<Vec<u8>>)>;

fn diff(before: SidedFile<'_>, after: SidedFile<'_>, context: usize) -> FileDiff {
    let files = || [before, after].into_iter().flatten();
    let too_large = |why: &str| FileDiff::Other("too-large", why.to_owned());
    if files().any(|(file, _)| !file.is_file) {
        return FileDiff::not_a_file();
    }
    if files().any(|(file, _)| file.bytes.is_some_and(|bytes| bytes > MAX_TEXT)) {
        return too_large("larger than 1 MiB, not shown");
    }
    let line_ends = |what: String| FileDiff::Other("line-endings", what);
    let is_missing = |side: SidedFile<'_>| side.is_some_and(|(_, bytes)| bytes.is_none());
    let missing = MissingSides { before: is_missing(before), after: is_missing(after) };
    if missing.before || missing.after {
        let was = before.and_then(|(file, _)| file.digest);
        return match (was, after) {
            (Some(was), Some((_, Some(is)))) if was.matches_other_line_endings(is) => {
                line_ends("only line endings differ (CRLF)".to_owned())
            }
            _ => FileDiff::Unavailable(missing),
        };
    }
    // The text of an absent file is empty; a file with a NUL is binary.
    let text = |side: SidedFile<'_>| {
        let bytes = side.and_then(|(_, bytes)| bytes.as_deref()).unwrap_or_default();
        std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).map(str::to_owned)
    };
    let (Some(old), Some(new)) = (text(before), text(after)) else {
        return FileDiff::Other("binary", "binary".to_owned());
    };
    let unix = |text: &str| text.replace("\r\n", "\n");
    if files().count() == 2 && unix(&old) == unix(&new) {
        let [was, is] = [old, new].map(|text| text.matches("\r\n").count());
        return line_ends(format!(
            "only line endings differ: {was} lines with CRLF before, {is} after"
        ));
    }
    let lines = Lines::between(&old, &new, context);
    lines.map_or_else(|| too_large("too many lines, not shown"), FileDiff::Lines)
}
