//! Reasons to need the network.

use helix_skills_format::__internal::listed_all;
use std::fmt;

/// Why lockfile, store and cache are not enough for an operation in offline mode.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Offline {
    /// Neither the store nor the cache has a locked skill.
    NotStored,
    /// The source is not in the lockfile.
    NotLocked,
    /// An update resolves the pin again.
    Update,
    /// The source's entry was changed since it was locked.
    Changed {
        /// The keys of the entry that differ.
        keys: Vec<String>,
    },
    /// The lockfile does not have the skills that the entry selects.
    Selection,
}

impl fmt::Display for Offline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStored => f.write_str("neither the store nor the cache has the locked files"),
            Self::NotLocked => f.write_str("it is not locked yet"),
            Self::Update => f.write_str("an update resolves its pin again"),
            Self::Changed { keys } => {
                let was = if keys.len() == 1 { "was" } else { "were" };
                write!(f, "its {} {was} changed since it was locked", listed_all(keys))
            }
            Self::Selection => f.write_str("the lockfile does not have the skills that it selects"),
        }
    }
}
