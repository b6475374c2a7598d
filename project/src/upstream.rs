//! Skills that a newer commit moved, removed or added.

use helix_skills_format::{DirPath, SkillName};
use std::collections::BTreeMap;

/// Skills that were moved, removed or added upstream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upstream {
    /// Locked skills whose directory was moved.
    pub renamed: Vec<Renamed>,
    /// Locked skills whose directory was removed, with that directory.
    pub gone: BTreeMap<SkillName, DirPath>,
    /// Directories of skills that the locked commit does not have, whether or not the manifest
    /// selects them.
    pub added: Vec<DirPath>,
}

/// A locked skill whose directory was moved upstream: the old directory is gone, and another one
/// has the same tree, or is the only one of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Renamed {
    /// The skill, by its name in the lockfile.
    pub skill: SkillName,
    /// Its directory when it was locked.
    pub from: DirPath,
    /// Its directory now.
    pub to: DirPath,
}
