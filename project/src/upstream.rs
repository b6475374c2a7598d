//! Skills that a newer commit renamed, removed or added.

use helix_skills_format::{DirPath, SkillName};
use std::collections::BTreeMap;

/// Skills that were renamed, removed or added upstream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upstream {
    /// Locked skills whose directory was renamed or moved.
    pub renamed: Vec<Renamed>,
    /// Locked skills whose directory was removed, with that directory.
    pub gone: BTreeMap<SkillName, DirPath>,
    /// Directories of skills that the locked commit does not have, whether or not the manifest
    /// selects them.
    pub added: Vec<DirPath>,
}

/// A locked skill whose directory was renamed or moved upstream: the old directory is gone, and a
/// new one has the same tree or at least half of its files.
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

impl Upstream {
    /// Returns the names of the directories of new skills.
    pub fn added_names(&self) -> impl Iterator<Item = &str> {
        self.added.iter().filter_map(DirPath::file_name)
    }

    /// Returns whether the directory `name` was removed.
    pub(crate) fn removed(&self, name: &str) -> bool {
        self.gone.values().any(|path| path.file_name() == Some(name))
    }

    /// Returns the new path of the directory `name`, if it was renamed.
    pub(crate) fn new_name(&self, name: &str) -> Option<&DirPath> {
        self.renamed
            .iter()
            .find(|renamed| renamed.from.file_name() == Some(name))
            .map(|renamed| &renamed.to)
    }
}
