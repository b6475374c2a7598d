//! Collects the paths of a skill's files.

use crate::{
    contents::{FileRules, is_skill_directory},
    link_boundary::LinkBoundary,
};
use helix_skills_format::{Code, Finding, RelPath};
use std::{fs, io, path::Path};

/// Maximum number of files and directories of a skill, above the 1,000 files that
/// `limits.filesPerSkill` allows by default.
const MAX_ENTRIES: usize = 4_000;

/// Maximum number of directory entries that are read for a skill, including those that the manifest
/// excludes. There is a limit because links can make a large directory appear many times.
const MAX_READ: usize = 64_000;

/// Maximum depth of a file below its skill.
const MAX_DEPTH: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Directory,
    /// A pipe, a device, or a broken link.
    Other,
}

/// An entry of a directory; for a link, its target.
pub(super) struct DirectoryEntry {
    /// The name, lossily converted to UTF-8.
    pub(super) name: String,
    pub(super) kind: EntryKind,
    pub(super) is_link: bool,
}

/// Returns the first entries of a directory, at most `most`.
pub(super) fn entries(directory: &Path, most: usize) -> io::Result<Vec<DirectoryEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)?.take(most) {
        let entry = entry?;
        let own = entry.file_type()?;
        let is_link = own.is_symlink();
        let kind = if is_link {
            fs::metadata(entry.path()).ok().map(|metadata| metadata.file_type())
        } else {
            Some(own)
        };
        let kind = match kind {
            Some(kind) if kind.is_dir() => EntryKind::Directory,
            Some(kind) if kind.is_file() => EntryKind::File,
            _ => EntryKind::Other,
        };
        entries.push(DirectoryEntry {
            name: entry.file_name().to_string_lossy().into_owned(),
            kind,
            is_link,
        });
    }
    Ok(entries)
}

/// A walk through all directories of a skill.
pub(super) struct Walk<'w> {
    rules: &'w FileRules,
    boundary: &'w LinkBoundary,
    /// The resolved directory of the skill.
    skill: &'w Path,
    /// The name of its SKILL.md.
    skill_md: &'w str,
    /// Number of further files and directories that are allowed.
    entries_left: usize,
    /// Number of further directory entries that may be read.
    reads_left: usize,
    /// The paths of all files except its SKILL.md.
    pub(super) files: Vec<String>,
    /// Findings on entries that are not regular files or cannot be read.
    pub(super) findings: Vec<Finding>,
}

impl<'w> Walk<'w> {
    pub(super) fn new(
        rules: &'w FileRules,
        boundary: &'w LinkBoundary,
        skill: &'w Path,
        skill_md: &'w str,
    ) -> Self {
        let (entries_left, reads_left) = (MAX_ENTRIES, MAX_READ);
        Self {
            rules,
            boundary,
            skill,
            skill_md,
            entries_left,
            reads_left,
            files: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Collects the files of the skill, whose directory has the entries `top`. Returns whether all
    /// of them were collected.
    pub(super) fn collect(&mut self, top: &[DirectoryEntry]) -> bool {
        let is_whole = self.down(self.skill, top, "", 0);
        if !is_whole {
            let message = format!(
                "the skill has more than {MAX_ENTRIES} files and directories, or more than {MAX_DEPTH} levels"
            );
            let found = Finding::new(Code::TooLarge, None, message);
            self.findings.push(found.hint("remove or exclude files that no agent reads"));
        }
        self.files.sort_unstable();
        is_whole
    }

    fn down(
        &mut self,
        directory: &Path,
        entries_here: &[DirectoryEntry],
        prefix: &str,
        depth: usize,
    ) -> bool {
        let mut is_whole = true;
        for entry in entries_here.iter().filter(|entry| is_skill_directory(&entry.name)) {
            let path = format!("{prefix}{}", entry.name);
            if self.rules.excludes(&path, entry.kind == EntryKind::Directory) {
                continue;
            }
            if self.entries_left == 0 || depth > MAX_DEPTH {
                return false;
            }
            self.entries_left -= 1;
            if let Err(why) = RelPath::new(&*path) {
                let message = format!("it cannot be part of a skill: {why}");
                let hint = "rename it; `skills sync` accepts names that are valid on every system";
                self.unreadable(path, message, hint);
                continue;
            }
            let on_disk = directory.join(&entry.name);
            let leads_out = entry.is_link && !self.boundary.allows(&on_disk, self.skill);
            match if leads_out { EntryKind::Other } else { entry.kind } {
                EntryKind::File if path == self.skill_md => {}
                EntryKind::File => self.files.push(path),
                EntryKind::Other => {
                    let message = format!("cannot read it: {NOT_A_FILE}");
                    self.unreadable(path, message, "remove it, or replace it by a file");
                }
                EntryKind::Directory => match entries(&on_disk, self.reads_left) {
                    Ok(found) => {
                        self.reads_left -= found.len();
                        let is_all = self.down(&on_disk, &found, &format!("{path}/"), depth + 1);
                        is_whole &= is_all && self.reads_left > 0;
                    }
                    Err(error) => {
                        let message = format!("cannot read the directory: {error}");
                        self.unreadable(path, message, "make it readable, or remove it");
                    }
                },
            }
        }
        is_whole
    }

    fn unreadable(&mut self, path: String, message: String, hint: &str) {
        let found = Finding::new(Code::Unreadable, None, message);
        self.findings.push(found.hint(hint).in_file(path));
    }
}

/// The reason for not reading an entry.
pub(super) const NOT_A_FILE: &str =
    "it is a broken link, a link out of the project, or not a regular file";

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::disk;
    use crate::manifest::Select;
    use helix_skills_format::Limits;
    use std::os::unix::fs::symlink;

    fn rules() -> FileRules {
        FileRules::in_place(&Select::default(), Limits::default()).unwrap()
    }

    /// Directories that link to each other, without any file.
    #[test]
    fn directories_reached_by_links_are_counted() {
        let directory = tempfile::tempdir().unwrap();
        let skill = dunce::canonicalize(directory.path()).unwrap();
        (0..10).for_each(|n| symlink(".", skill.join(n.to_string())).unwrap());
        let boundary = LinkBoundary::around(&skill, &skill);
        let top = entries(&skill, usize::MAX).unwrap();
        let rules = rules();
        let mut walk = Walk::new(&rules, &boundary, &skill, "SKILL.md");
        assert!(!walk.collect(&top));
        assert_eq!((walk.entries_left, walk.files.len(), walk.findings.len()), (0, 0, 1));
    }

    #[test]
    fn entries_read_for_a_skill_are_bounded() {
        let directory = tempfile::tempdir().unwrap();
        let skill = dunce::canonicalize(directory.path()).unwrap();
        for n in 0..10 {
            disk::create_dir(&skill.join(format!("d/{n}"))).unwrap();
            symlink("d", skill.join(format!("link{n}"))).unwrap();
        }
        let boundary = LinkBoundary::around(&skill, &skill);
        let top = entries(&skill, usize::MAX).unwrap();
        let rules = rules();
        let mut walk = Walk { reads_left: 25, ..Walk::new(&rules, &boundary, &skill, "SKILL.md") };
        assert!(!walk.collect(&top));
        assert_eq!(walk.reads_left, 0);
    }
}
