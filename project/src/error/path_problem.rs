//! Unusable paths of sources.

use helix_skills_runtime::__internal::PathError;

/// Why a path of a source is not a usable file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    #[error("there is no such directory")]
    Missing,
    #[error("it is not a directory")]
    NotADirectory,
    #[error("it is not a regular file")]
    NotAFile,
    #[error("it has no SKILL.md, and no directory in it has one")]
    NoSkill,
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("{0}")]
    Invalid(PathError),
    #[error("its directory has two entries with this name, which git never writes")]
    Duplicate,
    #[error("the link leads to nothing")]
    LinkToNothing,
    #[error("the link does not lead to a directory with a SKILL.md")]
    LinkToNoSkill,
    #[error("the link leads out of the repository")]
    LinkOutside,
    #[error("the link leads out of the project")]
    LinkOutsideProject,
    #[error("the link leads into a submodule")]
    LinkToSubmodule,
    #[error("the link leads to too many further links")]
    LinkCircle,
    #[error("the link leads back to a directory above it")]
    LinkAbove,
    #[error("the link leads to a path that is too long")]
    LinkToLongPath,
    #[error("the link leads to a path below a file")]
    LinkBelowFile,
    #[error("the link's target is too long")]
    LongTarget,
    #[error("the link's target is not UTF-8")]
    TargetNotUtf8,
    #[error("the link has no target")]
    NoTarget,
}
