//! How far symbolic links are followed.

use helix_skills_format::__internal::MANIFEST_FILE;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The resolved directories that links of a skill may lead into.
#[derive(Debug)]
pub(crate) struct LinkBoundary(Vec<PathBuf>);

impl LinkBoundary {
    /// Allows these directories, if they exist.
    pub(crate) fn new(directories: [&Path; 2]) -> Self {
        let real = directories.into_iter().filter_map(|path| dunce::canonicalize(path).ok());
        Self(real.collect())
    }

    /// Allows the working directory `start`, and the repository or project that the resolved
    /// directory `named` is part of.
    ///
    /// Findings quote files and may be shown to the author of a proposed change. Links must not
    /// make them quote other files of this machine.
    pub(crate) fn around(start: &Path, named: &Path) -> Self {
        let mut boundary = Self::new([start, whole(named).unwrap_or(named)]);
        // The root of the file system would allow every file.
        boundary.0.retain(|directory| directory.parent().is_some());
        boundary
    }

    /// Returns whether a resolved path is in one of the directories.
    pub(crate) fn contains(&self, real: &Path) -> bool {
        self.0.iter().any(|directory| real.starts_with(directory))
    }

    /// Returns whether a link may be followed from a skill with this resolved directory.
    pub(crate) fn allows(&self, link: &Path, skill: &Path) -> bool {
        dunce::canonicalize(link).is_ok_and(|real| real.starts_with(skill) || self.contains(&real))
    }
}

/// Returns the repository or project that a directory is part of.
fn whole(directory: &Path) -> Option<&Path> {
    let has = |above: &Path, name: &str| fs::symlink_metadata(above.join(name)).is_ok();
    directory.ancestors().find(|above| has(above, ".git") || has(above, MANIFEST_FILE))
}
