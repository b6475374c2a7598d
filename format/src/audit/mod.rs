//! What a person should know of the files of a skill before a model reads them.
//!
//! Nothing here says that a skill is safe: polite prose can ask for anything, and no scanner sees that. What is told is what
//! a reader of the text cannot see, or would not look at.

mod invisible;

pub use invisible::{invisible, invisible_in_path, invisible_text};
