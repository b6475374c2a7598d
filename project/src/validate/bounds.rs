//! How far symbolic links are followed, and where `--fix` may write.

use crate::{Error, disk::RootedDir};
use helix_skills_format::__internal::MANIFEST_FILE;
use std::{
    fs,
    path::{Component, Path, PathBuf},
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

/// Returns the directory below which the skills at a path may be fixed.
///
/// `path` is the path as the user named it, `directory` the directory that it names, and `real` the
/// resolved one. A shell expands `skills/*` to links as well, so that a name says nothing about
/// where a link leads.
///
/// # Errors
/// A link leads out of the project or repository that the named path is in, or out of `start` if
/// there is neither. If the path is not in `start` either: the directory itself is a link.
pub(super) fn fix_root(
    start: &Path,
    path: &Path,
    directory: &Path,
    real: &Path,
) -> Result<PathBuf, Error> {
    let resolved = |path: &Path| dunce::canonicalize(path).map_err(Error::read(path));
    let start = resolved(start)?;
    let named = without_dots(&start.join(directory));
    let around = whole(&named).or_else(|| named.starts_with(&start).then_some(&*start));
    // The root of the file system has no parent.
    let root = resolved(around.or_else(|| named.parent()).unwrap_or(&named))?;
    // Above a project, links belong to the user. Outside of one, the last part must not be a link.
    let is_below = match around {
        Some(_) => real.starts_with(&root),
        None => named.file_name().is_none_or(|name| real == root.join(name)),
    };
    match is_below {
        true => Ok(root),
        false => Err(Error::usage(
            format!("cannot fix `{}`: a link leads out of the project", path.display()),
            format!("pass `{}`, or validate it without `--fix`", real.display()),
        )),
    }
}

/// Opens the directory of a skill without following a link below `root`.
pub(super) fn open_below(root: &Path, real: &Path) -> Result<RootedDir, Error> {
    let opened = RootedDir::open(root)?;
    match real.strip_prefix(root) {
        Ok(inner) if !inner.as_os_str().is_empty() => opened.open_dir(inner),
        _ => Ok(opened),
    }
}

/// Removes `.` and `..` from an absolute path without resolving links.
fn without_dots(path: &Path) -> PathBuf {
    let mut without = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(without.pop()),
            part => without.push(part),
        }
    }
    without
}
