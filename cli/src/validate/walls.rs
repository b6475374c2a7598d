//! How far links lead that are followed.

use helix_skills_format::MANIFEST_FILE;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What links of a skill may not lead out of: where the program runs, and the repository or project that was named.
///
/// Whoever validates what others propose, and shows what is told, must not show them files of this machine; and some of those
/// never end.
#[derive(Debug)]
pub(super) struct Walls(Vec<PathBuf>);

impl Walls {
    /// Around the working directory `start`, and what `directory` is part of.
    pub(super) fn around(start: &Path, directory: &Path) -> Self {
        let real = |path: &Path| fs::canonicalize(path).ok();
        let named = real(directory);
        let has = |above: &&Path, name: &str| fs::symlink_metadata(above.join(name)).is_ok();
        let is_whole = |above: &&Path| has(above, ".git") || has(above, MANIFEST_FILE);
        let whole = named.as_deref().and_then(|named| named.ancestors().find(is_whole)).map(Path::to_owned);
        // The root of all files is no wall.
        let walls = [real(start), whole.or(named)].into_iter().flatten();
        Self(walls.filter(|wall| wall.parent().is_some()).collect())
    }

    /// Whether something lies inside of them, or of the directory of its skill.
    pub(super) fn hold(&self, path: &Path, skill: &Path) -> bool {
        let Ok(real) = fs::canonicalize(path) else { return false };
        self.0.iter().any(|wall| real.starts_with(wall))
            || fs::canonicalize(skill).is_ok_and(|own| real.starts_with(own))
    }
}
