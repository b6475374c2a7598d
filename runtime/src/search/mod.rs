//! Which skills a text is about: ranking, and what is done with it.

#[cfg(feature = "alloc")]
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
#[cfg(feature = "alloc")]
mod owned;
mod predicate;
mod ranking;
mod reminder;
mod stop_words;
mod words;

pub use check::IndexError;
pub use classifier::Classifier;
pub use document::{Document, IndexOptions};
pub use entry::{Entries, Entry};
pub use hit::Hit;
pub use index::SearchIndex;
pub use options::SearchOptions;
pub use predicate::{classifies, content_includes};
pub use ranking::Ranking;
pub use reminder::Reminder;
pub use words::Words;
#[cfg(feature = "alloc")]
pub use {build::SearchIndexBuf, owned::content_matches};

/// The index that the macro made: its bytes are not looked at again. Of other bytes nothing is found, or nonsense.
#[must_use]
pub const fn search_index(bytes: &[u8]) -> SearchIndex<'_> {
    SearchIndex(bytes)
}
