//! Removing skills that left the lockfile.

use crate::{Error, disk, metadata::is_no_directory, paths::ProjectPaths, store};
use helix_skills_format::{Listing, SkillName};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Makes changes in these directories durable, except in those that were removed since.
pub(super) fn sync_dirs(directories: &BTreeSet<PathBuf>) -> Result<(), Error> {
    directories
        .iter()
        .filter(|directory| directory.is_dir())
        .try_for_each(|directory| disk::sync_dir(directory))
}

/// Removes a skill that left the lockfile: the files in its listings, or `all` files, then empty
/// directories, then the listing.
pub(super) fn prune(
    project: &ProjectPaths,
    name: &SkillName,
    listings: &[Listing],
    all: bool,
) -> Result<(), Error> {
    let directory = project.skill_dir(name);
    if is_no_directory(&directory) {
        disk::remove_file(&directory)?;
    } else {
        let mut touched = BTreeSet::new();
        for path in store::files_below(&directory)? {
            let listed = store::listed_name(&path);
            let is_listed = listed
                .is_some_and(|name| listings.iter().any(|listing| listing.get(&name).is_some()));
            if all || is_listed || store::is_ignored(&path) {
                let path = directory.join(path);
                disk::remove_file(&path)?;
                touched.extend(path.parent().map(Path::to_owned));
            }
        }
        remove_empty_below(&directory, &Listing::default());
        sync_dirs(&touched)?;
    }
    disk::remove_file(&project.listing(name))
}

/// Removes `directory` and all directories below it that are empty, except parents of files in
/// `keep`.
pub(super) fn remove_empty_below(directory: &Path, keep: &Listing) {
    let mut directories = vec![directory.to_owned()];
    let mut at = 0;
    while at < directories.len() {
        let entries = fs::read_dir(&directories[at]).into_iter().flatten().flatten();
        directories.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
        at += 1;
    }
    let kept: BTreeSet<PathBuf> = keep
        .iter()
        .flat_map(|(path, _)| {
            directory
                .join(path.as_str())
                .ancestors()
                .skip(1)
                .map(Path::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    for empty in directories.iter().rev().filter(|path| !kept.contains(*path)) {
        if fs::read_dir(empty).is_ok_and(|mut entries| entries.next().is_none()) {
            disk::remove_empty_dir(empty);
        }
    }
}
