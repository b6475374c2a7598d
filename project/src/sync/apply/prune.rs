//! Removing skills that left the lockfile.

use super::Leaving;
use crate::{Error, disk::RootedDir, metadata::is_no_directory, paths::listing_name, store};
use helix_skills_format::{Listing, SkillName};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Removes skills that left the lockfile: the files in their listings, or `all` files, then empty
/// directories, then the listings.
pub(super) fn prune(store: &RootedDir, leaving: &Leaving, all: bool) -> Result<(), Error> {
    let mut touched = BTreeSet::new();
    for (name, listings) in leaving {
        remove_files(store, name, listings, all, &mut touched)?;
    }
    store.sync_dirs(touched)?;
    leaving.keys().try_for_each(|name| store.remove_file(&listing_name(name)))
}

/// Removes the files of a skill, and adds the changed directories to `touched`.
fn remove_files(
    store: &RootedDir,
    name: &SkillName,
    listings: &[Listing],
    all: bool,
    touched: &mut BTreeSet<PathBuf>,
) -> Result<(), Error> {
    let inner = Path::new(name.as_str());
    let directory = store.path_to(inner);
    if is_no_directory(&directory) {
        return store.remove_file(inner);
    }
    for path in store::files_below(&directory)? {
        let listed = store::listed_name(&path);
        let is_listed =
            listed.is_some_and(|name| listings.iter().any(|listing| listing.get(&name).is_some()));
        if all || is_listed || store::is_ignored(&path) {
            let path = inner.join(path);
            store.remove_file(&path)?;
            touched.extend(path.parent().map(Path::to_owned));
        }
    }
    remove_empty_below(store, inner, &Listing::default());
    Ok(())
}

/// Removes the directory `inner` of the store and all directories below it that are empty, except
/// parents of files in `keep`.
pub(super) fn remove_empty_below(store: &RootedDir, inner: &Path, keep: &Listing) {
    let mut directories = vec![inner.to_owned()];
    let mut at = 0;
    while at < directories.len() {
        let entries = fs::read_dir(store.path_to(&directories[at])).into_iter().flatten().flatten();
        let below: Vec<PathBuf> = entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .map(|entry| directories[at].join(entry.file_name()))
            .collect();
        directories.extend(below);
        at += 1;
    }
    let is_kept = |directory: &Path| {
        let mut kept = keep.iter().filter_map(|(path, _)| Path::new(path.as_str()).parent());
        kept.any(|parent| inner.join(parent).starts_with(directory))
    };
    for empty in directories.iter().rev() {
        let entries = fs::read_dir(store.path_to(empty));
        if entries.is_ok_and(|mut entries| entries.next().is_none()) && !is_kept(empty) {
            store.remove_empty_dir(empty);
        }
    }
}
