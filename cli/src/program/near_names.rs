//! Comparison of names that are easily confused.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Minimum length in characters of names that are compared. In shorter names, one character makes a
/// different word.
const MIN_CHARS: usize = 5;

/// Folds a name so that names that look alike are equal: removes case, accents and separators, and
/// replaces digits by the letters that they resemble.
///
/// Letters of other scripts are kept. To fold them as well, apply the confusables table of Unicode
/// (UTS 39) first.
pub(super) fn name_fold(name: &str) -> String {
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
pub(super) fn names_are_near(a: &str, b: &str) -> bool {
    let (length_a, length_b) = (a.chars().count(), b.chars().count());
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_comparable = length_a.min(length_b) >= MIN_CHARS && length_a.abs_diff(length_b) <= 1;
    is_comparable && digits(a) == digits(b) && strsim::osa_distance(a, b) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

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
