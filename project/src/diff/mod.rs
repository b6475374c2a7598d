//! Differences between two lockfiles, or between the lockfile and the store, as data.
//!
//! [`Project::diff`](crate::Project::diff) and [`Project::diff_since`](crate::Project::diff_since)
//! return a [`Comparison`]: sources and skills that differ, the files of each skill, and the
//! changed lines of each file. Old bytes come from the store next to the old lockfile, the
//! project's store, `path` sources and the cache, and are used only if they have the locked digest.
//! Only the lines that will be shown are kept in memory.

mod files;
mod lines;
mod locks;
mod side;
mod stored;

pub use files::{FileChange, FileDiff, MissingSides};
pub use lines::Lines;
pub use side::ComparedFile;

pub(crate) use locks::with_lock;
pub(crate) use side::CacheLookup;
pub(crate) use stored::with_store;

use crate::manifest::{Lock, LockedSource};
use crate::{
    Error, contents::show_place, difference::Difference, paths::ProjectPaths, sync::has_same_files,
};
use helix_skills_format::{LockedSkill, RelPath, SkillName, SourceKey};
use std::collections::BTreeSet;

/// The files that differ; an error if the files of a side are unknown on this machine.
type FileChanges = Result<Vec<FileChange>, MissingSides>;

/// A skill of a lockfile, or of a source; `None` if a side does not have it.
type NamedSkill<'a> = Option<(&'a SkillName, &'a LockedSkill)>;

/// All differences between two sides.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// Sources that differ, by key.
    pub sources: Vec<SourceChange>,
    /// Skills that differ, by their newest name.
    pub skills: Vec<SkillChange>,
    /// Skills of the lockfile without any file in the store. They do not count as differences,
    /// because the store need not be committed.
    pub absent: Vec<SkillName>,
    /// Warnings, one line each: why the cache was ignored.
    pub warnings: Vec<String>,
    /// Sources that cannot be read.
    pub errors: Vec<Error>,
}

/// A source that differs.
#[derive(Debug)]
#[non_exhaustive]
pub struct SourceChange {
    /// The source.
    pub key: SourceKey,
    /// What was locked before.
    pub before: Option<LockedSource>,
    /// What is locked now.
    pub after: Option<LockedSource>,
    /// The changed keys of its entry in the manifest.
    pub fields: Vec<String>,
}

/// A skill that differs.
#[derive(Debug)]
#[non_exhaustive]
pub struct SkillChange {
    /// How it differs: `added`, `removed`, `changed`, `renamed` or, if it comes from another source
    /// or directory, `moved`. The files of a renamed or moved skill may differ as well.
    pub kind: &'static str,
    /// The skill on the old side.
    pub before: Option<ComparedSkill>,
    /// The skill on the new side. `None` as well if a locked skill is compared with the store.
    pub after: Option<ComparedSkill>,
    /// How its listing in the store differs, if it does.
    pub listing: Option<Difference>,
    /// The files that differ; an error if the files of a side are unknown on this machine.
    pub files: FileChanges,
}

/// A skill on one side of a comparison.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparedSkill {
    /// Its name.
    pub name: SkillName,
    /// Its entry in the lockfile.
    pub locked: LockedSkill,
    /// Its directory relative to the project's, with `/` between the parts.
    pub place: String,
}

impl ComparedSkill {
    /// Returns a skill of `lock`, or one of its `path` sources, in its directory in `project`.
    fn new(
        project: &ProjectPaths,
        lock: &Lock,
        (name, locked): (&SkillName, &LockedSkill),
    ) -> Self {
        let directory = project.show(&project.directory_of(lock, name, locked));
        let place = directory.display().to_string().replace(std::path::MAIN_SEPARATOR, "/");
        Self { name: name.clone(), locked: locked.clone(), place }
    }

    /// Formats the source and the directory in it for messages: `source: skills/pdf`.
    #[must_use]
    pub fn origin(&self) -> String {
        show_place(&self.locked.source, &self.locked.path)
    }
}

impl SkillChange {
    /// Returns its newest name.
    #[must_use]
    pub fn name(&self) -> Option<&SkillName> {
        self.after.as_ref().or(self.before.as_ref()).map(|version| &version.name)
    }

    /// Returns the files that became executable, and those that no longer are. Both are empty if
    /// one of the lockfiles does not list executable files.
    #[must_use]
    pub fn executable(&self) -> [Vec<&RelPath>; 2] {
        static NONE: BTreeSet<RelPath> = BTreeSet::new();
        fn side(version: Option<&ComparedSkill>) -> Option<&BTreeSet<RelPath>> {
            version.map_or(Some(&NONE), |version| version.locked.executable.as_ref())
        }
        match (&self.after, side(self.before.as_ref()), side(self.after.as_ref())) {
            (Some(_), Some(before), Some(after)) => {
                [after.difference(before).collect(), before.difference(after).collect()]
            }
            _ => [Vec::new(), Vec::new()],
        }
    }

    /// Returns the difference of a skill between two sides, if there is one. Calls `compare` only
    /// if its bytes differ.
    ///
    /// # Errors
    /// The errors of `compare`.
    fn between(
        before: Option<ComparedSkill>,
        after: Option<ComparedSkill>,
        compare: impl FnOnce() -> Result<FileChanges, Error>,
    ) -> Result<Option<Self>, Error> {
        let integrity =
            |side: &Option<ComparedSkill>| side.as_ref().map(|version| version.locked.integrity);
        let is_same = integrity(&before) == integrity(&after);
        let is_elsewhere =
            |a: &LockedSkill, b: &LockedSkill| (&a.source, &a.path) != (&b.source, &b.path);
        let kind = match (&before, &after) {
            (None, _) => "added",
            (_, None) => "removed",
            (Some(before), Some(after)) if before.name != after.name => "renamed",
            (Some(before), Some(after)) if is_elsewhere(&before.locked, &after.locked) => "moved",
            (Some(before), Some(after)) if has_same_files(&before.locked, &after.locked) => {
                return Ok(None);
            }
            _ => "changed",
        };
        let files = if is_same { Ok(Vec::new()) } else { compare()? };
        Ok(Some(Self { kind, before, after, listing: None, files }))
    }
}

impl SourceChange {
    /// Returns how it differs: `added`, `removed` or `changed`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        }
    }
}

impl Comparison {
    /// Returns whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.skills.is_empty()
    }
}
