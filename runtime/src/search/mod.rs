//! Ranks the skills of a set for a query.
//!
//! The ranking is BM25 as in `tiny-tfidf` 1.0.0, on which the classifier of Deep Agents is based;
//! the docs of this module call it the reference. An index is a byte string ([`layout`]), written
//! by the same code in the macro and at run time ([`build`]) and searched in place ([`index`]).
//! Terms are not tagged with fields: if `when_to_use` and bodies are indexed, they are further text
//! of the skill.

mod build;
mod classifier;
mod hit;
mod index;
mod layout;
mod ln;
mod options;
mod stop_words;
mod words;

use crate::shared::Shared;

pub use classifier::Classifier;
pub use hit::Hit;
pub(crate) use hit::best;
pub use index::SearchIndex;
pub use options::{IndexOptions, SearchOptions};
pub use words::Words;

/// Returns the index that the macro made, without checking `bytes`.
///
/// Other bytes are not validated and give no or wrong hits.
#[must_use]
pub const fn search_index(bytes: Shared<[u8]>) -> SearchIndex {
    SearchIndex(bytes)
}
