//! The directories of a commit that a source searches for skills.

use super::Place;
use crate::manifest::{Source, SourceKind};
use helix_skills_format::DirPath;

/// Directories that are never searched.
const NEVER: [&str; 5] = ["node_modules", ".git", "dist", "build", "__pycache__"];

/// Directories that are searched only below one that `skillsDir` names.
const SELDOM: [&str; 8] =
    ["test", "tests", "__tests__", "e2e", "fixtures", "testdata", "backup", "backups"];

/// Which directories below another one are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Only those directly below.
    One,
    All,
    /// Also those in skills.
    Everything,
    /// Neither hidden ones nor those for tests and backups.
    Visible,
    /// Those for tests and backups are not.
    Hidden,
}

impl Depth {
    /// Returns whether a directory of this name is searched.
    pub(crate) fn searches(self, name: &str) -> bool {
        !NEVER.contains(&name)
            && match self {
                Self::One | Self::All | Self::Everything => true,
                Self::Visible => !name.starts_with('.') && !SELDOM.contains(&name),
                Self::Hidden => !SELDOM.contains(&name),
            }
    }
}

/// Returns how likely a path is a skill that is meant to be used: 0 if it is visible, 1 if it is
/// hidden, and 2 if it is for tests or a backup.
pub(crate) fn visibility(path: &DirPath) -> usize {
    let is_searched = |depth: &Depth| path.parts().all(|part| depth.searches(part));
    [Depth::Visible, Depth::Hidden].iter().position(is_searched).unwrap_or(2)
}

/// Returns the skills of the directories that a source searches, by path. `below` returns the
/// outermost skills below a directory, or the skill in it.
///
/// These are the directories of `skillsDir`. By default, it is the directory `skills`; if that has
/// no skills, everything that is visible; and if that has none, hidden directories, too.
pub(crate) fn scope<P: Place, E>(
    source: &Source,
    mut below: impl FnMut(&DirPath, Depth) -> Result<Vec<P>, E>,
) -> Result<Vec<P>, E> {
    let SourceKind::Git { skills_dir, .. } = &source.kind else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for directory in skills_dir.iter().filter(|directory| !directory.is_root()) {
        found.extend(below(directory, Depth::All)?);
    }
    let root = DirPath::root();
    let searches_root =
        skills_dir.contains(&root) || (source.has_default_dir() && found.is_empty());
    if searches_root {
        found.extend(below(&root, Depth::Visible)?);
        if found.is_empty() {
            found.extend(below(&root, Depth::Hidden)?);
        }
    }
    found.sort_by(|a, b| a.path().cmp(b.path()));
    found.dedup_by(|a, b| a.path() == b.path());
    Ok(found)
}

/// Returns whether a source may search a directory. With the default `skillsDir`, that depends on
/// the commit.
pub(crate) fn may_search(source: &Source, path: &DirPath) -> bool {
    let SourceKind::Git { skills_dir, .. } = &source.kind else { return true };
    let is_searched = |directory: &DirPath| {
        let depth = if directory.is_root() { Depth::Hidden } else { Depth::All };
        let mut inner = path.parts().skip(directory.parts().count());
        directory.contains(path) && inner.all(|part| depth.searches(part))
    };
    skills_dir.iter().any(is_searched)
        || (source.has_default_dir() && is_searched(&DirPath::root()))
}
