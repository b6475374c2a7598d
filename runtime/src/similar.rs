//! Similarity of names, for messages about unknown ones.

/// Maximum length in characters of the names that are compared. It bounds the steps.
const MAX_CHARS: usize = 64;

/// Minimum length in characters of a name that is recognized as a part of another one.
const MIN_PART: usize = 3;

/// Maximum number of names that [`closest`] returns.
const MAX_CLOSEST: usize = 5;

/// Returns the number of typing errors by which `typed` differs from `name`; `None` if it is more
/// than two fifths of the longer one's length. Ignores the case of ASCII letters.
#[must_use]
pub fn typos(typed: &str, name: &str) -> Option<usize> {
    let longer = typed.chars().count().max(name.chars().count());
    edits(typed, name, longer * 2 / 5, false)
}

/// Returns up to five of `names` that `typed` may stand for, the most similar first: typing errors,
/// then names that contain `typed` or are contained in it.
pub fn closest<'n>(
    typed: &str,
    names: &mut dyn Iterator<Item = &'n str>,
) -> impl Iterator<Item = &'n str> + Clone + use<'n> {
    let mut found = [(usize::MAX, ""); MAX_CLOSEST];
    for name in names {
        let Some(rank) = difference(typed, name) else { continue };
        let mut next = (rank, name);
        for place in &mut found {
            if next.0 < place.0 {
                core::mem::swap(place, &mut next);
            }
        }
    }
    found.into_iter().filter(|(rank, _)| *rank < usize::MAX).map(|(_, name)| name)
}

/// Returns how different the names are; `None` if they are not similar.
pub(crate) fn difference(typed: &str, name: &str) -> Option<usize> {
    typos(typed, name).or_else(|| {
        let (typed_len, name_len) = (typed.chars().count(), name.chars().count());
        let (part, whole) = if typed_len < name_len { (typed, name) } else { (name, typed) };
        let shorter = typed_len.min(name_len);
        let edits = edits(part, whole, shorter / 4, true).filter(|_| shorter >= MIN_PART)?;
        Some(MAX_CHARS * (1 + edits) + typed_len.abs_diff(name_len))
    })
}

/// Returns the number of characters to add, remove, replace or swap with a neighbor to turn `from`
/// into `to`, or into any part of `to`; `None` if it is more than `limit`.
fn edits(from: &str, to: &str, limit: usize, into_part: bool) -> Option<usize> {
    let width = to.chars().count();
    if width > MAX_CHARS || from.chars().count() > MAX_CHARS {
        return None;
    }
    // One row for each character of `from`: the edits for each start of `to`. Up to 64 fit.
    let mut rows = [[0_u8; MAX_CHARS + 1]; 3];
    let [two_above, above, row] = &mut rows;
    let (mut two_above, mut above, mut row) = (two_above, above, row);
    if !into_part {
        (0..).zip(&mut *above).for_each(|(at, edits)| *edits = at);
    }
    let mut last = None;
    for (first, c) in (1..).zip(from.chars()) {
        row[0] = first;
        let (mut least, mut before) = (first, None);
        for (at, d) in to.chars().enumerate() {
            let replaced = above[at] + u8::from(!c.eq_ignore_ascii_case(&d));
            let mut edits = replaced.min(above[at + 1] + 1).min(row[at] + 1);
            if at > 0 && before == Some(c) && last == Some(d) {
                edits = edits.min(two_above[at - 1] + 1);
            }
            row[at + 1] = edits;
            least = least.min(edits);
            before = Some(d);
        }
        // No later row has fewer.
        if usize::from(least) > limit {
            return None;
        }
        last = Some(c);
        (two_above, above, row) = (above, row, two_above);
    }
    let starts = if into_part { 0..=width } else { width..=width };
    let edits = above[starts].iter().min().map(|edits| usize::from(*edits));
    edits.filter(|edits| *edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::{closest, typos};
    use alloc::vec::Vec;

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
            ("caf", "café", Some(1)),
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
        let found = |typed| closest(typed, &mut names.into_iter()).collect::<Vec<_>>();
        assert_eq!(found("git-reprot"), ["git-report", "report"]);
        assert_eq!(found("pdf-form"), ["pdf-forms", "pdf"]);
        assert_eq!(found("reveiw"), ["code-review"]);
        assert_eq!(found("reviews"), ["code-review"]);
        assert_eq!(found("quux"), [""; 0]);
        let same = ["a1", "a2", "a3", "a4", "a5", "a6"].map(|end| alloc::format!("skill-{end}"));
        let first: Vec<_> = closest("skill-a", &mut same.iter().map(|name| &**name)).collect();
        assert_eq!(first, same[..5]);
    }
}
