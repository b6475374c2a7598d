//! A lockfile with the conflict markers of a merge: what its two sides agree on.

use crate::manifest::{Lock, LockedSource, Manifest};
use helix_skills_format::SourceKey;
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::Value;
use std::collections::BTreeSet;

/// Maximum number of open brackets in a side. A lockfile has six.
const MAX_DEPTH: usize = 64;

/// A merged lockfile.
#[derive(Debug)]
pub(crate) struct Merged {
    /// All sources that one side has, or both have alike, with their skills. Of a source that
    /// differs, it has the side that locks the entry of the manifest. If the sides differ, the
    /// source has no directories, so that a sync reads its skills again, at the same commit.
    pub(crate) lock: Lock,
    /// The sources of which neither or both sides lock the entry of the manifest.
    pub(crate) left_out: Vec<SourceKey>,
}

/// Merges the two sides of a lockfile with conflict markers. `None` if it has none, or if a side
/// is not a lockfile.
pub(crate) fn merge(text: &str, manifest: &Manifest) -> Option<Merged> {
    let [ours, theirs] = sides(text)?.map(|side| parse(&side));
    let (ours, theirs) = (ours?, theirs?);
    let mut merged = Merged { lock: Lock::default(), left_out: Vec::new() };
    let keys: BTreeSet<_> = ours.sources.keys().chain(theirs.sources.keys()).collect();
    for key in keys {
        let is_wanted = |source: &LockedSource| manifest.sources.get(key) == Some(&source.entry);
        let sources = (ours.sources.get(key), theirs.sources.get(key));
        let from = match sources {
            (Some(a), Some(b)) if a != b => match (is_wanted(a), is_wanted(b)) {
                (true, false) => &ours,
                (false, true) => &theirs,
                _ => {
                    merged.left_out.push(key.clone());
                    continue;
                }
            },
            (Some(_), _) => &ours,
            (None, _) => &theirs,
        };
        if let Some(source) = from.sources.get(key) {
            let mut source = source.clone();
            // Git merges lines, so the skills may be partly those of the other side.
            let has_same_skills = ours.skills_of(key).eq(theirs.skills_of(key));
            if matches!(sources, (Some(a), Some(b)) if a != b || !has_same_skills) {
                source.directories = Some(BTreeSet::new());
            }
            merged.lock.sources.insert(key.clone(), source);
        }
        let skills = from.skills_of(key).map(|(name, skill)| (name.clone(), skill.clone()));
        merged.lock.skills.extend(skills);
    }
    Some(merged)
}

/// Returns the text of each side. Lines outside of the markers belong to both.
fn sides(text: &str) -> Option<[String; 2]> {
    let (mut ours, mut theirs, mut at, mut found) =
        (String::new(), String::new(), Place::Both, false);
    for line in text.split_inclusive('\n') {
        let next = match (line.get(..7), at) {
            (Some("<<<<<<<"), Place::Both) => Place::Ours,
            (Some("|||||||"), Place::Ours) => Place::Base,
            (Some("======="), Place::Ours | Place::Base) => Place::Theirs,
            (Some(">>>>>>>"), Place::Theirs) => {
                found = true;
                Place::Both
            }
            (Some("<<<<<<<" | "|||||||" | "=======" | ">>>>>>>"), _) => return None,
            _ => {
                if matches!(at, Place::Both | Place::Ours) {
                    ours.push_str(line);
                }
                if matches!(at, Place::Both | Place::Theirs) {
                    theirs.push_str(line);
                }
                continue;
            }
        };
        at = next;
    }
    (found && at == Place::Both).then_some([ours, theirs])
}

/// Where a line is between conflict markers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Both,
    Ours,
    /// The common ancestor, which git adds with `merge.conflictStyle = diff3`.
    Base,
    Theirs,
}

/// Parses one side. Git merges lines, so a comma may be missing, and a skill of the other side may
/// be there without its source: such a skill is left out.
fn parse(side: &str) -> Option<Lock> {
    let mut depth = 0_usize;
    for byte in side.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return None;
        }
    }
    let mut document: Value = parse_to_serde_value(side, &ParseOptions::default()).ok()?;
    let sources = document.get("sources")?.as_object()?.clone();
    let skills = document.get_mut("skills")?.as_object_mut()?;
    skills.retain(|_, skill| {
        let source = skill.get("source").and_then(Value::as_str);
        source.is_some_and(|source| sources.contains_key(source))
    });
    Lock::parse(&document.to_string()).ok()
}
