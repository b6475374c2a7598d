//! Installing one skill in the store.

use super::prune::{remove_empty_below, sync_dirs};
use crate::{
    Error,
    contents::SourceFile,
    disk,
    metadata::{is_executable, is_no_directory},
    paths::ProjectPaths,
    store,
    sync::plan::Arrival,
};
use helix_skills_format::{Listing, SkillName};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The changes that install one skill in the store.
pub(super) struct InstallPlan {
    pub(super) listing: Listing,
    pub(super) contents: crate::contents::Contents,
    pub(super) cache: bool,
    /// Files to write: the index in `contents`, and the staged path.
    pub(super) write: Vec<(usize, PathBuf)>,
    /// Files of the store that do not belong to the skill.
    remove: Vec<PathBuf>,
    /// Whether the path of the skill's directory is a link or a file.
    blocked: bool,
    /// Whether the listing has to be written.
    writes_listing: bool,
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
        let contents = arrival.contents.unwrap_or_default();
        let blocked = is_no_directory(&directory);
        let found =
            if blocked || makes_room { Vec::new() } else { store::files_below(&directory)? };
        let paths: BTreeSet<&str> =
            contents.files().iter().map(|file| file.path.as_str()).collect();
        let listed = store::read_listing(&project.listing(name))?.flatten();
        // An earlier sync wrote these. Other leftovers of editors and systems are ignored.
        let is_listed =
            |name: &str| listed.as_ref().is_some_and(|listing| listing.get(name).is_some());
        let (mut present, mut remove) = (BTreeSet::new(), Vec::new());
        for path in found {
            match store::listed_name(&path) {
                Some(name) if paths.contains(name.as_str()) => drop(present.insert(name)),
                Some(name) if store::is_ignored(&path) && !is_listed(&name) => {}
                _ => remove.push(path),
            }
        }
        // By exact name and without links: files under other names are removed.
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
        let writes_listing = makes_room || listed.as_ref() != Some(&arrival.listing);
        Ok(Self {
            write,
            remove,
            blocked,
            writes_listing,
            modes,
            listing: arrival.listing,
            cache: arrival.cache,
            contents,
        })
    }

    pub(super) fn has_work(&self) -> bool {
        !self.write.is_empty()
            || !self.remove.is_empty()
            || self.blocked
            || self.writes_listing
            || self.modes
    }

    /// Removes files that do not belong to the skill, moves the staged files into place, and writes
    /// the listing. Returns the written files.
    pub(super) fn install(
        &self,
        project: &ProjectPaths,
        staging: &Path,
        name: &SkillName,
    ) -> Result<Vec<PathBuf>, Error> {
        let directory = project.skill_dir(name);
        let mut wrote = Vec::new();
        if self.blocked {
            disk::remove_file(&directory)?;
        }
        // First, because a file may have the path of a new directory, and the other way round.
        let mut touched = BTreeSet::new();
        for path in &self.remove {
            let path = directory.join(path);
            disk::remove_file(&path)?;
            touched.extend(path.parent().map(Path::to_owned));
        }
        // The files of `path` sources are not copied.
        let empty = Listing::default();
        remove_empty_below(
            &directory,
            if self.contents.files().is_empty() { &empty } else { &self.listing },
        );
        for (at, staged) in &self.write {
            let path = directory.join(self.contents.files()[*at].path.as_str());
            if let Some(parent) = path.parent() {
                touched.extend(disk::create_dir(parent)?);
                touched.insert(parent.to_owned());
            }
            if path.is_dir() {
                disk::remove_tree(&path)?;
            }
            disk::rename(staged, &path)?;
            wrote.push(path);
        }
        for file in self.contents.files() {
            disk::make_executable(&directory.join(file.path.as_str()), file.executable)?;
        }
        sync_dirs(&touched)?;
        if self.writes_listing {
            let path = project.listing(name);
            disk::replace_via(
                &staging.join("listing"),
                &path,
                self.listing.to_string().as_bytes(),
            )?;
            wrote.push(path);
        }
        Ok(wrote)
    }
}
