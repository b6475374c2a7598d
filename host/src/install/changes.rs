//! The changes of one directory of skills.

use super::{
    InstalledSkill, SkillChange,
    diff::diff,
    plan::{Brought, Decision, decide, decide_removal},
    record::{Record, Written},
    skills_dir::{Action, Found, SkillsDir, Step},
};
use crate::{Error, error::Problem, skill_contents::SkillContents};
use helix_skills_format::{Digest, Integrity, Limits, Listing, RelPath};
use helix_skills_runtime::Skill;
use std::path::Path;

/// The files of a skill that is brought.
pub(super) struct BroughtSkill<'a> {
    pub(super) contents: SkillContents<'a>,
    integrity: Integrity,
}

impl<'a> BroughtSkill<'a> {
    pub(super) fn new(skill: &'a Skill) -> Result<Self, Error> {
        // What is brought was limited when it was embedded or loaded.
        let limits = Limits {
            files_per_skill: u64::MAX,
            bytes_per_skill: u64::MAX,
            bytes_per_file: u64::MAX,
            ..Limits::default()
        };
        let contents = SkillContents::new(skill, &limits)?;
        let mut entries = Vec::new();
        for (path, pieces) in &contents.files {
            let known = match skill.resource(path) {
                Some(file) => file.digest(),
                None => skill.skill_md_digest(),
            };
            // The macro has verified the digests of embedded files.
            let digest = known.and_then(|digest| digest.parse().ok());
            let digest = digest.unwrap_or_else(|| Digest::hash(&pieces.concat()));
            let checked = RelPath::new(*path).map_err(|error| {
                Problem::InvalidPath { source: error.into() }
                    .at(Path::new(contents.name).join(path))
            })?;
            entries.push((checked, digest));
        }
        let integrity = Listing::from_digests(entries).integrity();
        Ok(Self { contents, integrity })
    }
}

/// The changes of one directory.
pub(super) struct Changes<'c> {
    program: &'c str,
    force: bool,
    inner: &'static str,
    dir: Option<&'c SkillsDir>,
    record: &'c Record,
    after: Record,
    steps: Vec<Step<'c>>,
    report: Vec<InstalledSkill>,
}

impl<'c> Changes<'c> {
    pub(super) fn new(
        program: &'c str,
        force: bool,
        inner: &'static str,
        dir: Option<&'c SkillsDir>,
        record: &'c Record,
    ) -> Self {
        let after = Record { skills: record.skills.clone(), ..Record::default() };
        Self { program, force, inner, dir, record, after, steps: Vec::new(), report: Vec::new() }
    }

    pub(super) fn is_decided(&self, name: &str) -> bool {
        self.report.iter().any(|skill| skill.name == name)
    }

    fn find(&self, name: &str) -> Result<Found, Error> {
        self.dir.map_or(Ok(Found::Missing), |dir| dir.find(name))
    }

    /// Decides about a skill that is brought; `link` is the target if a link suffices.
    pub(super) fn bring(
        &mut self,
        skill: &'c BroughtSkill<'c>,
        link: Option<&str>,
    ) -> Result<Decision, Error> {
        let name = skill.contents.name;
        let found = self.find(name)?;
        let brought = Brought { integrity: skill.integrity, link };
        let decision = decide(name, &found, self.record, brought, self.force);
        // A copy that this program has written is not replaced by a link.
        let link = link.filter(|_| !matches!(found, Found::Copy(_)));
        self.note(name, &decision, &found, Some(skill), link);
        if matches!(decision, Decision::Add | Decision::Update) {
            let action = match link {
                Some(link) => Action::Link(link.to_owned(), &skill.contents, skill.integrity),
                None => Action::Place(&skill.contents, skill.integrity),
            };
            let replaces = (decision == Decision::Update).then_some(found);
            self.steps.push(Step { name, replaces, action });
        }
        Ok(decision)
    }

    /// Removes a skill if this program has written it.
    pub(super) fn remove(
        &mut self,
        name: &'c str,
        skill: Option<&BroughtSkill<'_>>,
    ) -> Result<(), Error> {
        let found = self.find(name)?;
        let decision = decide_removal(name, &found, self.record, self.force);
        self.note(name, &decision, &found, skill, None);
        match decision {
            Decision::Remove => {
                let replaces = Some(found);
                self.steps.push(Step { name, replaces, action: Action::Remove });
            }
            Decision::Forget | Decision::Foreign => {
                self.after.skills.remove(name);
            }
            _ => {}
        }
        Ok(())
    }

    /// Removes a link of this program.
    pub(super) fn drop_link(&mut self, name: &'c str) -> Result<(), Error> {
        match self.find(name)? {
            Found::Link(target) if self.record.has(name, &Written::Link(target.clone())) => {
                self.remove(name, None)
            }
            _ => Ok(()),
        }
    }

    /// Adds a decision to the report, and to the record if nothing is written for it.
    fn note(
        &mut self,
        name: &str,
        decision: &Decision,
        found: &Found,
        skill: Option<&BroughtSkill<'_>>,
        link: Option<&str>,
    ) {
        let change = match decision {
            Decision::Add => SkillChange::Added,
            Decision::Update => SkillChange::Updated,
            Decision::Remove => SkillChange::Removed,
            Decision::Keep(_) => SkillChange::Unchanged,
            Decision::KeepEdited => SkillChange::Edited,
            Decision::StayDeleted => SkillChange::Deleted,
            Decision::Foreign => SkillChange::Foreign,
            Decision::Forget => return,
        };
        if let Decision::Keep(Some(written)) = decision {
            self.after.skills.insert(name.to_owned(), written.clone());
        }
        let path = format!("{}/{name}", self.inner);
        let diff = match (change, found, skill, self.dir) {
            (SkillChange::Edited, Found::Copy(tree), Some(skill), Some(dir)) => {
                diff(dir, &path, tree, &skill.contents)
            }
            _ => String::new(),
        };
        let link = match found {
            Found::Link(target) if change == SkillChange::Removed => Some(target.clone()),
            _ => link.filter(|_| change != SkillChange::Foreign).map(str::to_owned),
        };
        let (name, program) = (name.to_owned(), self.program.to_owned());
        self.report.push(InstalledSkill { name, path, program, change, link, diff });
    }

    /// Makes the changes, unless this is a dry run, and returns the report. `leads_to_copy` returns
    /// whether a new link works.
    pub(super) fn finish(
        mut self,
        is_dry_run: bool,
        leads_to_copy: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<InstalledSkill>, Error> {
        if let Some(dir) = self.dir.filter(|_| !is_dry_run) {
            let deviations = dir.apply(self.record, self.after, &self.steps, leads_to_copy)?;
            for skill in &mut self.report {
                let is_kept = deviations.kept.contains(&skill.name);
                if is_kept {
                    skill.change = SkillChange::Edited;
                }
                if is_kept || deviations.copied.contains(&skill.name) {
                    skill.link = None;
                }
            }
        }
        Ok(self.report)
    }
}
