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
mod predicate;
mod ranking;
mod reminder;
mod stop_words;
mod words;

#[cfg(feature = "alloc")]
pub use build::SearchIndexBuf;
pub use check::IndexError;
pub use classifier::Classifier;
pub use document::{Document, IndexOptions};
pub use entry::{Entries, Entry};
pub use hit::Hit;
pub use index::SearchIndex;
pub use options::SearchOptions;
#[cfg(feature = "alloc")]
pub use predicate::content_matches;
pub use predicate::{classifies, content_includes};
pub use ranking::Ranking;
pub use reminder::Reminder;
pub use words::Words;

/// The index that the macro made: its bytes are not looked at again. Of other bytes nothing is found, or nonsense.
#[must_use]
pub const fn search_index(bytes: &[u8]) -> SearchIndex<'_> {
    SearchIndex(bytes)
}
