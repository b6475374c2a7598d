//! New names that a reader takes for others (THREATS T9).

use helix_skills_format::{SkillName, SourceKey};
use helix_skills_lint::{name_fold, names_are_near};
use helix_skills_project::{SyncChange, Synced};
use std::collections::{BTreeMap, BTreeSet};
use unicode_security::confusable_detection::skeleton;

/// So many lines are told.
const TOLD: usize = 50;

/// So many pairs of names are compared: more have one slip in common only where somebody means them to.
const COMPARED: usize = 1_000_000;

/// A line for each new skill whose name looks like that of a skill from another source, in the order of the names.
pub(super) fn warnings(synced: &Synced) -> Vec<String> {
    let is_new = |name: &SkillName| synced.changes.get(name) == Some(&SyncChange::Added);
    let all: Vec<Named<'_>> =
        synced.lock.skills.iter().map(|(name, skill)| Named::new(name, &skill.source)).collect();
    let mut by_fold: BTreeMap<&str, Vec<&Named<'_>>> = BTreeMap::new();
    let mut by_stump: BTreeMap<String, Vec<&Named<'_>>> = BTreeMap::new();
    for named in &all {
        by_fold.entry(&named.fold).or_default().push(named);
        for stump in stumps(named.name) {
            by_stump.entry(stump).or_default().push(named);
        }
    }
    let (mut warnings, mut compared) = (Vec::new(), 0);
    for new in all.iter().filter(|named| is_new(named.name)) {
        if warnings.len() > TOLD || compared > COMPARED {
            break;
        }
        let alike = by_fold.get(new.fold.as_str()).into_iter().flatten().map(|other| (other, true));
        let near = stumps(new.name).into_iter().filter_map(|stump| by_stump.get(&stump)).flatten();
        let others = alike.chain(near.map(|other| (other, false)));
        // Of two new ones the later is told.
        let others = others.filter(|(other, _)| {
            other.source != new.source && (other.name < new.name || !is_new(other.name))
        });
        let others: BTreeSet<&Named<'_>> = others
            .take_while(|_| {
                compared += 1;
                compared <= COMPARED
            })
            .filter(|(other, is_alike)| *is_alike || names_are_near(new.name, other.name))
            .map(|(other, _)| *other)
            .collect();
        warnings.extend(others.into_iter().map(|other| {
            format!(
                "the new skill `{}` of the source `{}` looks like `{}` of `{}`: make sure that it is what you want; `rename` gives it another name",
                new.name, new.source, other.name, other.source
            )
        }));
    }
    if warnings.len() > TOLD || compared > COMPARED {
        warnings.truncate(TOLD);
        warnings.push(
            "there are more new skills that may look like those of other sources than are compared or told: look at the names yourself, in `skills list`"
                .to_owned(),
        );
    }
    warnings
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Named<'l> {
    name: &'l SkillName,
    source: &'l SourceKey,
    fold: String,
}

impl<'l> Named<'l> {
    fn new(name: &'l SkillName, source: &'l SourceKey) -> Self {
        Self { name, source, fold: name_fold(&skeleton(&name_fold(name)).collect::<String>()) }
    }
}

/// A name, and what is left of it without any one character: names that are one slip apart have one of these in common.
fn stumps(name: &str) -> Vec<String> {
    let without =
        name.char_indices().map(|(at, c)| format!("{}{}", &name[..at], &name[at + c.len_utf8()..]));
    let mut stumps: Vec<String> = without.chain([name.to_owned()]).collect();
    stumps.sort_unstable();
    stumps.dedup();
    stumps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t09_letters_of_other_scripts_have_the_fold_of_what_they_look_like() {
        let key = SourceKey::new("x").unwrap();
        let fold = |name: &str| Named::new(&SkillName::new(name).unwrap(), &key).fold;
        for (a, b) in [
            ("bird", "bírd"),
            ("bird", "b1rd"),
            ("pay", "p\u{430}y"),
            ("scope", "\u{455}\u{441}\u{43e}\u{440}\u{435}"),
            ("modern", "modem"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
        assert_ne!(fold("bird"), fold("bard"));
    }

    #[test]
    fn t09_names_one_slip_apart_share_a_stump() {
        for (a, b) in [
            ("canvas", "canvsa"),
            ("canvas", "canva"),
            ("canvas", "canvass"),
            ("canvas", "cznvas"),
            ("für", "fuer"),
        ] {
            let (of_a, of_b) = (stumps(a), stumps(b));
            assert_eq!(of_a.iter().any(|stump| of_b.contains(stump)), a != "für", "{a} {b}");
        }
    }
}
