//! Where `--fix` may write.

use crate::error::usage;
use crate::{Error, disk::RootedDir};
use helix_skills_format::__internal::MANIFEST_FILE;
use std::{
    fs,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

/// Returns the directory below which the skills at a path may be fixed.
///
/// `path` is the path as the user named it, `directory` the directory that it names, and `real` the
/// resolved one. A shell expands `skills/*` to links as well, so that a name says nothing about
/// where a link leads.
///
/// # Errors
/// A link leads out of the project or repository that the named path is in, or out of `start` if
/// there is neither. If the path is not in `start` either: the directory itself is a link.
pub(super) fn of_named(
    start: &Path,
    path: &Path,
    directory: &Path,
    real: &Path,
) -> Result<Arc<Path>, Error> {
    let resolved = |path: &Path| fs::canonicalize(path).map_err(Error::read(path));
    let start = resolved(start)?;
    let named = without_dots(&start.join(directory));
    let has = |above: &Path, name: &str| fs::symlink_metadata(above.join(name)).is_ok();
    let is_whole = |above: &&Path| has(above, ".git") || has(above, MANIFEST_FILE);
    let around = named.ancestors().find(is_whole);
    let around = around.or_else(|| named.starts_with(&start).then_some(&*start));
    // The root of the file system has no parent.
    let root = resolved(around.or_else(|| named.parent()).unwrap_or(&named))?;
    // Above a project, links belong to the user. Outside of one, the last part must not be a link.
    let is_below = match around {
        Some(_) => real.starts_with(&root),
        None => named.file_name().is_none_or(|name| real == root.join(name)),
    };
    match is_below {
        true => Ok(root.into()),
        false => Err(usage::linked_skill(path, real)),
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
