//! Search through the public API, compared with the reference's scores and a naive implementation.

mod corpus;
mod hostile;
mod modes;
mod naive;
mod reference;
mod reminder;

use helix_skills_runtime::{Document, Hit, IndexOptions, SearchIndex, SearchOptions};

/// The options of the reference, which finds whole words only.
const WHOLE_WORDS: SearchOptions<'_> = SearchOptions::new().prefix(false);

/// Builds an index of names and descriptions with the words of the reference.
fn index(skills: &[(&str, &str)]) -> SearchIndex {
    SearchIndex::build(
        skills.iter().map(|(name, text)| Document::new(name, text)),
        &IndexOptions::new(),
    )
}

/// Returns the documents and scores of the best hits, at most `top`.
fn search(
    index: &SearchIndex,
    query: &str,
    options: SearchOptions<'_>,
    top: usize,
) -> Vec<(usize, f64)> {
    let mut hits = vec![Hit::default(); top];
    index.search(query, &options, &mut hits).iter().map(|hit| (hit.document, hit.score)).collect()
}

/// Returns only the documents, at most five.
fn documents(index: &SearchIndex, query: &str, options: SearchOptions<'_>) -> Vec<usize> {
    search(index, query, options, Hit::TOP).into_iter().map(|(document, _)| document).collect()
}
