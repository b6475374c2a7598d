//! What a user has edited in an installed skill.

use super::skills_dir::{SkillsDir, Tree};
use crate::skill_contents::SkillContents;
use helix_skills_format::Digest;
use helix_skills_lint::unified_diff;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum size of a file whose lines are compared, in bytes.
const MAX_BYTES: u64 = 256 << 10;

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
        let both = before.zip(after);
        let Some(hunks) = both.and_then(|(before, after)| unified_diff(&before, &after, 3)) else {
            text.push_str(&format!("binary or large file {full} differs\n"));
            continue;
        };
        let heading = |exists: bool| if exists { full.as_str() } else { "/dev/null" };
        let (from, to) = (heading(bytes.is_some()), heading(new.contains_key(path)));
        text.push_str(&format!("--- {from}\n+++ {to}\n{hunks}"));
    }
    for path in &there.others {
        text.push_str(&format!("{shown}/{path} cannot be a file of a skill\n"));
    }
    text
}

fn into_text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}
