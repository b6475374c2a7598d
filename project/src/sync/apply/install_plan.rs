//! Installing one skill in the store.

use super::prune::remove_empty_below;
use crate::{
    Error,
    contents::SourceFile,
    disk::RootedDir,
    metadata::{is_executable, is_no_directory},
    paths::{ProjectPaths, listing_name},
    plan::Arrival,
    store,
};
use helix_skills_format::{Listing, SkillName};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The changes that install one skill in the store.
pub(super) struct InstallPlan {
    pub(super) arrival: Arrival,
    /// The listing in the store, if there is one; the inner value is `None` if it is invalid.
    pub(super) listed: Option<Option<Listing>>,
    /// Files to write: the index in the contents, and the staged path in the store.
    pub(super) write: Vec<(usize, PathBuf)>,
    /// Files of the store that do not belong to the skill.
    remove: Vec<PathBuf>,
    /// Whether the path of the skill's directory is a link or a file.
    blocked: bool,
    /// Whether the listing has to be written.
    pub(super) writes_listing: bool,
    /// The path of the staged listing in the store.
    pub(super) staged_listing: Option<PathBuf>,
    /// Whether the executable bits of an unchanged file differ.
    modes: bool,
}

impl InstallPlan {
    /// Compares the store with a skill. With `makes_room`, another skill is in the directory, which
    /// is removed before this one is installed.
    pub(super) fn new(
        project: &ProjectPaths,
        name: &SkillName,
        arrival: Arrival,
        makes_room: bool,
    ) -> Result<Self, Error> {
        let directory = project.skill_dir(name);
        let contents = &arrival.contents;
        let blocked = is_no_directory(&directory);
        let found =
            if blocked || makes_room { Vec::new() } else { store::files_below(&directory)? };
        let paths: BTreeSet<&str> =
            contents.files().iter().map(|file| file.path.as_str()).collect();
        let listed = store::read_listing(&project.listing(name))?;
        let known = listed.as_ref().and_then(Option::as_ref);
        // An earlier sync wrote these. Other leftovers of editors and systems are ignored.
        let is_listed = |name: &str| known.is_some_and(|listing| listing.get(name).is_some());
        let (mut present, mut remove) = (BTreeSet::new(), Vec::new());
        for path in found {
            match store::listed_name(&path) {
                Some(name) if paths.contains(name.as_str()) => drop(present.insert(name)),
                Some(name) if store::is_ignored(&path) && !is_listed(&name) => {}
                _ => remove.push(path),
            }
        }
        // Compares exact names and follows no links. Files under other names are removed.
        let is_current = |file: &SourceFile| {
            let path = directory.join(file.path.as_str());
            present.contains(file.path.as_str())
                && fs::symlink_metadata(&path).is_ok_and(|metadata| {
                    metadata.is_file() && metadata.len() == file.bytes.len() as u64
                })
                && fs::read(&path).is_ok_and(|found| found == file.bytes)
        };
        let (unchanged, new): (Vec<_>, Vec<_>) =
            contents.files().iter().enumerate().partition(|(_, file)| is_current(file));
        let modes = unchanged.iter().any(|(_, file)| {
            let metadata = fs::metadata(directory.join(file.path.as_str()));
            metadata.is_ok_and(|metadata| is_executable(&metadata) != file.executable)
        });
        let write = new.into_iter().map(|(at, _)| (at, PathBuf::new())).collect();
        let writes_listing = makes_room || known != Some(&arrival.listing);
        let staged_listing = None;
        Ok(Self { arrival, listed, write, remove, blocked, writes_listing, staged_listing, modes })
    }

    pub(super) fn has_work(&self) -> bool {
        !self.write.is_empty()
            || !self.remove.is_empty()
            || self.blocked
            || self.writes_listing
            || self.modes
    }

    /// Removes files that do not belong to the skill, and moves the staged files into place. Adds
    /// the written files to `wrote`, and the changed directories to `touched`.
    pub(super) fn install_files(
        &self,
        store: &RootedDir,
        name: &SkillName,
        wrote: &mut Vec<PathBuf>,
        touched: &mut BTreeSet<PathBuf>,
    ) -> Result<(), Error> {
        let directory = Path::new(name.as_str());
        if self.blocked {
            store.remove_file(directory)?;
        }
        // These are removed first, because a file may have the path of a new directory, or a
        // directory that of a new file.
        for path in &self.remove {
            let path = directory.join(path);
            store.remove_file(&path)?;
            touched.extend(path.parent().map(Path::to_owned));
        }
        // The files of `path` sources are not copied.
        let empty = Listing::default();
        let Arrival { listing, contents, .. } = &self.arrival;
        let is_copied = !contents.files().is_empty();
        remove_empty_below(store, directory, if is_copied { listing } else { &empty });
        for (at, staged) in &self.write {
            let path = directory.join(contents.files()[*at].path.as_str());
            if let Some(parent) = path.parent() {
                let created = store.create_dir(parent)?;
                if created.is_empty() && store.is_dir(&path) {
                    store.remove_tree(&path)?;
                }
                touched.extend(created);
                touched.insert(parent.to_owned());
            }
            store.rename(staged, &path)?;
            wrote.push(store.path_to(&path));
        }
        let new: BTreeSet<usize> = self.write.iter().map(|(at, _)| *at).collect();
        for (at, file) in contents.files().iter().enumerate() {
            // A new file is not executable.
            if new.contains(&at) && !file.executable {
                continue;
            }
            store.make_executable(&directory.join(file.path.as_str()), file.executable)?;
        }
        Ok(())
    }

    /// Moves the staged listing into place, when the files of the skill are durable.
    pub(super) fn install_listing(
        &self,
        store: &RootedDir,
        name: &SkillName,
        wrote: &mut Vec<PathBuf>,
    ) -> Result<(), Error> {
        let Some(staged) = &self.staged_listing else { return Ok(()) };
        let listing = listing_name(name);
        store.rename(staged, &listing)?;
        wrote.push(store.path_to(&listing));
        Ok(())
    }
}
