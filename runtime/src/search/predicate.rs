//! When a reminder is due: questions about what a user says.
//!
//! A predicate is any `Fn(&str) -> bool`; a pattern is one of the program's own, such as `|text| regex.is_match(text)`.

use super::{Classifier, Hit, SearchOptions, words::Lower};

/// Whether a classifier finds anything for a text.
///
/// ```
/// use helix_skills::search::{Document, IndexOptions, SearchIndexBuf, SearchOptions, classifies};
/// let index = SearchIndexBuf::build([Document::new("pdf", "Reads PDF files.")], &IndexOptions::new());
/// let is_known = classifies(&index, SearchOptions::new().threshold(0.1));
/// assert!(is_known("Which PDF?") && !is_known("Which?"));
/// ```
pub fn classifies<'a, C: Classifier + ?Sized>(
    classifier: &'a C,
    options: SearchOptions<'a>,
) -> impl Fn(&str) -> bool + Clone + 'a {
    move |content| is_hit(classifier, content, &options)
}

/// Whether a text holds one of some others, whatever the case of both. An empty one is in every text.
///
/// ```
/// use helix_skills::search::content_includes;
/// let is_about_money = content_includes(&["price", "Straße"]);
/// assert!(is_about_money("PRICES rise") && is_about_money("die STRAßE") && !is_about_money("free"));
/// ```
pub fn content_includes<'a>(any: &'a [&'a str]) -> impl Fn(&str) -> bool + Copy + 'a {
    move |content| {
        any.iter().any(|part| {
            let starts = |at: usize| {
                let mut rest = Lower::of(&content[at..]);
                Lower::of(part).all(|byte| rest.next() == Some(byte))
            };
            part.is_empty() || content.char_indices().any(|(at, _)| starts(at))
        })
    }
}

/// Whether `classifier` finds anything for `content`.
pub(super) fn is_hit<C: Classifier + ?Sized>(
    classifier: &C,
    content: &str,
    options: &SearchOptions<'_>,
) -> bool {
    !classifier.classify(content, options, &mut [Hit::default()]).is_empty()
}
