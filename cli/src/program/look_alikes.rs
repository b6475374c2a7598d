//! Warnings on new skills whose names look like those of other sources.

use super::near_names::{name_fold, names_are_near};
use helix_skills_format::{SkillName, SourceKey};
use helix_skills_project::{SyncChange, Synced};
use unicode_security::confusable_detection::skeleton;

/// Maximum number of warnings.
const MAX_WARNINGS: usize = 50;

/// Maximum number of compared pairs of names. Only a deliberate choice of names exceeds it.
const MAX_COMPARED: usize = 10_000_000;

/// Returns a warning for each new skill whose name looks like that of a skill from another source,
/// sorted by name.
pub(super) fn warnings(synced: &Synced) -> Vec<String> {
    let is_new = |name: &SkillName| synced.changes.get(name) == Some(&SyncChange::Added);
    let all: Vec<Named<'_>> =
        synced.lock.skills.iter().map(|(name, skill)| Named::new(name, &skill.source)).collect();
    let (mut warnings, mut compared) = (Vec::new(), 0);
    for new in all.iter().filter(|named| is_new(named.name)) {
        if warnings.len() > MAX_WARNINGS || compared > MAX_COMPARED {
            break;
        }
        compared += all.len();
        // If both skills are new, only the later one is reported.
        let others = all.iter().filter(|other| {
            other.source != new.source && (other.name < new.name || !is_new(other.name))
        });
        let others =
            others.filter(|other| other.fold == new.fold || names_are_near(new.name, other.name));
        warnings.extend(others.map(|other| {
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

/// A skill with the folded form of its name, which confusable names share.
struct Named<'l> {
    name: &'l SkillName,
    source: &'l SourceKey,
    fold: String,
}

impl<'l> Named<'l> {
    fn new(name: &'l SkillName, source: &'l SourceKey) -> Self {
        let fold = name_fold(&skeleton(&name_fold(name)).collect::<String>());
        Self { name, source, fold }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t09_confusable_letters_have_the_same_fold() {
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
}
