//! How a stored file differs from what was locked.

use helix_skills_format::{Digest, Integrity};
use std::fmt;

/// How a file of the store differs from its listing, or the listing from the lockfile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// Its bytes differ.
    Changed {
        /// The digest in the listing.
        expected: Digest,
        /// The digest of the file.
        found: Digest,
    },
    /// It is too long to be the locked file, and was not read.
    TooLong {
        /// Its length.
        bytes: u64,
        /// The maximum length.
        limit: u64,
    },
    /// Its bytes differ only in line endings.
    LineEnds,
    /// As [`Difference::LineEnds`], in a `path` source.
    OwnLineEnds,
    /// It is missing.
    Missing,
    /// It is not in the listing.
    Unlisted,
    /// It is a link or something else that is not a regular file.
    NotAFile,
    /// The listing is not the locked one.
    Listing {
        /// The integrity in the lock.
        expected: Integrity,
    },
    /// As [`Difference::Listing`], and all files match that listing.
    WholeListing {
        /// The integrity in the lock.
        expected: Integrity,
    },
}

impl Difference {
    /// A stable, kebab-case name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Changed { .. } | Self::TooLong { .. } => "file-changed",
            Self::LineEnds | Self::OwnLineEnds => "line-ends-changed",
            Self::Missing => "file-missing",
            Self::Unlisted => "file-unlisted",
            Self::NotAFile => "not-a-file",
            Self::Listing { .. } | Self::WholeListing { .. } => "listing-changed",
        }
    }

    /// Returns an instruction that fixes the difference.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            Self::LineEnds => {
                "git converted it: commit `helix.skills/.gitattributes`, then run `skills sync --restore` to put upstream's bytes back"
            }
            Self::OwnLineEnds => {
                "git converted it: put `* -text` into a `.gitattributes` beside the skills, so that git leaves them alone, and check them out again"
            }
            Self::Unlisted => {
                "move it elsewhere, or run `skills sync --restore` to put the skill back as it was locked"
            }
            Self::WholeListing { .. } => {
                "the lock or the listing was edited: see `git diff`, and restore both from version control; where only the store is older than the lock, run `skills sync`"
            }
            Self::Missing | Self::Listing { .. } => "run `skills sync` to put it back",
            Self::Changed { .. } | Self::TooLong { .. } | Self::NotAFile => {
                "run `skills sync --restore` to put upstream's bytes back"
            }
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { expected, found } => {
                write!(f, "the file was changed: expected sha256 {expected}, found {found}")
            }
            Self::TooLong { bytes, limit } => {
                write!(f, "the file was changed: it has {bytes} bytes, expected at most {limit}")
            }
            Self::LineEnds | Self::OwnLineEnds => {
                f.write_str("the file was changed in its line ends only (CR LF)")
            }
            Self::Missing => f.write_str("it is missing"),
            Self::Unlisted => f.write_str("the file is not part of the skill"),
            Self::NotAFile => f.write_str("a link or something else stands here"),
            Self::Listing { expected } | Self::WholeListing { expected } => {
                write!(
                    f,
                    "the listing is not the one with the integrity {expected} that was locked"
                )
            }
        }
    }
}
