//! An open directory of skills, and all changes in it.
//!
//! A change is prepared in a directory `.PROGRAM.staging` next to the skills, and takes effect by
//! renames. After a kill, [`SkillsDir::repair`] moves back what was moved away.

use super::{
    point::point,
    record::{Record, Skills, Written},
};
use crate::{Error, error::Problem, skill_contents::SkillContents};
use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, OpenOptions};
use helix_skills_format::{__internal::is_inert_leftover, Digest, Integrity, Listing, RelPath};
use std::{
    cell::OnceCell,
    collections::BTreeMap,
    ffi::OsString,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

/// Maximum size of a record in bytes.
const MAX_RECORD_BYTES: u64 = 4 << 20;

/// Maximum number of files in a skill that is there. With more, it counts as edited.
const MAX_FILES: usize = 100_000;

/// Maximum depth of its directories.
const MAX_DEPTH: u64 = 64;

/// Maximum number of entries that cannot be read, after which reading a directory stops.
const MAX_OTHERS: usize = 100;

/// Directories in the staging directory.
const NEW: &str = "new";
const OLD: &str = "old";

pub(super) struct SkillsDir {
    dir: Dir,
    /// For messages.
    path: PathBuf,
    record: String,
    staging: String,
    /// The names of the entries by their lower-case form, read on first use.
    names: OnceCell<BTreeMap<String, Vec<OsString>>>,
}

/// What is at the place of a skill.
pub(super) enum Found {
    Missing,
    /// A directory.
    Copy(Tree),
    /// A symbolic link with this target, separated by `/`.
    Link(String),
    /// A file, an entry whose name differs in case, or a directory that cannot be read.
    Other,
}

/// The files of a directory. Inert leftovers, such as `.DS_Store`, are left out.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) files: Vec<(RelPath, Digest)>,
    /// Paths of entries that no skill can have, such as links, or that cannot be read.
    pub(super) others: Vec<String>,
}

impl Tree {
    /// Returns the digest of the listing, unless there are others.
    pub(super) fn integrity(&self) -> Option<Integrity> {
        let listing = || Listing::from_digests(self.files.iter().cloned()).integrity();
        self.others.is_empty().then(listing)
    }
}

/// A change of one skill.
pub(super) struct Step<'a> {
    pub(super) name: &'a str,
    /// Whether what is there is moved away first. Otherwise, the step fails if something appears
    /// meanwhile.
    pub(super) replaces: bool,
    pub(super) action: Action<'a>,
}

pub(super) enum Action<'a> {
    /// Writes a directory with these files.
    Place(&'a SkillContents<'a>, Integrity),
    /// Creates a link with this target, or writes a directory if links do not work here.
    Link(String, &'a SkillContents<'a>, Integrity),
    /// Removes what is there.
    Remove,
}

impl SkillsDir {
    pub(super) fn new(dir: Dir, path: PathBuf, program: &str) -> Self {
        let (record, staging) = (format!(".{program}.json"), format!(".{program}.staging"));
        Self { dir, path, record, staging, names: OnceCell::new() }
    }

    /// Returns whether the program has a record here.
    pub(super) fn has_record(&self) -> bool {
        self.dir.symlink_metadata(&self.record).is_ok()
    }

    /// Reads the record of the program.
    pub(super) fn read_record(&self) -> Result<Record, Error> {
        if !self.has_record() {
            return Ok(Record::default());
        }
        let path = self.path.join(&self.record);
        let bytes = read_file(&self.dir, Path::new(&self.record), MAX_RECORD_BYTES)
            .map_err(|source| Problem::Read { source }.at(&path))?;
        Record::parse(&bytes, &path)
    }

    /// Returns what is at the place of the skill `name`, before any [`apply`](Self::apply).
    pub(super) fn find(&self, name: &str) -> Result<Found, Error> {
        let found = || -> io::Result<Found> {
            match self.entries(name)? {
                [] => return Ok(Found::Missing),
                entries if entries.iter().any(|entry| entry == name) => {}
                _ => return Ok(Found::Other),
            }
            let metadata = self.dir.symlink_metadata(name)?;
            if metadata.is_symlink() {
                let target = self.dir.read_link_contents(name)?;
                return Ok(Found::Link(target.to_string_lossy().replace('\\', "/")));
            }
            if !metadata.is_dir() {
                return Ok(Found::Other);
            }
            let (mut tree, dir) = (Tree::default(), self.dir.open_dir_nofollow(name));
            match dir.and_then(|dir| walk(&dir, "", 1, &mut tree)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Missing),
                // Not readable for this user, for example.
                Err(_) => Ok(Found::Other),
                Ok(()) => Ok(Found::Copy(tree)),
            }
        };
        match found() {
            // In a dry run, another process may be replacing it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Missing),
            found => found.map_err(|source| Problem::Read { source }.at(self.path.join(name))),
        }
    }

    /// Returns the entries whose names are equal to `name` without regard to case.
    fn entries(&self, name: &str) -> io::Result<&[OsString]> {
        let names = match self.names.get() {
            Some(names) => names,
            None => {
                let mut names: BTreeMap<_, Vec<_>> = BTreeMap::new();
                for entry in self.dir.entries()? {
                    let name = entry?.file_name();
                    names.entry(name.to_string_lossy().to_lowercase()).or_default().push(name);
                }
                self.names.get_or_init(|| names)
            }
        };
        Ok(names.get(&name.to_lowercase()).map(Vec::as_slice).unwrap_or_default())
    }

    /// Reads a file of an installed skill, up to `limit` bytes.
    pub(super) fn read_file(&self, name: &str, path: &str, limit: u64) -> io::Result<Vec<u8>> {
        let mut dir = self.dir.open_dir_nofollow(name)?;
        let path = Path::new(path);
        for part in path.parent().into_iter().flat_map(Path::components) {
            dir = dir.open_dir_nofollow(part.as_os_str())?;
        }
        read_file(&dir, Path::new(path.file_name().unwrap_or_default()), limit)
    }

    /// Undoes what a killed process has left half done: moves back what it had moved away, and
    /// removes what it had prepared.
    pub(super) fn repair(&self, record: &Record) -> Result<(), Error> {
        let repaired = || -> io::Result<()> {
            if self.dir.symlink_metadata(&self.staging).is_err() {
                return Ok(());
            }
            if let Ok(old) =
                self.dir.open_dir_nofollow(&self.staging).and_then(|it| it.open_dir_nofollow(OLD))
            {
                for entry in old.entries()? {
                    let name = entry?.file_name();
                    let is_known =
                        name.to_str().is_some_and(|name| record.skills.contains_key(name));
                    if is_known && self.dir.symlink_metadata(&name).is_err() {
                        point()?;
                        old.rename(&name, &self.dir, &name)?;
                    }
                }
            }
            remove_tree(&self.dir, Path::new(&self.staging))
        };
        repaired().map_err(|source| Problem::Install { source }.at(self.path.join(&self.staging)))
    }

    /// Makes changes, and writes the record `after` with them. For skills that change, `after` has
    /// what was written before. `leads_to_copy` returns whether a new link works. Returns the
    /// skills that were copied because a link does not.
    ///
    /// If a change fails, those before it are complete, and the next [`repair`](Self::repair)
    /// cleans up.
    pub(super) fn apply(
        &self,
        record: &Record,
        after: Record,
        steps: &[Step<'_>],
        leads_to_copy: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>, Error> {
        if steps.is_empty() && *record == after {
            return Ok(Vec::new());
        }
        let applied = self.try_apply(after, steps, leads_to_copy);
        applied.map_err(|(name, source)| {
            // The next run repeats this if it fails.
            let _ = self.read_record().and_then(|record| self.repair(&record));
            Problem::Install { source }.at(self.path.join(name))
        })
    }

    fn try_apply<'s>(
        &self,
        mut after: Record,
        steps: &'s [Step<'_>],
        leads_to_copy: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>, (&'s str, io::Error)> {
        let [staging, new, old] = self.create_staging().map_err(|error| ("", error))?;
        let mut pending = Skills::new();
        for Step { name, action, .. } in steps {
            let written = match action {
                Action::Place(contents, integrity) => {
                    write_tree(&new, contents).map_err(|error| (*name, error))?;
                    Written::Copy(*integrity)
                }
                Action::Link(target, ..) => Written::Link(target.clone()),
                Action::Remove => continue,
            };
            pending.insert((*name).to_owned(), written);
        }
        let before = Record { skills: after.skills.clone(), pending };
        if !before.pending.is_empty() {
            self.write_record(&staging, &before).map_err(|error| ("", error))?;
        }
        let mut copied = Vec::new();
        for Step { name, replaces, action } in steps {
            let mut written = || -> io::Result<Option<Written>> {
                if *replaces {
                    point()?;
                    self.dir.rename(name, &old, name)?;
                }
                match action {
                    Action::Place(_, integrity) => {
                        point()?;
                        new.rename(name, &self.dir, name)?;
                        Ok(Some(Written::Copy(*integrity)))
                    }
                    Action::Link(target, contents, integrity) => {
                        if self.link(target, name)? {
                            if leads_to_copy(name) {
                                return Ok(Some(Written::Link(target.clone())));
                            }
                            point()?;
                            match self.dir.remove_file_or_symlink(name) {
                                // A system without links may make one that is not there.
                                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                                removed => removed?,
                            }
                        }
                        write_tree(&new, contents)?;
                        point()?;
                        new.rename(name, &self.dir, name)?;
                        copied.push((*name).to_owned());
                        Ok(Some(Written::Copy(*integrity)))
                    }
                    Action::Remove => Ok(None),
                }
            };
            match written().map_err(|error| (*name, error))? {
                Some(written) => after.skills.insert((*name).to_owned(), written),
                None => after.skills.remove(*name),
            };
        }
        let finish = || -> io::Result<()> {
            // A power failure must not keep the record without the renames.
            #[cfg(unix)]
            {
                point()?;
                // Some file systems cannot sync directories.
                let _ = self.dir.open(".").and_then(|dir| dir.sync_all());
            }
            if after.skills.is_empty() {
                if self.has_record() {
                    point()?;
                    self.dir.remove_file_or_symlink(&self.record)?;
                }
            } else {
                self.write_record(&staging, &after)?;
            }
            // Windows does not remove open directories.
            drop((staging, new, old));
            remove_tree(&self.dir, Path::new(&self.staging))
        };
        finish().map_err(|error| ("", error))?;
        Ok(copied)
    }

    /// Creates a link to a directory. Returns `false` if that is not possible here.
    fn link(&self, target: &str, name: &str) -> io::Result<bool> {
        point()?;
        let target: PathBuf = target.split('/').collect();
        match self.dir.symlink_dir(&target, name) {
            Ok(()) => Ok(true),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
                ) || cfg!(windows) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Creates the staging directory, which [`repair`](Self::repair) has removed, and returns it
    /// with the directories in it.
    fn create_staging(&self) -> io::Result<[Dir; 3]> {
        point()?;
        self.dir.create_dir(&self.staging)?;
        let staging = self.dir.open_dir_nofollow(&self.staging)?;
        point()?;
        staging.create_dir(NEW)?;
        point()?;
        staging.create_dir(OLD)?;
        let (new, old) = (staging.open_dir_nofollow(NEW)?, staging.open_dir_nofollow(OLD)?);
        Ok([staging, new, old])
    }

    fn write_record(&self, staging: &Dir, record: &Record) -> io::Result<()> {
        write_file(staging, Path::new(&self.record), &[record.to_text().as_bytes()], false)?;
        point()?;
        staging.rename(&self.record, &self.dir, &self.record)
    }
}

/// Collects the files of a directory. What cannot be read is one of the `others`.
fn walk(dir: &Dir, prefix: &str, depth: u64, tree: &mut Tree) -> io::Result<()> {
    for entry in dir.entries()? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let text = name.to_string_lossy();
        let path = if prefix.is_empty() { text.to_string() } else { format!("{prefix}/{text}") };
        if is_inert_leftover(&path) {
            continue;
        }
        let is_readable = match RelPath::new(path.clone()) {
            Err(_) => false,
            _ if tree.files.len() >= MAX_FILES || depth > MAX_DEPTH => false,
            Ok(_) if kind.is_dir() => dir
                .open_dir_nofollow(&name)
                .and_then(|dir| walk(&dir, &path, depth + 1, tree))
                .is_ok(),
            Ok(file) if kind.is_file() && name.to_str().is_some() => {
                let digest = open_file(dir, Path::new(&name))
                    .and_then(|mut file| Digest::hash_reader(&mut file));
                digest.map(|digest| tree.files.push((file, digest))).is_ok()
            }
            Ok(_) => false,
        };
        if !is_readable {
            tree.others.push(path);
            if tree.others.len() >= MAX_OTHERS {
                break;
            }
        }
    }
    Ok(())
}

/// Opens a regular file, without following a link or waiting for the other end of a pipe.
fn open_file(dir: &Dir, name: &Path) -> io::Result<cap_std::fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    let file = dir.open_with(name, &options)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

fn read_file(dir: &Dir, name: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(dir, name)?.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(io::Error::other(format!("it is larger than {limit} bytes"))),
        false => Ok(bytes),
    }
}

/// Writes the directory of a skill.
fn write_tree(parent: &Dir, contents: &SkillContents<'_>) -> io::Result<()> {
    point()?;
    parent.create_dir(contents.name)?;
    let dir = parent.open_dir_nofollow(contents.name)?;
    for (path, pieces) in &contents.files {
        if let Some((above, _)) = path.rsplit_once('/') {
            point()?;
            dir.create_dir_all(above)?;
        }
        write_file(&dir, Path::new(path), pieces, SkillContents::is_executable(path))?;
    }
    Ok(())
}

/// Writes a new file.
fn write_file(dir: &Dir, path: &Path, pieces: &[&[u8]], executable: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, if executable { 0o777 } else { 0o666 });
    #[cfg(not(unix))]
    let _ = executable;
    point()?;
    let mut file = dir.open_with(path, &options)?;
    for piece in pieces {
        file.write_all(piece)?;
    }
    point()?;
    file.sync_all()
}

/// Removes a directory with its contents, or a file or link. Does not follow links.
fn remove_tree(above: &Dir, name: &Path) -> io::Result<()> {
    if !above.symlink_metadata(name)?.is_dir() {
        point()?;
        return above.remove_file_or_symlink(name);
    }
    let dir = above.open_dir_nofollow(name)?;
    for entry in dir.entries()? {
        remove_tree(&dir, Path::new(&entry?.file_name()))?;
    }
    drop(dir);
    point()?;
    above.remove_dir(name)
}
