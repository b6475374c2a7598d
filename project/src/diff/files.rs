//! Compares the files of a skill on two sides.

use super::{
    lines::Lines,
    side::{ComparedFile, MAX_TEXT, Side},
};
use helix_skills_format::{__internal::printable, Digest};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Returns every file that differs, sorted by path; `places` are the directories of the skill.
pub(super) fn compare(old: &Side, new: &Side, places: [&str; 2], context: usize) -> Vec<Value> {
    let mut changes = Vec::new();
    let moved = renames(old, new);
    let old_paths: BTreeSet<&String> = moved.values().copied().collect();
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for path in paths.into_iter().filter(|path| !old_paths.contains(path)) {
        let from = moved.get(path).copied();
        let [before, after] = [old.get(from.unwrap_or(path)), new.get(path)];
        let kind = match (before, after) {
            _ if from.is_some() => "renamed",
            // The skill's directory itself is something else.
            _ if path.is_empty() => "changed",
            (None, _) => "added",
            (_, None) => "removed",
            (Some(was), Some(is)) if was.digest.is_some() && was.digest == is.digest => continue,
            _ => "changed",
        };
        let lines = match from {
            Some(_) => Err(("same", "the same bytes".to_owned())),
            None => diff(before, after, context),
        };
        let [was, is] = [(places[0], from.unwrap_or(path)), (places[1], path)]
            .map(|(place, path)| format!("{place}/{path}").trim_end_matches('/').to_owned());
        let row = |side: Option<_>, row: String| side.map_or("/dev/null".to_owned(), |_| row);
        let (shown, why) = lines.as_ref().err().cloned().unwrap_or(("lines", String::new()));
        let lines = lines.ok();
        changes.push(json!({
            "path": path,
            "from": from,
            "change": kind,
            "file": if after.is_some() { &is } else { &was },
            "before": before.map(|file| file.document(&was)),
            "after": after.map(|file| file.document(&is)),
            "shown": shown,
            "why": Some(why).filter(|why| !why.is_empty()),
            "added": lines.as_ref().map(|lines| lines.added),
            "removed": lines.as_ref().map(|lines| lines.removed),
            "diff": lines.map(|lines| {
                let old = row(before, format!("a/{}", printable(&was)));
                let new = row(after, format!("b/{}", printable(&is)));
                format!("--- {old}\n+++ {new}\n{}", lines.rows)
            }),
        }));
    }
    changes
}

/// Returns the new paths of renamed files with their old paths. A file is renamed if a new path has
/// the bytes of a removed one.
fn renames<'a>(old: &'a Side, new: &'a Side) -> BTreeMap<&'a String, &'a String> {
    let mut gone: BTreeMap<Digest, Vec<&String>> = BTreeMap::new();
    for (path, file) in old.iter().rev().filter(|(path, _)| !new.contains_key(*path)) {
        file.digest.into_iter().for_each(|digest| gone.entry(digest).or_default().push(path));
    }
    let come = new.iter().filter(|(path, _)| !old.contains_key(*path));
    come.filter_map(|(path, file)| Some((path, gone.get_mut(&file.digest?)?.pop()?))).collect()
}

/// Returns the changed lines of a file, or else a code and the reason why they are not shown.
fn diff(
    before: Option<&ComparedFile>,
    after: Option<&ComparedFile>,
    context: usize,
) -> Result<Lines, (&'static str, String)> {
    let files = || [before, after].into_iter().flatten();
    if files().any(|file| !file.is_file()) {
        return Err(("not-a-file", "not a regular file".to_owned()));
    }
    if files().any(|file| file.bytes.is_some_and(|bytes| bytes > MAX_TEXT)) {
        return Err(("too-large", "larger than 1 MiB, not shown".to_owned()));
    }
    // The text of an absent file is empty.
    let bytes = |side: Option<&'_ ComparedFile>| match side {
        None => Some(Vec::new()),
        Some(file) => file.content.clone(),
    };
    let was = before.and_then(|file| file.digest);
    let (old, new) = match (bytes(before), bytes(after)) {
        (Some(old), Some(new)) => (old, new),
        (None, Some(new)) if was.is_some_and(|was| was.matches_other_line_endings(&new)) => {
            return Err(("line-endings", "only line endings differ (CRLF)".to_owned()));
        }
        (Some(_), None) => {
            return Err(("unavailable", "the new text is not available".to_owned()));
        }
        (None, _) => return Err(("unavailable", "the old text is not available".to_owned())),
    };
    // A file with a NUL is binary.
    let text = |bytes| String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let (Some(old), Some(new)) = (text(old), text(new)) else {
        return Err(("binary", "binary".to_owned()));
    };
    let unix = |text: &str| text.replace("\r\n", "\n");
    if files().count() == 2 && unix(&old) == unix(&new) {
        let [was, is] = [old, new].map(|text| text.matches("\r\n").count());
        let why = format!("only line endings differ: {was} lines with CRLF before, {is} after");
        return Err(("line-endings", why));
    }
    let lines = Lines::between(&old, &new, context);
    lines.ok_or_else(|| ("too-large", "too many lines, not shown".to_owned()))
}
