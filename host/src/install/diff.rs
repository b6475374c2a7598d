//! The difference between an installed skill and the one that is brought.

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

/// Returns the unified diff from what is there to what is brought. `shown` is the path of the
/// skill, for headings.
pub(super) fn diff(
    dir: &SkillsDir,
    shown: &str,
    there: &Tree,
    brought: &SkillContents<'_>,
) -> String {
    let old: BTreeMap<&str, Digest> =
        there.files.iter().map(|(path, digest)| (path.as_str(), *digest)).collect();
    let new: BTreeMap<&str, Vec<u8>> =
        brought.files.iter().map(|(path, pieces)| (*path, pieces.concat())).collect();
    let paths: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let mut text = String::new();
    for path in paths {
        let bytes = new.get(path);
        if old.get(path).copied() == bytes.map(|bytes| Digest::hash(bytes)) {
            continue;
        }
        let before = match old.contains_key(path) {
            true => dir.read_file(brought.name, path, MAX_BYTES).ok().and_then(into_text),
            false => Some(String::new()),
        };
        let after = match bytes {
            Some(bytes) if bytes.len() as u64 > MAX_BYTES => None,
            Some(bytes) => into_text(bytes.clone()),
            None => Some(String::new()),
        };
        let full = format!("{shown}/{path}");
        let (Some(before), Some(after)) = (before, after) else {
            text.push_str(&format!("binary or large file {full} differs\n"));
            continue;
        };
        let heading = |exists: bool| if exists { full.as_str() } else { "/dev/null" };
        let diff = TextDiff::configure().timeout(MAX_SEARCH).diff_lines(&before, &after);
        let (from, to) = (heading(old.contains_key(path)), heading(bytes.is_some()));
        text.push_str(&diff.unified_diff().header(from, to).to_string());
    }
    for path in &there.others {
        text.push_str(&format!("{shown}/{path} cannot be a file of a skill\n"));
    }
    text
}

/// Returns the text of a file that is not binary.
fn into_text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}
