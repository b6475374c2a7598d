//! Similarity of names, for messages about unknown ones.

use crate::OneLine;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// Maximum length in bytes of the names that are compared. It bounds the steps.
const MAX_BYTES: usize = 64;

/// Minimum length in bytes of a name that is recognized as a part of another one.
const MIN_PART: usize = 3;

/// Maximum number of names that [`closest`] returns.
const MAX_CLOSEST: usize = 5;

/// Returns the number of typing errors by which `typed` differs from `name`; `None` if it is more
/// than two fifths of the longer one's length. Compares bytes and ignores the case of ASCII
/// letters.
#[must_use]
pub fn typos(typed: &str, name: &str) -> Option<usize> {
    edits(typed.as_bytes(), name.as_bytes(), typed.len().max(name.len()) * 2 / 5, false)
}

/// Returns up to five of `names` that `typed` may stand for, the most similar first: typing errors,
/// then names that contain `typed` or are contained in it. Of paths, the last parts are compared.
#[inline(never)]
pub fn closest<'n>(typed: &str, names: &mut dyn Iterator<Item = &'n str>) -> Vec<&'n str> {
    let typed = last_part(typed);
    // Inserting into a short list takes a tenth of the code of a sort.
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        if let Some(difference) = difference(typed, last_part(name)) {
            found.insert(
                found.partition_point(|(other, _)| *other <= difference),
                (difference, name),
            );
            found.truncate(MAX_CLOSEST);
        }
    }
    found.into_iter().map(|(_, name)| name).collect()
}

/// Returns what follows the last `/`. Files of one directory are not similar because of its name.
#[inline(never)]
pub(crate) fn last_part(path: &str) -> &str {
    let start = path.bytes().rposition(|byte| byte == b'/').map_or(0, |at| at + 1);
    path.get(start..).unwrap_or(path)
}

/// Asks which of `names` was meant: "did you mean `a`, `b` or `c`?". Writes nothing without names.
///
/// # Errors
/// Those of `out`.
#[inline(never)]
pub fn did_you_mean(names: &[&str], out: &mut dyn Write) -> fmt::Result {
    for (at, name) in names.iter().enumerate() {
        let lead = match at {
            0 => "did you mean ",
            _ if at + 1 == names.len() => " or ",
            _ => ", ",
        };
        write!(out, "{lead}`{}`", OneLine(name))?;
    }
    if names.is_empty() { Ok(()) } else { out.write_char('?') }
}

/// Returns how different the names are; `None` if they are not similar.
pub(crate) fn difference(typed: &str, name: &str) -> Option<usize> {
    typos(typed, name).or_else(|| {
        let (part, whole) = if typed.len() < name.len() { (typed, name) } else { (name, typed) };
        if part.len() < MIN_PART {
            return None;
        }
        let edits = edits(part.as_bytes(), whole.as_bytes(), part.len() / 4, true)?;
        Some(MAX_BYTES * (1 + edits) + whole.len() - part.len())
    })
}

/// Returns the number of bytes to add, remove, replace or swap with a neighbor to turn `from` into
/// `to`, or into any part of `to`; `None` if it is more than `limit`.
#[inline(never)]
fn edits(from: &[u8], to: &[u8], limit: usize, into_part: bool) -> Option<usize> {
    if to.len() > MAX_BYTES || from.len() > MAX_BYTES {
        return None;
    }
    // One row for each byte of `from`: the edits for each start of `to`. Up to 64 fit.
    let mut rows = [[0_u8; MAX_BYTES + 1]; 3];
    let [two_above, above, row] = &mut rows;
    let (mut two_above, mut above, mut row) = (two_above, above, row);
    if !into_part {
        (0..).zip(&mut *above).for_each(|(at, edits)| *edits = at);
    }
    let mut last = 0;
    for (first, c) in (1..).zip(from) {
        row[0] = first;
        let (mut least, mut before) = (first, 0);
        for (at, d) in to.iter().enumerate() {
            let replaced = above[at] + u8::from(!c.eq_ignore_ascii_case(d));
            let mut edits = replaced.min(above[at + 1] + 1).min(row[at] + 1);
            if at > 0 && before == *c && last == *d {
                edits = edits.min(two_above[at - 1] + 1);
            }
            row[at + 1] = edits;
            least = least.min(edits);
            before = *d;
        }
        // No later row has fewer.
        if usize::from(least) > limit {
            return None;
        }
        last = *c;
        (two_above, above, row) = (above, row, two_above);
    }
    let start = if into_part { 0 } else { to.len() };
    let edits = above[start..=to.len()].iter().fold(u8::MAX, |least, edits| least.min(*edits));
    Some(usize::from(edits)).filter(|edits| *edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::{closest, typos};

    #[test]
    fn typos_are_counted_up_to_two_fifths() {
        for (typed, name, expected) in [
            ("pdf", "pdf", Some(0)),
            ("PDF", "pdf", Some(0)),
            ("pfd", "pdf", Some(1)),
            ("git-reprot", "git-report", Some(1)),
            ("inclde", "include", Some(1)),
            ("kitten", "sitting", None),
            ("saturday", "sunday", Some(3)),
            ("a", "b", None),
            ("", "", Some(0)),
            ("", "a", None),
            ("caf", "café", Some(2)),
        ] {
            assert_eq!((typos(typed, name), typos(name, typed)), (expected, expected), "{typed}");
        }
        let long = "x".repeat(64);
        assert_eq!(typos(&long, &long), Some(0));
        assert_eq!(typos(&(long.clone() + "x"), &long), None);
    }

    #[test]
    fn closest_names_are_sorted_by_similarity() {
        let names = ["alpha", "code-review", "git-report", "pdf", "pdf-forms", "report", "zip"];
        let found = |typed| closest(typed, &mut names.into_iter());
        assert_eq!(found("git-reprot"), ["git-report", "report"]);
        assert_eq!(found("pdf-form"), ["pdf-forms", "pdf"]);
        assert_eq!(found("reveiw"), ["code-review"]);
        assert_eq!(found("reviews"), ["code-review"]);
        assert_eq!(found("quux"), [""; 0]);
        let files = ["SKILL.md", "docs/forms.md", "docs/tables.md", "forms/fill.py", "run.sh"];
        let found = |typed| closest(typed, &mut files.into_iter());
        assert_eq!(found("docs/form.md"), ["docs/forms.md"]);
        assert_eq!(found("references/tables.md"), ["docs/tables.md"]);
        assert_eq!(found("skill.md"), ["SKILL.md"]);
        assert_eq!(found("docs/api.md"), [""; 0]);
        let same = ["a1", "a2", "a3", "a4", "a5", "a6"].map(|end| alloc::format!("skill-{end}"));
        let first = closest("skill-a", &mut same.iter().map(|name| &**name));
        assert_eq!(first, same[..5]);
    }
}
