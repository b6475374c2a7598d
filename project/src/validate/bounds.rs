//! How far symbolic links are followed.

use helix_skills_format::__internal::MANIFEST_FILE;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The resolved directories that links of a skill may lead into, in addition to its own.
///
/// Findings quote files and may be shown to the author of a proposed change. Links must not make
/// them quote other files of this machine.
#[derive(Debug)]
pub(super) struct LinkBoundary(Vec<PathBuf>);

impl LinkBoundary {
    /// Allows the working directory `start`, and the repository or project that the resolved
    /// directory `named` is part of.
    pub(super) fn around(start: &Path, named: &Path) -> Self {
        let whole = whole(named).unwrap_or(named).to_owned();
        let directories = [dunce::canonicalize(start).ok(), Some(whole)].into_iter().flatten();
        // The root of the file system would allow every file.
        Self(directories.filter(|directory| directory.parent().is_some()).collect())
    }

    /// Returns whether a link may be followed from a skill with this resolved directory.
    pub(super) fn allows(&self, link: &Path, skill: &Path) -> bool {
        let Ok(real) = dunce::canonicalize(link) else { return false };
        real.starts_with(skill) || self.0.iter().any(|directory| real.starts_with(directory))
    }
}

/// Returns the repository or project that a directory is part of.
fn whole(directory: &Path) -> Option<&Path> {
    let has = |above: &Path, name: &str| fs::symlink_metadata(above.join(name)).is_ok();
    directory.ancestors().find(|above| has(above, ".git") || has(above, MANIFEST_FILE))
}
