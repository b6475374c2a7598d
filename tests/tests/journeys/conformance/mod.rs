//! Recorded cases of what other systems take from an argument, a repository or a marketplace,
//! compared with this program.

mod discover;
mod marketplace;
mod source;
mod tree;
