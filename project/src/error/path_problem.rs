//! Unusable paths of sources.

use helix_skills_runtime::PathError;
use std::fmt;

/// Why a path of a source is not a usable file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathProblem {
    /// There is no such directory.
    Missing,
    /// It is not a directory.
    NotADirectory,
    /// It is not a regular file.
    NotAFile,
    /// A directory without a SKILL.md, and without directories that have one.
    NoSkill,
    /// The file is not UTF-8.
    NotUtf8,
    /// The path breaks a rule for paths.
    Invalid(PathError),
    /// The tree has two entries with the name.
    Duplicate,
    /// The link is broken.
    LinkToNothing,
    /// The link does not lead to a skill.
    LinkToNoSkill,
    /// The link leads out of the repository.
    LinkOutside,
    /// The link leads out of the project.
    LinkOutsideProject,
    /// The link leads into a submodule.
    LinkToSubmodule,
    /// The chain of links is too long, or a cycle.
    LinkCircle,
    /// The link leads to a directory that contains it.
    LinkAbove,
    /// The link leads to a path that is too long.
    LinkToLongPath,
    /// The link's target continues below a file.
    LinkBelowFile,
    /// The link's target is too long.
    LongTarget,
    /// The link's target is not UTF-8.
    TargetNotUtf8,
    /// The link's target is empty, or has a NUL.
    NoTarget,
}

impl fmt::Display for PathProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid(error) => return error.fmt(f),
            Self::Missing => "there is no such directory",
            Self::NotADirectory => "it is not a directory",
            Self::NotAFile => "it is not a regular file",
            Self::NoSkill => "it has no SKILL.md, and no directory in it has one",
            Self::NotUtf8 => "it is not UTF-8",
            Self::Duplicate => {
                "its directory has two entries with this name, which git never writes"
            }
            Self::LinkToNothing => "the link leads to nothing",
            Self::LinkToNoSkill => "the link does not lead to a directory with a SKILL.md",
            Self::LinkOutside => "the link leads out of the repository",
            Self::LinkOutsideProject => "the link leads out of the project",
            Self::LinkToSubmodule => "the link leads into a submodule",
            Self::LinkCircle => "the link leads to too many further links",
            Self::LinkAbove => "the link leads back to a directory above it",
            Self::LinkToLongPath => "the link leads to a path that is too long",
            Self::LinkBelowFile => "the link leads to a path below a file",
            Self::LongTarget => "the link's target is too long",
            Self::TargetNotUtf8 => "the link's target is not UTF-8",
            Self::NoTarget => "the link has no target",
        })
    }
}
