//! Warnings on new skills whose names look like those of other sources.

use super::near_names::{name_fold, names_are_near};
use helix_skills_format::{SkillName, SourceKey};
use helix_skills_project::{SyncChange, Synced};
use std::collections::{BTreeMap, BTreeSet};
use unicode_security::confusable_detection::skeleton;

/// Maximum number of warnings.
const MAX_WARNINGS: usize = 50;

/// Maximum number of compared pairs of names. Only a deliberate choice of names exceeds it.
const MAX_COMPARED: usize = 1_000_000;

/// Returns a warning for each new skill whose name looks like that of a skill from another source,
/// sorted by name.
pub(super) fn warnings(synced: &Synced) -> Vec<String> {
    let is_new = |name: &SkillName| synced.changes.get(name) == Some(&SyncChange::Added);
    let all: Vec<Named<'_>> =
        synced.lock.skills.iter().map(|(name, skill)| Named::new(name, &skill.source)).collect();
    let mut by_form: BTreeMap<&str, Vec<&Named<'_>>> = BTreeMap::new();
    for named in &all {
        for form in &named.forms {
            by_form.entry(form).or_default().push(named);
        }
    }
    let (mut warnings, mut compared) = (Vec::new(), 0);
    for new in all.iter().filter(|named| is_new(named.name)) {
        if warnings.len() > MAX_WARNINGS || compared > MAX_COMPARED {
            break;
        }
        // If both skills are new, only the later one is reported.
        let others = new.forms.iter().flat_map(|form| &by_form[form.as_str()]).filter(|other| {
            other.source != new.source && (other.name < new.name || !is_new(other.name))
        });
        let others: BTreeSet<&Named<'_>> = others
            .take_while(|_| {
                compared += 1;
                compared <= MAX_COMPARED
            })
            .filter(|other| other.forms[0] == new.forms[0] || names_are_near(new.name, other.name))
            .copied()
            .collect();
        warnings.extend(others.into_iter().map(|other| {
            format!(
                "the new skill `{}` of the source `{}` looks like `{}` of `{}`; check that it is the one you want, or give it another name with `rename`",
                new.name, new.source, other.name, other.source
            )
        }));
    }
    if warnings.len() > MAX_WARNINGS || compared > MAX_COMPARED {
        warnings.truncate(MAX_WARNINGS);
        warnings.push(
            "too many new skills may look like those of other sources; check the names in `skills list`"
                .to_owned(),
        );
    }
    warnings
}

/// A skill with the forms of its name. Two look-alikes share at least one form.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Named<'l> {
    name: &'l SkillName,
    source: &'l SourceKey,
    /// The folded form, which confusable names share, then the other forms.
    forms: Vec<String>,
}

impl<'l> Named<'l> {
    fn new(name: &'l SkillName, source: &'l SourceKey) -> Self {
        let fold = name_fold(&skeleton(&name_fold(name)).collect::<String>());
        let forms = [fold].into_iter().chain(deletions(name)).collect();
        Self { name, source, forms }
    }
}

/// Returns a name and all texts that result from deleting one of its characters.
///
/// Names with an edit distance of one have at least one of these texts in common.
fn deletions(name: &str) -> BTreeSet<String> {
    let without =
        name.char_indices().map(|(at, c)| format!("{}{}", &name[..at], &name[at + c.len_utf8()..]));
    without.chain([name.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t09_confusable_letters_have_the_same_fold() {
        let key = SourceKey::new("x").unwrap();
        let fold = |name: &str| Named::new(&SkillName::new(name).unwrap(), &key).forms[0].clone();
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
    fn t09_names_one_edit_apart_share_a_deletion() {
        for (a, b) in [
            ("canvas", "canvsa"),
            ("canvas", "canva"),
            ("canvas", "canvass"),
            ("canvas", "cznvas"),
            ("für", "fuer"),
        ] {
            let (of_a, of_b) = (deletions(a), deletions(b));
            assert_eq!(of_a.iter().any(|deletion| of_b.contains(deletion)), a != "für", "{a} {b}");
        }
    }
}
