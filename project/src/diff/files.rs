//! Compares the files of a skill on two sides.

use super::side::{ComparedFile, MAX_TEXT, Side};
use helix_skills_format::{
    __internal::{printable, printable_lines},
    Digest,
};
use helix_skills_lint::unified_diff;
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
        let (before, after) = (old.get(from.unwrap_or(path)), new.get(path));
        let kind = match (before, after) {
            _ if from.is_some() => "renamed",
            // The skill's directory itself is something else.
            _ if path.is_empty() => "changed",
            (None, _) => "added",
            (_, None) => "removed",
            (Some(was), Some(is)) if was.digest.is_some() && was.digest == is.digest => continue,
            _ => "changed",
        };
        let [was, is] = [from.unwrap_or(path), path];
        let [was, is] = [(places[0], was), (places[1], is)].map(|(place, path)| {
            if path.is_empty() { place.to_owned() } else { format!("{place}/{path}") }
        });
        let mut file = match from {
            Some(_) => hidden("same", "the same bytes"),
            None => diff(before, after, context),
        };
        if let Some(rows) = file["diff"].as_str() {
            let old = before.map_or("/dev/null".to_owned(), |_| format!("a/{}", printable(&was)));
            let new = after.map_or("/dev/null".to_owned(), |_| format!("b/{}", printable(&is)));
            file["diff"] = json!(format!("--- {old}\n+++ {new}\n{rows}"));
        }
        file["path"] = json!(path);
        file["from"] = json!(from);
        file["change"] = json!(kind);
        file["file"] = json!(if after.is_some() { &is } else { &was });
        file["before"] = json!(before.map(|file| file.document(&was)));
        file["after"] = json!(after.map(|file| file.document(&is)));
        changes.push(file);
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

/// Returns the code and the reason of a file whose lines are not shown.
fn hidden(shown: &str, why: &str) -> Value {
    json!({ "shown": shown, "why": why })
}

/// Returns the changed lines of a file, or why they are not shown.
fn diff(before: Option<&ComparedFile>, after: Option<&ComparedFile>, context: usize) -> Value {
    let files = || [before, after].into_iter().flatten();
    if files().any(|file| !file.is_file()) {
        return hidden("not-a-file", "not a regular file");
    }
    if files().any(|file| file.bytes.is_some_and(|bytes| bytes > MAX_TEXT)) {
        return hidden("too-large", "larger than 1 MiB, not shown");
    }
    // The text of an absent file is empty.
    let content =
        |side: Option<&ComparedFile>| side.map_or(Some(Vec::new()), |file| file.content.clone());
    let was = before.and_then(|file| file.digest);
    let (old, new) = match (content(before), content(after)) {
        (Some(old), Some(new)) => (old, new),
        (None, Some(new)) if was.is_some_and(|was| was.matches_other_line_endings(&new)) => {
            return hidden("line-endings", "only line endings differ (CRLF)");
        }
        (None, _) => return hidden("unavailable", "the old text is not available"),
        (_, None) => return hidden("unavailable", "the new text is not available"),
    };
    // A file with a NUL is binary.
    let text = |bytes| String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let (Some(old), Some(new)) = (text(old), text(new)) else {
        return hidden("binary", "binary");
    };
    let unix = |text: &str| text.replace("\r\n", "\n");
    if files().count() == 2 && unix(&old) == unix(&new) {
        let [was, is] = [old, new].map(|text| text.matches("\r\n").count());
        let why = format!("only line endings differ: {was} lines with CRLF before, {is} after");
        return hidden("line-endings", &why);
    }
    let Some(hunks) = unified_diff(&old, &new, context) else {
        return hidden("too-large", "too many lines, not shown");
    };
    let rows = |mark: char| hunks.lines().filter(|row| row.starts_with(mark)).count();
    json!({
        "shown": "lines",
        "added": rows('+'),
        "removed": rows('-'),
        "diff": printable_lines(&hunks),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_invisible_characters_are_escaped() {
        let shown = |old: &str, new: &str| {
            let [old, new] = [old, new].map(|text| {
                let content = text.as_bytes().to_vec();
                let (digest, bytes) = (Digest::hash(&content), content.len() as u64);
                ComparedFile { digest: Some(digest), bytes: Some(bytes), content: Some(content) }
            });
            diff(Some(&old), Some(&new), 3)["diff"].as_str().unwrap().to_owned()
        };
        let hostile = "\u{1b}[31mred\u{202e}\u{200b}\u{e0041}\t\u{9b}x\u{7f}\r\n\u{2028}";
        let text = shown("", hostile);
        assert!(
            text.chars()
                .all(|c| c == '\n' || !(c.is_control() || helix_skills_runtime::is_invisible(c))),
            "{text}"
        );
        assert!(
            text.contains(r"\u{1b}[31mred\u{202e}\u{200b}\u{e0041}\t\u{9b}x\u{7f}\r"),
            "{text}"
        );
        // A row ends only where a line does.
        let text = shown("a\r", "b\n");
        assert!(text.starts_with("@@ -1 +1 @@\n-a\\r\n"), "{text}");
    }
}
