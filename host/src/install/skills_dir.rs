//! An open directory of skills, and all changes in it.
//!
//! A change is prepared in a directory next to the skills, and takes effect by renames. The name of
//! that directory is random, and is first written to the file `.PROGRAM.pending`. After a kill,
//! [`SkillsDir::repair`] reads it there, and moves back what was moved away.

use super::{
    brought::BroughtSkill,
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
    hash::{BuildHasher as _, Hasher as _, RandomState},
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
    /// The file with the name of the staging directory.
    pending: String,
    /// The beginning of that name, before random hexadecimal digits.
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

impl Found {
    /// Returns what a record has for this; `None` if it cannot be what a program has written.
    pub(super) fn written(&self) -> Option<Written> {
        match self {
            Self::Copy(tree) => tree.integrity().map(Written::Copy),
            Self::Link(target) => Some(Written::Link(target.clone())),
            Self::Missing | Self::Other => None,
        }
    }
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
    /// What is moved away first, unless it was changed meanwhile. If `None`, the step fails if
    /// something appears meanwhile.
    pub(super) replaces: Option<Found>,
    pub(super) action: Action<'a>,
}

pub(super) enum Action<'a> {
    /// Writes a directory with these files, or creates a link with this target if there is one, and
    /// links work here.
    Write(&'a BroughtSkill<'a>, Option<String>),
    /// Removes what is there.
    Remove,
}

/// The skills for which a change was not made as planned.
#[derive(Default)]
pub(super) struct Deviations {
    /// Copied, because a link does not work.
    pub(super) copied: Vec<String>,
    /// Kept, because they were changed meanwhile.
    pub(super) kept: Vec<String>,
}

impl SkillsDir {
    pub(super) fn new(dir: Dir, path: PathBuf, program: &str) -> Self {
        let [record, pending, staging] =
            [".json", ".pending", ".staging-"].map(|suffix| format!(".{program}{suffix}"));
        Self { dir, path, record, pending, staging, names: OnceCell::new() }
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
            inspect(&self.dir, name)
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
    ///
    /// # Errors
    /// If something moved away can be neither moved back nor removed, because it was not written by
    /// this program, and something else is in its place.
    pub(super) fn repair(&self, record: &Record) -> Result<(), Error> {
        let is_written = |dir: &Dir, name: &str| {
            let written = inspect(dir, name).ok().and_then(|found| found.written());
            written.is_some_and(|written| record.has(name, &written))
        };
        let repaired = || -> io::Result<()> {
            let Some(staging) = self.pending_staging()? else { return Ok(()) };
            if let Ok(old) =
                self.dir.open_dir_nofollow(&staging).and_then(|it| it.open_dir_nofollow(OLD))
            {
                for entry in old.entries()? {
                    let name = entry?.file_name();
                    let name = name.to_string_lossy();
                    // The removal of an unknown skill was complete.
                    let is_removed = !record.knows(&name) || self.put_back(&old, &name)?;
                    if !is_removed && !is_written(&self.dir, &name) && !is_written(&old, &name) {
                        return Err(occupied(&format!("{staging}/{OLD}/{name}")));
                    }
                }
            }
            if self.dir.symlink_metadata(&staging).is_ok() {
                point()?;
                self.dir.remove_dir_all(&staging)?;
            }
            point()?;
            self.dir.remove_file(&self.pending)
        };
        repaired().map_err(|source| Problem::Install { source }.at(self.path.join(&self.pending)))
    }

    /// Returns the name of the staging directory of a killed process.
    fn pending_staging(&self) -> io::Result<Option<String>> {
        if self.dir.symlink_metadata(&self.pending).is_err() {
            return Ok(None);
        }
        let bytes = read_file(&self.dir, Path::new(&self.pending), 1 << 10)?;
        let text = String::from_utf8_lossy(&bytes);
        // A name that is cut off was never used.
        let is_ours = match text.strip_prefix(&*self.staging) {
            Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
            None => self.staging.starts_with(&*text),
        };
        let invalid =
            || io::Error::other("it is not the name of a staging directory: move it away");
        is_ours.then(|| Some(text.into_owned())).ok_or_else(invalid)
    }

    /// Moves away what is at the place of a skill, and returns whether it was `expected` or is
    /// missing. Otherwise, it is moved back.
    fn move_away(&self, old: &Dir, name: &str, expected: Option<Written>) -> io::Result<bool> {
        point()?;
        match self.dir.rename(name, old, name) {
            // A system without links may make one that is not there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            renamed => renamed?,
        }
        if inspect(old, name)?.written() == expected {
            return Ok(true);
        }
        if self.put_back(old, name)? { Ok(false) } else { Err(occupied(name)) }
    }

    /// Moves a skill back. Returns `false` if its place is not free.
    fn put_back(&self, old: &Dir, name: &str) -> io::Result<bool> {
        if self.dir.symlink_metadata(name).is_ok() {
            return Ok(false);
        }
        point()?;
        old.rename(name, &self.dir, name).map(|()| true)
    }

    /// Makes changes, and writes the record `after` with them. For skills that change, `after` has
    /// what was written before. `leads_to_copy` returns whether a new link works. A skill that is
    /// no longer what was found is kept.
    ///
    /// If a change fails, those before it are complete, and the next [`repair`](Self::repair)
    /// cleans up.
    pub(super) fn apply(
        &self,
        record: &Record,
        after: Record,
        steps: &[Step<'_>],
        leads_to_copy: &dyn Fn(&str) -> bool,
    ) -> Result<Deviations, Error> {
        if steps.is_empty() && *record == after {
            return Ok(Deviations::default());
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
    ) -> Result<Deviations, (&'s str, io::Error)> {
        let (staging_name, [staging, new, old]) =
            self.create_staging().map_err(|error| ("", error))?;
        let mut pending = Skills::new();
        for Step { name, action, .. } in steps {
            let written = match action {
                Action::Write(_, Some(target)) => Written::Link(target.clone()),
                Action::Write(skill, None) => {
                    write_tree(&new, &skill.contents).map_err(|error| (*name, error))?;
                    Written::Copy(skill.integrity)
                }
                Action::Remove => continue,
            };
            pending.insert((*name).to_owned(), written);
        }
        let before = Record { skills: after.skills.clone(), pending };
        if !before.pending.is_empty() {
            self.write_record(&staging, &before).map_err(|error| ("", error))?;
        }
        let mut deviations = Deviations::default();
        for Step { name, replaces, action } in steps {
            let mut change = || -> io::Result<bool> {
                if let Some(found) = replaces
                    && !self.move_away(&old, name, found.written())?
                {
                    return Ok(false);
                }
                let Action::Write(skill, link) = action else {
                    after.skills.remove(*name);
                    return Ok(true);
                };
                if let Some(target) = link {
                    let written = Written::Link(target.clone());
                    let is_linked = self.link(target, name)?;
                    if is_linked && leads_to_copy(name) {
                        after.skills.insert((*name).to_owned(), written);
                        return Ok(true);
                    }
                    if is_linked && !self.move_away(&old, name, Some(written))? {
                        return Ok(false);
                    }
                    write_tree(&new, &skill.contents)?;
                    deviations.copied.push((*name).to_owned());
                }
                point()?;
                new.rename(name, &self.dir, name)?;
                after.skills.insert((*name).to_owned(), Written::Copy(skill.integrity));
                Ok(true)
            };
            if !change().map_err(|error| (*name, error))? {
                deviations.kept.push((*name).to_owned());
            }
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
            point()?;
            self.dir.remove_dir_all(&staging_name)?;
            point()?;
            self.dir.remove_file(&self.pending)
        };
        finish().map_err(|error| ("", error))?;
        Ok(deviations)
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

    /// Creates a staging directory, after its name is written to a file, and returns the name, and
    /// the directory with those in it.
    fn create_staging(&self) -> io::Result<(String, [Dir; 3])> {
        let random = RandomState::new().build_hasher().finish();
        let name = format!("{}{random:016x}", self.staging);
        write_file(&self.dir, Path::new(&self.pending), &[name.as_bytes()], false)?;
        point()?;
        self.dir.create_dir(&name)?;
        let staging = self.dir.open_dir_nofollow(&name)?;
        point()?;
        staging.create_dir(NEW)?;
        point()?;
        staging.create_dir(OLD)?;
        let (new, old) = (staging.open_dir_nofollow(NEW)?, staging.open_dir_nofollow(OLD)?);
        Ok((name, [staging, new, old]))
    }

    fn write_record(&self, staging: &Dir, record: &Record) -> io::Result<()> {
        write_file(staging, Path::new(&self.record), &[record.to_text().as_bytes()], false)?;
        point()?;
        staging.rename(&self.record, &self.dir, &self.record)
    }
}

/// Returns what is at the place of a skill.
fn inspect(dir: &Dir, name: &str) -> io::Result<Found> {
    let metadata = dir.symlink_metadata(name)?;
    if metadata.is_symlink() {
        let target = dir.read_link_contents(name)?;
        return Ok(Found::Link(target.to_string_lossy().replace('\\', "/")));
    }
    if !metadata.is_dir() {
        return Ok(Found::Other);
    }
    let (mut tree, dir) = (Tree::default(), dir.open_dir_nofollow(name));
    match dir.and_then(|dir| walk(&dir, "", 1, &mut tree)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Missing),
        // Not readable for this user, for example.
        Err(_) => Ok(Found::Other),
        Ok(()) => Ok(Found::Copy(tree)),
    }
}

/// Returns the error for a skill that cannot be moved back.
fn occupied(name: &str) -> io::Error {
    let message = format!("`{name}` was changed and moved away, and its place is taken");
    io::Error::new(io::ErrorKind::AlreadyExists, message)
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

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;
    use std::fs;

    /// Returns an empty directory of skills.
    fn skills_dir() -> (tempfile::TempDir, SkillsDir) {
        let folder = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        let skills = SkillsDir::new(dir, folder.path().to_owned(), "mytool");
        (folder, skills)
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn edit_after_the_decision_is_put_back() {
        let (folder, skills) = skills_dir();
        let file = folder.path().join("pdf/SKILL.md");
        fs::create_dir(folder.path().join("pdf")).unwrap();
        fs::write(&file, "ours").unwrap();
        let found = skills.find("pdf").unwrap();
        let written = Skills::from([("pdf".to_owned(), found.written().unwrap())]);
        let record = Record { skills: written, ..Record::default() };
        fs::write(&file, "mine").unwrap();
        let step = Step { name: "pdf", replaces: Some(found), action: Action::Remove };
        let deviations = skills.apply(&record, record.clone(), &[step], &|_| true).unwrap();
        assert_eq!(deviations.kept, ["pdf"]);
        assert_eq!(fs::read_to_string(file).unwrap(), "mine");
        assert_eq!(names(folder.path()), [".mytool.json", "pdf"]);
        assert_eq!(skills.read_record().unwrap(), record);
    }

    /// A process was killed after it had moved a skill away, and before it compared it.
    #[test]
    fn edit_in_the_directory_of_a_killed_process_is_kept() {
        let (folder, skills) = skills_dir();
        let staging = ".mytool.staging-0123456789abcdef";
        let old = folder.path().join(staging).join("old/pdf");
        fs::create_dir_all(&old).unwrap();
        fs::write(old.join("SKILL.md"), "mine").unwrap();
        fs::write(folder.path().join(".mytool.pending"), staging).unwrap();
        let written = Written::Link("../pdf".to_owned());
        let skills_of = Skills::from([("pdf".to_owned(), written)]);
        let record = Record { skills: skills_of, ..Record::default() };
        // Something else is in its place.
        fs::write(folder.path().join("pdf"), "a file").unwrap();
        for _ in 0..2 {
            let error = skills.repair(&record).unwrap_err();
            let cause = std::error::Error::source(&error).unwrap().to_string();
            assert!(cause.contains(&format!("`{staging}/old/pdf` was changed")), "{cause}");
        }
        fs::remove_file(folder.path().join("pdf")).unwrap();
        skills.repair(&record).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("pdf/SKILL.md")).unwrap(), "mine");
        assert_eq!(names(folder.path()), ["pdf"]);
    }

    #[test]
    fn only_names_of_staging_directories_are_removed() {
        for (text, is_removed) in [
            ("", true),
            (".mytool.sta", true),
            (".mytool.staging-0123", true),
            ("pdf", false),
            (".mytool.staging-xyz", false),
            (".mytool.staging-../pdf", false),
        ] {
            let (folder, skills) = skills_dir();
            for directory in ["pdf", ".mytool.staging", ".mytool.staging-xyz"] {
                fs::create_dir(folder.path().join(directory)).unwrap();
            }
            fs::write(folder.path().join(".mytool.pending"), text).unwrap();
            assert_eq!(skills.repair(&Record::default()).is_ok(), is_removed, "{text}");
            assert_eq!(names(folder.path()).len(), if is_removed { 3 } else { 4 }, "{text}");
        }
    }
}
