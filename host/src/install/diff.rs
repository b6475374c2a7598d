//! What a user has edited in an installed skill.

use super::skills_dir::{SkillsDir, Tree};
use crate::skill_contents::SkillContents;
use helix_skills_format::Digest;
use similar::TextDiff;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// Maximum size of a file whose lines are compared, in bytes.
const MAX_BYTES: u64 = 256 << 10;

/// How long to search for the shortest difference of one file.
const MAX_SEARCH: Duration = Duration::from_secs(1);

/// Returns the unified diff from what is brought to what is there. `shown` is the path of the
/// skill, for headings.
pub(super) fn diff(
    dir: &SkillsDir,
    shown: &str,
    there: &Tree,
    brought: &SkillContents<'_>,
) -> String {
    let old: BTreeMap<&str, Vec<u8>> =
        brought.files.iter().map(|(path, pieces)| (*path, pieces.concat())).collect();
    let new: BTreeMap<&str, Digest> =
        there.files.iter().map(|(path, digest)| (path.as_str(), *digest)).collect();
    let paths: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let mut text = String::new();
    for path in paths {
        let bytes = old.get(path);
        if new.get(path).copied() == bytes.map(|bytes| Digest::hash(bytes)) {
            continue;
        }
        let before = match bytes {
            Some(bytes) if bytes.len() as u64 > MAX_BYTES => None,
            Some(bytes) => into_text(bytes.clone()),
            None => Some(String::new()),
        };
        let after = match new.contains_key(path) {
            true => dir.read_file(brought.name, path, MAX_BYTES).ok().and_then(into_text),
            false => Some(String::new()),
        };
        let full = format!("{shown}/{path}");
        let (Some(before), Some(after)) = (before, after) else {
            text.push_str(&format!("binary or large file {full} differs\n"));
            continue;
        };
        let heading = |exists: bool| if exists { full.as_str() } else { "/dev/null" };
        let (from, to) = (heading(bytes.is_some()), heading(new.contains_key(path)));
        text.push_str(&format!("--- {from}\n+++ {to}\n"));
        push_hunks(&mut text, &before, &after);
    }
    for path in &there.others {
        text.push_str(&format!("{shown}/{path} cannot be a file of a skill\n"));
    }
    text
}

/// Appends the changed lines of a unified diff. `TextDiff::from_lines`, which also splits the
/// texts, would add half a megabyte of code.
fn push_hunks(text: &mut String, before: &str, after: &str) {
    let [old, new] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let mut diff = TextDiff::configure();
    let diff = diff.timeout(MAX_SEARCH).newline_terminated(true).diff_slices(&old, &new);
    text.push_str(&diff.unified_diff().to_string());
}

fn into_text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_have_the_form_of_a_unified_diff() {
        let hunks = |before: &str, after: &str| {
            let mut text = String::new();
            push_hunks(&mut text, before, after);
            text
        };
        let lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(
            hunks(lines, &lines.replace("5\n", "five\n")),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
        assert_eq!(
            hunks(lines, &format!("0\n{lines}10")),
            "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -7,3 +8,4 @@\n 7\n 8\n 9\n+10\n\\ No newline at end of file\n"
        );
        assert_eq!(hunks("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(hunks("a\nb\n", ""), "@@ -1,2 +0,0 @@\n-a\n-b\n");
    }
}
