//! A lockfile with the conflict markers of a merge: what its two sides agree on.

use crate::entries::{has_same_pin, has_same_place, pin_drift};
use crate::manifest::{Lock, LockedSource, Manifest, Pin, Source};
use helix_skills_format::{DirPath, SourceKey};
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::Value;
use std::collections::BTreeSet;

/// Maximum number of open brackets in a side. A lockfile has six.
const MAX_DEPTH: usize = 64;

/// What a merge of two lockfiles could not decide.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// The sources whose sides lock different commits, or one that the pin of the manifest does not
    /// mean. The lockfile has our side of them.
    pub(crate) disputed: Vec<SourceKey>,
    /// Warnings about skills that were not read again, one line for each source.
    pub(crate) warnings: Vec<String>,
}

/// Merges the two sides of a lockfile with conflict markers. `None` if it has none, or if a side
/// is not a lockfile.
///
/// The lockfile has all sources and skills of both sides. A skill that differs is that of our side.
/// A source that differs is that of the side that locks the entry of the manifest, or has the
/// commit of both sides if the entry pins it.
///
/// Because git merges lines, the skills of such a source may be those of another commit. It has no
/// directories, so that a sync reads its skills again, at its commit. With `is_offline`, it has the
/// skills of both sides if their commit is the same.
pub(crate) fn merge(text: &str, manifest: &Manifest, is_offline: bool) -> Option<(Lock, Merged)> {
    let [ours, theirs] = sides(text)?.map(|side| parse(&side));
    let (ours, theirs) = (ours?, theirs?);
    let (mut lock, mut merged) = (theirs.clone(), Merged::default());
    lock.skills.extend(ours.skills.clone());
    for (key, a) in &ours.sources {
        lock.sources.insert(key.clone(), a.clone());
        let (Some(b), Some(wanted)) = (theirs.sources.get(key), manifest.sources.get(key)) else {
            continue;
        };
        let is_same = a == b && ours.skills_of(key).eq(theirs.skills_of(key));
        if is_same || wanted.directory().is_some() {
            continue;
        }
        let sides = [a, b];
        let is_agreed = a.commit == b.commit
            && a.skills_url() == b.skills_url()
            && a.skills_commit() == b.skills_commit()
            && sides.iter().all(|side| has_same_place(&side.entry, wanted));
        let chosen = match sides.map(|side| side.entry == *wanted) {
            [true, false] => Some(a),
            [false, true] => Some(b),
            _ if is_agreed => sides.into_iter().find(|side| is_pinned(key, wanted, side)),
            _ => None,
        };
        let mut source = chosen.unwrap_or(a).clone();
        source.directories = Some(BTreeSet::new());
        if chosen.is_none() {
            merged.disputed.push(key.clone());
        } else if is_agreed {
            source.entry = wanted.clone();
            let has_same = |(name, skill)| lock.skills.get(name) == Some(skill);
            if is_offline
                && theirs.skills_of(key).all(has_same)
                && let Some((include, directories)) = united(sides, wanted)
            {
                source.entry.select.include = Some(include);
                source.directories = Some(directories);
                merged.warnings.push(format!("the skills of `{key}` are those of both sides of the merge, and were not compared with the locked commit: run `skills outdated {key}`"));
            }
        }
        lock.sources.insert(key.clone(), source);
    }
    Some((lock, merged))
}

/// Returns whether the pin of an entry means the ref and commit that a side has locked.
fn is_pinned(key: &SourceKey, wanted: &Source, side: &LockedSource) -> bool {
    let has_version = wanted.repository().is_some_and(|it| matches!(it.pin, Pin::Version(_)));
    pin_drift(key, wanted, side).is_none() && (has_version || has_same_pin(&side.entry, wanted))
}

/// Returns what both sides include, and the directories of these skills. `None` if they do not
/// select skills by `include`, or if the entries differ in more than that and the pin.
fn united(
    sides: [&LockedSource; 2],
    wanted: &Source,
) -> Option<(BTreeSet<String>, BTreeSet<DirPath>)> {
    let may_differ = |key: &String| matches!(key.as_str(), "include" | "version" | "ref" | "sha");
    if !sides.iter().all(|side| side.entry.changed_keys(wanted).iter().all(may_differ)) {
        return None;
    }
    let [a, b] = sides;
    let include = a.entry.select.include.as_ref()? | b.entry.select.include.as_ref()?;
    Some((include, a.directories.as_ref()? | b.directories.as_ref()?))
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
