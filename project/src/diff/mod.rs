//! Differences between two lockfiles, or between the lockfile and the store, as a document.
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

pub(crate) use locks::with_lock;
pub(crate) use side::CacheLookup;
pub(crate) use stored::with_store;

use crate::{Error, difference::Difference, sync::has_same_files};
use helix_skills_format::{LockedSkill, SkillName};
use serde_json::{Value, json};
use side::Side;
use std::collections::BTreeSet;

/// A skill of a lockfile, or of a source; `None` if a side does not have it.
type NamedSkill<'a> = Option<(&'a SkillName, &'a LockedSkill)>;

/// All differences between two sides. Sources and skills are as in the document of `skills diff
/// --json`.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// Sources that differ, by key.
    pub sources: Vec<Value>,
    /// Skills that differ, by their newest name. `change` is `added`, `removed`, `changed`,
    /// `renamed` or, if a skill comes from another source or directory, `moved`; the files of a
    /// renamed or moved skill may differ as well. `files` is null if the files of a side are
    /// unknown on this machine.
    pub skills: Vec<Value>,
    /// Skills of the lockfile without any file in the store. They do not count as differences,
    /// because the store need not be committed.
    pub absent: Vec<SkillName>,
    /// Warnings, one line each: why the cache was ignored.
    pub warnings: Vec<String>,
    /// How to get text that is not on this machine, one line each.
    pub hints: BTreeSet<String>,
    /// Sources that cannot be read.
    pub errors: Vec<Error>,
}

/// A skill on one side of a comparison.
struct ComparedSkill<'a> {
    name: &'a SkillName,
    locked: &'a LockedSkill,
    /// Its directory relative to the project's, with `/` between the parts.
    place: String,
    /// How to get its text if that is not on this machine.
    hint: String,
}

impl ComparedSkill<'_> {
    fn document(&self) -> Value {
        // Not all lockfiles list executable files.
        let executable = self.locked.executable.as_ref();
        json!({
            "name": self.name.as_str(),
            "source": self.locked.source.as_str(),
            "path": self.locked.path.as_str(),
            "integrity": self.locked.integrity.to_string(),
            "directory": self.place,
            "executable": executable.map(|paths| paths.iter().map(|path| path.as_str()).collect::<Vec<_>>()),
        })
    }
}

impl Comparison {
    /// Returns whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.skills.is_empty()
    }

    /// Adds a skill if it differs. Calls `files` only if its bytes differ.
    fn add(
        &mut self,
        [before, after]: [Option<ComparedSkill<'_>>; 2],
        context: usize,
        files: impl FnOnce() -> Result<[Option<Side>; 2], Error>,
    ) -> Result<(), Error> {
        let place = |skill: &LockedSkill| (skill.source.clone(), skill.path.clone());
        let kind = match (&before, &after) {
            (None, _) => "added",
            (_, None) => "removed",
            (Some(before), Some(after)) if before.name != after.name => "renamed",
            (Some(before), Some(after)) if place(before.locked) != place(after.locked) => "moved",
            (Some(before), Some(after)) if has_same_files(before.locked, after.locked) => {
                return Ok(());
            }
            _ => "changed",
        };
        let integrity = |side: &Option<ComparedSkill<'_>>| Some(side.as_ref()?.locked.integrity);
        let is_same = integrity(&before) == integrity(&after);
        let sides = if is_same { [Some(Side::new()), Some(Side::new())] } else { files()? };
        self.add_change(kind, [before, after], None, sides, context);
        Ok(())
    }

    /// Adds a skill that differs. If a locked skill is compared with the store, it has only the old
    /// side, and `listing` is the difference of its listing.
    fn add_change(
        &mut self,
        kind: &str,
        [before, after]: [Option<ComparedSkill<'_>>; 2],
        listing: Option<Difference>,
        sides: [Option<Side>; 2],
        context: usize,
    ) {
        let Some(newest) = after.as_ref().or(before.as_ref()) else { return };
        let oldest = before.as_ref().unwrap_or(newest);
        let mut missing = sides.each_ref().map(Option::is_none);
        let files = match &sides {
            [Some(old), Some(new)] => {
                let places = [&*oldest.place, &*newest.place];
                Some(files::compare(old, new, places, context))
            }
            _ => None,
        };
        for file in files.iter().flatten().filter(|file| file["shown"] == "unavailable") {
            for (missing, side) in missing.iter_mut().zip(["before", "after"]) {
                *missing |= file[side].is_object() && file[side]["bytes"].is_null();
            }
        }
        for (skill, _) in [oldest, newest].into_iter().zip(missing).filter(|(_, missing)| *missing)
        {
            self.hints.insert(skill.hint.clone());
        }
        self.skills.push(json!({
            "name": newest.name.as_str(),
            "change": kind,
            "before": before.as_ref().map(ComparedSkill::document),
            "after": after.as_ref().map(ComparedSkill::document),
            "listing": listing.map(Difference::code),
            "why": listing.map(|listing| listing.to_string()),
            "files": files,
            "missing": { "before": missing[0], "after": missing[1] },
        }));
    }
}
