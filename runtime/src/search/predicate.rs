//! Predicates that decide when a message needs a reminder.
//!
//! A predicate is any `Fn(&str) -> bool`; for patterns, use a closure such as
//! `|text| regex.is_match(text)`.

use super::{Classifier, Hit, SearchOptions, words::Lower};

/// Returns a predicate that is true for texts for which `classifier` has a hit.
///
/// ```
/// use helix_skills_runtime::{Document, IndexOptions, SearchIndex, SearchOptions, classifies};
/// let documents = [Document::new("pdf", "Reads PDF files.")];
/// let index = SearchIndex::build(documents, &IndexOptions::new());
/// let is_known = classifies(&index, SearchOptions::new().threshold(0.1));
/// assert!(is_known("Which PDF?") && !is_known("Which?"));
/// ```
pub fn classifies<'a, C: Classifier + ?Sized>(
    classifier: &'a C,
    options: SearchOptions<'a>,
) -> impl Fn(&str) -> bool + Clone + 'a {
    move |content| is_hit(classifier, content, &options)
}

/// Returns a predicate that is true for texts that contain one of `any`, ignoring case. Every text
/// contains the empty string.
///
/// ```
/// use helix_skills_runtime::content_includes;
/// let is_about_money = content_includes(&["price", "Straße"]);
/// assert!(is_about_money("PRICES rise") && is_about_money("die STRAßE"));
/// assert!(!is_about_money("free"));
/// ```
pub fn content_includes<'a>(any: &'a [&'a str]) -> impl Fn(&str) -> bool + Copy + 'a {
    move |content| {
        any.iter().any(|part| {
            let starts = |at: usize| {
                let mut rest = Lower::new(&content[at..]);
                Lower::new(part).all(|byte| rest.next() == Some(byte))
            };
            part.is_empty() || content.char_indices().any(|(at, _)| starts(at))
        })
    }
}

/// Returns whether `classifier` has a hit for `content`.
pub(super) fn is_hit<C: Classifier + ?Sized>(
    classifier: &C,
    content: &str,
    options: &SearchOptions<'_>,
) -> bool {
    !classifier.classify(content, options, &mut [Hit::default()]).is_empty()
}
