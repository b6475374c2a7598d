//! An open directory of skills, and all changes in it.
//!
//! A change is prepared in a directory next to the skills, and takes effect by renames. The name of
//! that directory is random, and is first written to the file `.PROGRAM.pending`. After a kill,
//! [`SkillsDir::repair`] reads it there, and moves back what was moved away.

use super::{
    InstalledSkill, SkillChange,
    brought::BroughtSkill,
    found::{Found, inspect, read_file},
    point,
    record::{Record, Written},
};
use crate::{Error, error::Problem, skill_contents::SkillContents};
use cap_fs_ext::DirExt as _;
use cap_std::fs::{Dir, OpenOptions};
use std::{
    cell::OnceCell,
    collections::BTreeMap,
    ffi::OsString,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Maximum size of a record in bytes.
const MAX_RECORD_BYTES: u64 = 64 << 20;

/// Number of random hexadecimal digits in the name of a staging directory.
const DIGITS: usize = 16;

/// Directories in the staging directory.
const NEW: &str = "new";
const OLD: &str = "old";

pub(super) struct SkillsDir {
    pub(super) dir: Dir,
    /// For messages.
    path: PathBuf,
    record: String,
    /// The file with the name of the staging directory.
    pending: String,
    /// The beginning of that name, before [`DIGITS`].
    staging: String,
    /// The names of all entries by their lower-case form, read on first use.
    names: OnceCell<BTreeMap<String, Vec<OsString>>>,
}

/// What happens to one skill: nothing, if it neither replaces nor writes anything.
pub(super) struct Step<'a> {
    /// Corrected if something else happens than planned.
    pub(super) report: InstalledSkill,
    /// What is moved away first, unless it was changed meanwhile. If `None`, writing fails if
    /// something appears meanwhile.
    pub(super) replaces: Option<Found>,
    /// What is written: a copy, or a link if links work here.
    pub(super) writes: Option<(&'a BroughtSkill<'a>, Written)>,
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

    /// Returns what is at the place of the skill `name`.
    pub(super) fn find(&self, name: &str) -> Result<Found, Error> {
        let found = || -> io::Result<Found> {
            if self.names.get().is_none() {
                let mut names = BTreeMap::<_, Vec<_>>::new();
                for entry in self.dir.entries()? {
                    let entry = entry?.file_name();
                    names.entry(entry.to_string_lossy().to_lowercase()).or_default().push(entry);
                }
                let _ = self.names.set(names);
            }
            match self.names.get().and_then(|names| names.get(&name.to_lowercase())) {
                None => Ok(Found::Missing),
                Some(entries) if entries.iter().any(|it| it == name) => inspect(&self.dir, name),
                Some(_) => Ok(Found::Other),
            }
        };
        match found() {
            // In a dry run, another process may be replacing it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Missing),
            found => found.map_err(|source| Problem::Read { source }.at(self.path.join(name))),
        }
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
            written.is_some_and(|written| record.written(name).any(|it| *it == written))
        };
        let repaired = || -> io::Result<()> {
            if self.dir.symlink_metadata(&self.pending).is_err() {
                return Ok(());
            }
            let staging = self.pending_staging()?;
            let staging = staging.filter(|it| self.dir.symlink_metadata(it).is_ok());
            if let Some(staging) = &staging
                && let Ok(old) =
                    self.dir.open_dir_nofollow(staging).and_then(|it| it.open_dir_nofollow(OLD))
            {
                for entry in old.entries()? {
                    let name = entry?.file_name();
                    let name = name.to_string_lossy();
                    // The removal of an unknown skill was complete.
                    let is_removed =
                        record.written(&name).next().is_none() || self.put_back(&old, &name)?;
                    if !is_removed && !is_written(&self.dir, &name) && !is_written(&old, &name) {
                        return Err(occupied(&format!("{staging}/{OLD}/{name}")));
                    }
                }
            }
            if let Some(staging) = staging {
                point()?;
                self.dir.remove_dir_all(&staging)?;
            }
            point()?;
            self.dir.remove_file(&self.pending)
        };
        repaired().map_err(|source| Problem::Install { source }.at(self.path.join(&self.pending)))
    }

    /// Returns the name of the staging directory of a killed process; `None` if the name is cut
    /// off, and was never used. Only a name that this program writes is returned: the caller
    /// removes that directory, and anything else may be in a file that was committed.
    fn pending_staging(&self) -> io::Result<Option<String>> {
        let bytes = read_file(&self.dir, Path::new(&self.pending), 1 << 10)?;
        let name = String::from_utf8_lossy(&bytes).into_owned();
        let length = self.staging.len() + DIGITS;
        let is_ours = match name.strip_prefix(&*self.staging) {
            Some(digits) => digits.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')),
            None => self.staging.starts_with(&*name),
        };
        if !is_ours || name.len() > length {
            return Err(io::Error::other("it does not name a staging directory: move it away"));
        }
        Ok(Some(name).filter(|name| name.len() == length))
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
    /// what was written before. A skill that is no longer what was found is kept.
    ///
    /// If a change fails, those before it are complete, and the next [`repair`](Self::repair)
    /// cleans up.
    pub(super) fn apply(
        &self,
        record: &Record,
        after: Record,
        steps: &mut [Step<'_>],
    ) -> Result<(), Error> {
        let is_idle = |step: &Step<'_>| step.replaces.is_none() && step.writes.is_none();
        if steps.iter().all(is_idle) && *record == after {
            return Ok(());
        }
        let mut at = String::new();
        self.try_apply(after, steps, &mut at).map_err(|source| {
            // The next run repeats this if it fails.
            let _ = self.read_record().and_then(|record| self.repair(&record));
            Problem::Install { source }.at(self.path.join(at))
        })
    }

    /// `at` is the name of the skill that is being changed.
    fn try_apply(
        &self,
        mut after: Record,
        steps: &mut [Step<'_>],
        at: &mut String,
    ) -> io::Result<()> {
        let (staging_name, [staging, new, old]) = self.create_staging()?;
        let mut before = after.clone();
        for Step { report, writes, .. } in &*steps {
            let Some((skill, written)) = writes else { continue };
            at.clone_from(&report.name);
            if let Written::Copy(_) = written {
                write_tree(&new, &skill.contents)?;
            }
            before.pending.insert(report.name.clone(), written.clone());
        }
        at.clear();
        if !before.pending.is_empty() {
            self.write_record(&staging, &before)?;
        }
        for step in steps {
            at.clone_from(&step.report.name);
            self.make(step, &mut after, &new, &old)?;
        }
        at.clear();
        // A power failure must not keep the record without the renames.
        #[cfg(unix)]
        {
            point()?;
            // Some file systems cannot sync directories.
            let _ = self.dir.open(".").and_then(|dir| dir.sync_all());
        }
        if !after.skills.is_empty() {
            self.write_record(&staging, &after)?;
        } else if self.has_record() {
            point()?;
            self.dir.remove_file_or_symlink(&self.record)?;
        }
        // Windows does not remove open directories.
        drop((staging, new, old));
        point()?;
        self.dir.remove_dir_all(&staging_name)?;
        point()?;
        self.dir.remove_file(&self.pending)
    }

    /// Makes one change. `new` has the copies, and `old` gets what is replaced.
    fn make(
        &self,
        Step { report, replaces, writes }: &mut Step<'_>,
        after: &mut Record,
        new: &Dir,
        old: &Dir,
    ) -> io::Result<()> {
        let name = &*report.name;
        if let Some(found) = replaces
            && !self.move_away(old, name, found.written())?
        {
            (report.change, report.link) = (SkillChange::Edited, None);
            return Ok(());
        }
        let Some((skill, written)) = writes else {
            if replaces.is_some() {
                after.remove(name);
            }
            return Ok(());
        };
        if let Written::Link(target) = written
            && !self.link(target, name)?
        {
            write_tree(new, &skill.contents)?;
            (*written, report.link) = (Written::Copy(skill.listing.integrity()), None);
        }
        if let Written::Copy(_) = written {
            point()?;
            new.rename(name, &self.dir, name)?;
        }
        after.insert(name, written.clone(), &skill.listing);
        Ok(())
    }

    /// Creates a link to a directory. Returns `false` if that is not possible here.
    fn link(&self, target: &str, name: &str) -> io::Result<bool> {
        use io::ErrorKind::{PermissionDenied, Unsupported};
        point()?;
        match self.dir.symlink_dir(target.split('/').collect::<PathBuf>(), name) {
            Ok(()) if self.path.join(name).is_dir() => Ok(true),
            Ok(()) => {
                // A system without links may make one that leads nowhere, or none.
                let _ = self.dir.remove_file_or_symlink(name);
                Ok(false)
            }
            Err(error)
                if cfg!(windows) || matches!(error.kind(), Unsupported | PermissionDenied) =>
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
        let name = format!("{}{random:0DIGITS$x}", self.staging);
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

/// Returns the error for a skill that cannot be moved back.
fn occupied(name: &str) -> io::Error {
    let message = format!("`{name}` was changed and moved away, and its place is taken");
    io::Error::new(io::ErrorKind::AlreadyExists, message)
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
    use super::{super::record::Skills, *};
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
        let report = InstalledSkill {
            name: "pdf".to_owned(),
            path: "pdf".to_owned(),
            program: "mytool".to_owned(),
            change: SkillChange::Removed,
            link: None,
            diff: String::new(),
        };
        let mut steps = [Step { report, replaces: Some(found), writes: None }];
        skills.apply(&record, record.clone(), &mut steps).unwrap();
        assert_eq!(steps[0].report.change, SkillChange::Edited);
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
    fn only_the_named_staging_directory_is_removed() {
        let staging = ".mytool.staging-0123456789abcdef";
        let directories = [".m", "pdf", ".mytool.staging", ".mytool.staging-0123", staging];
        for (text, is_repaired) in [
            // Cut off.
            ("", true),
            (".", true),
            (".m", true),
            (".mytool.staging", true),
            (".mytool.staging-0123", true),
            (staging, true),
            ("pdf", false),
            ("./", false),
            (".mytool.staging-xyz", false),
            (".mytool.staging-0123456789ABCDEF", false),
            (".mytool.staging-0123456789abcdef0", false),
            (".mytool.staging-0123456789abcdef/", false),
            (".mytool.staging-../pdf", false),
        ] {
            let (folder, skills) = skills_dir();
            for directory in directories {
                fs::create_dir(folder.path().join(directory)).unwrap();
            }
            fs::write(folder.path().join(".mytool.pending"), text).unwrap();
            assert_eq!(skills.repair(&Record::default()).is_ok(), is_repaired, "{text}");
            let mut expected = directories.to_vec();
            expected.retain(|directory| *directory != text || text != staging);
            expected.extend(Some(".mytool.pending").filter(|_| !is_repaired));
            expected.sort_unstable();
            assert_eq!(names(folder.path()), expected, "{text}");
        }
    }
}
