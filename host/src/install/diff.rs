//! What a user has edited in an installed skill.

use super::{
    brought::BroughtSkill,
    found::{Tree, read_file},
    skills_dir::SkillsDir,
};
use helix_skills_format::{Digest, Listing};
use helix_skills_lint::unified_diff;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// Maximum size of a file whose lines are compared, in bytes.
const MAX_BYTES: u64 = 256 << 10;

/// Returns the unified diff from what is brought to what is there, for the files that the user has
/// edited since `program` has `written` them. `shown` is the path of the skill, for headings.
pub(super) fn diff(
    dir: &SkillsDir,
    shown: &str,
    there: &Tree,
    brought: &BroughtSkill<'_>,
    written: &Listing,
    program: &str,
) -> String {
    let old: BTreeMap<&str, Vec<u8>> =
        brought.contents.files.iter().map(|(path, pieces)| (*path, pieces.concat())).collect();
    let new: BTreeMap<&str, Digest> =
        there.files.iter().map(|(path, digest)| (path.as_str(), *digest)).collect();
    let paths: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let mut text = String::new();
    for path in paths {
        let [is, was, will_be] =
            [new.get(path).copied(), written.get(path), brought.listing.get(path)];
        if is == will_be || !written.is_empty() && is == was {
            continue;
        }
        let full = format!("{shown}/{path}");
        if !written.is_empty() && was != will_be {
            text.push_str(&format!("{full} has also changed in the skill that {program} brings\n"));
        }
        let nothing = Some(String::new());
        let before = old.get(path).map_or(nothing.clone(), |bytes| into_text(bytes.clone()));
        let read = |_| {
            let path = Path::new(brought.contents.name).join(path);
            read_file(&dir.dir, &path, MAX_BYTES).ok().and_then(into_text)
        };
        let after = is.map_or(nothing, read);
        let both = before.zip(after);
        let Some(hunks) = both.and_then(|(before, after)| unified_diff(&before, &after, 3)) else {
            text.push_str(&format!("binary or large file {full} differs\n"));
            continue;
        };
        let heading = |digest: Option<Digest>| if digest.is_some() { &*full } else { "/dev/null" };
        let (from, to) = (heading(will_be), heading(is));
        text.push_str(&format!("--- {from}\n+++ {to}\n{hunks}"));
    }
    for path in &there.others {
        text.push_str(&format!("{shown}/{path} cannot be a file of a skill\n"));
    }
    text
}

fn into_text(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    (text.len() as u64 <= MAX_BYTES && !text.contains('\0')).then_some(text)
}
