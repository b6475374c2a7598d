//! Warnings on new skills whose names look like those of other sources.

use helix_skills_format::{SkillName, SourceKey};
use helix_skills_project::{SyncChange, Synced};
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
use unicode_security::confusable_detection::skeleton;

/// Maximum number of warnings.
const MAX_WARNINGS: usize = 50;

/// Maximum number of compared pairs of names. Only a deliberate choice of names exceeds it.
const MAX_COMPARED: usize = 1_000_000;

/// Minimum length in characters of names that are compared. In shorter names, one character makes a
/// different word.
const MIN_CHARS: usize = 5;

/// Returns a warning for each new skill whose name looks like that of a skill from another source,
/// sorted by name.
pub(super) fn warnings(synced: &Synced) -> Vec<String> {
    let is_new = |name: &SkillName| synced.changes.get(name) == Some(&SyncChange::Added);
    if !synced.changes.keys().any(is_new) {
        return Vec::new();
    }
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

/// Folds a name so that names that look alike are equal: removes case, accents and separators, and
/// replaces digits by the letters that they resemble.
///
/// Letters of other scripts are kept. To fold them as well, apply the confusables table of Unicode
/// (UTS 39) first.
fn name_fold(name: &str) -> String {
    let plain = name.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase);
    let plain = plain.filter(|c| !matches!(c, '-' | '_' | '.' | ' '));
    let folded: String = plain
        .map(|c| match c {
            '0' => 'o',
            '1' | 'l' | '|' | 'ı' => 'i',
            '3' => 'e',
            '5' => 's',
            c => c,
        })
        .collect();
    folded.replace("rn", "m").replace("vv", "w")
}

/// Returns whether the names differ by one typing error: a character that is added, missing,
/// replaced or swapped with its neighbor.
///
/// Always false for names of less than five characters, and for names that differ in a digit.
fn names_are_near(a: &str, b: &str) -> bool {
    let (length_a, length_b) = (a.chars().count(), b.chars().count());
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_comparable = length_a.min(length_b) >= MIN_CHARS && length_a.abs_diff(length_b) <= 1;
    is_comparable && digits(a) == digits(b) && strsim::osa_distance(a, b) == 1
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

    #[test]
    fn t09_names_that_look_alike_have_one_fold() {
        for (a, b) in [
            ("bird", "bírd"),
            ("bird", "b1rd"),
            ("bird", "BlRD"),
            ("modern", "modem"),
            ("pdf_tools", "pdf-tools"),
        ] {
            assert_eq!(name_fold(a), name_fold(b), "{a} {b}");
        }
        for (a, b) in [("pdf", "pdfs"), ("docx", "xlsx"), ("s3", "s4"), ("bird", "bard")] {
            assert_ne!(name_fold(a), name_fold(b), "{a} {b}");
        }
    }

    #[test]
    fn t09_typos_are_near_and_short_names_are_not() {
        for (a, b) in [
            ("frontend", "frontends"),
            ("brand-guide", "brandguide"),
            ("canvas", "canvsa"),
            ("theme", "thame"),
        ] {
            assert!(names_are_near(a, b) && names_are_near(b, a), "{a} {b}");
        }
        for (a, b) in
            [("docx", "doc"), ("theme", "frame"), ("phase-1", "phase-10"), ("step1", "step")]
        {
            assert!(!names_are_near(a, b), "{a} {b}");
        }
    }
}
