//! Ranks skills for a query, and reminds a model of the best ones.
//!
//! The ranking is BM25 as in `tiny-tfidf` 1.0.0, on which the classifier of Deep Agents is based;
//! the docs of this module call it the reference. An index is a byte string ([`layout`]), written
//! by the same code in the macro and at run time ([`build`]) and searched in place ([`index`]).
//! Terms are not tagged with fields: if `when_to_use` and bodies are indexed, they are further text
//! of the document.

mod build;
mod check;
mod classifier;
mod document;
mod entry;
mod hit;
mod index;
mod layout;
mod ln;
mod options;
mod owned;
mod predicate;
mod ranking;
mod reminder;
mod stop_words;
mod words;

use crate::shared::Shared;

pub use classifier::Classifier;
pub use document::{Document, IndexOptions};
pub use entry::{SearchEntries, SearchEntry};
pub use hit::Hit;
pub use index::SearchIndex;
pub use options::SearchOptions;
pub use owned::content_matches;
pub use predicate::{classifies, content_includes};
pub use ranking::Ranking;
pub use reminder::Reminder;
pub use words::Words;

/// Returns the index that the macro made, without checking `bytes`.
///
/// Other bytes are not validated and give no or wrong hits.
#[must_use]
pub const fn search_index(bytes: Shared<[u8]>) -> SearchIndex {
    SearchIndex(bytes)
}
