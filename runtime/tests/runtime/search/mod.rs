//! Search from outside: the ranking of the reference, beside an implementation that is as plain as can be.

mod corpus;
mod hostile;
mod modes;
mod naive;
mod reference;
mod reminder;

use helix_skills_runtime::{Document, Hit, IndexOptions, SearchIndexBuf, SearchOptions};

/// An index of names and descriptions with the words of the reference.
fn index(skills: &[(&str, &str)]) -> SearchIndexBuf {
    SearchIndexBuf::build(
        skills.iter().map(|(name, text)| Document::new(name, text)),
        &IndexOptions::new(),
    )
}

/// The documents and scores of the best hits, at most `top`.
fn search(
    index: &SearchIndexBuf,
    query: &str,
    options: SearchOptions<'_>,
    top: usize,
) -> Vec<(usize, f64)> {
    let mut hits = vec![Hit::default(); top];
    index
        .as_index()
        .search(query, &options, &mut hits)
        .iter()
        .map(|hit| (hit.document, hit.score))
        .collect()
}

/// The documents alone, up to five.
fn documents(index: &SearchIndexBuf, query: &str, options: SearchOptions<'_>) -> Vec<usize> {
    search(index, query, options, Hit::TOP).into_iter().map(|(document, _)| document).collect()
}
