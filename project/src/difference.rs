//! Differences between the store and the lockfile.

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
    /// It is longer than the locked file can be, and was not read.
    TooLong {
        /// Its length.
        bytes: u64,
        /// The maximum length.
        limit: u64,
    },
    /// Its bytes differ only in line endings.
    LineEnds,
    /// Like [`Difference::LineEnds`], in a `path` source.
    OwnLineEnds,
    /// It is as an earlier version of the program wrote it.
    Former,
    /// It is missing.
    Missing,
    /// It is not in the listing.
    Unlisted,
    /// It is a link or something else that is not a regular file.
    NotAFile,
    /// It is this, in place of the skill's directory.
    NotADirectory(&'static str),
    /// The listing is not the locked one.
    Listing {
        /// The integrity in the lockfile.
        expected: Integrity,
    },
    /// Like [`Difference::Listing`], while all files match the listing.
    WholeListing {
        /// The integrity in the lockfile.
        expected: Integrity,
    },
}

impl Difference {
    /// Returns a stable, kebab-case name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Changed { .. } | Self::Former | Self::TooLong { .. } => "file-changed",
            Self::LineEnds | Self::OwnLineEnds => "line-endings-changed",
            Self::Missing => "file-missing",
            Self::Unlisted => "file-unlisted",
            Self::NotAFile => "not-a-file",
            Self::NotADirectory(_) => "not-a-directory",
            Self::Listing { .. } | Self::WholeListing { .. } => "listing-changed",
        }
    }

    /// Returns an instruction that fixes the difference.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            Self::LineEnds => {
                "git converted them: commit `helix.skills/.gitattributes`, then run `skills sync --restore` to restore upstream's bytes"
            }
            Self::OwnLineEnds => {
                "git converted them: write `* -text` to a `.gitattributes` next to the skills, and check them out again"
            }
            Self::Unlisted => {
                "if you added it, move it elsewhere; then, or after a merge, run `skills sync --restore` to remove it"
            }
            Self::WholeListing { .. } => {
                "the lockfile or the listing was edited: see `git diff`, and restore both from version control; if the store is only older than the lockfile, run `skills sync`"
            }
            Self::Former => "run `skills sync` to update it",
            Self::Missing => "run `skills sync` to restore it",
            Self::Listing { .. } => {
                "run `skills sync` to restore it, or `skills sync --restore` after a merge"
            }
            // The bytes of a skill that is no longer selected are not restored, but removed.
            Self::Changed { .. }
            | Self::TooLong { .. }
            | Self::NotAFile
            | Self::NotADirectory(_) => {
                "if you edited it, copy it elsewhere; then, or after a merge, run `skills sync --restore` to discard the change"
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
                f.write_str("the file was changed only in its line endings (CR LF)")
            }
            Self::Former => f.write_str("an earlier version of `skills` wrote it"),
            Self::Missing => f.write_str("the file is missing"),
            Self::Unlisted => f.write_str("the file is not part of the skill"),
            Self::NotAFile => f.write_str("not a regular file"),
            Self::NotADirectory(found) => write!(f, "is {found}, expected a directory"),
            Self::Listing { expected } | Self::WholeListing { expected } => {
                write!(f, "the listing does not have the locked integrity {expected}")
            }
        }
    }
}
