//! The changes of one directory of skills.

use super::{
    InstalledSkill, SkillChange,
    brought::BroughtSkill,
    diff::diff,
    plan::decide,
    record::{Record, Written},
    skills_dir::{Action, Found, SkillsDir, Step},
};
use crate::Error;

/// The changes of one directory.
pub(super) struct Changes<'c> {
    program: &'c str,
    uninstalls: bool,
    force: bool,
    shown: &'c str,
    dir: Option<&'c SkillsDir>,
    record: &'c Record,
    after: Record,
    steps: Vec<Step<'c>>,
    report: Vec<InstalledSkill>,
}

impl<'c> Changes<'c> {
    pub(super) fn new(
        program: &'c str,
        uninstalls: bool,
        force: bool,
        shown: &'c str,
        dir: Option<&'c SkillsDir>,
        record: &'c Record,
    ) -> Self {
        let after = Record { skills: record.skills.clone(), ..Record::default() };
        let (steps, report) = (Vec::new(), Vec::new());
        Self { program, uninstalls, force, shown, dir, record, after, steps, report }
    }

    pub(super) fn is_decided(&self, name: &str) -> bool {
        self.report.iter().any(|skill| skill.name == name)
    }

    fn find(&self, name: &str) -> Result<Found, Error> {
        self.dir.map_or(Ok(Found::Missing), |dir| dir.find(name))
    }

    /// Decides about a skill. `skill` is what the program brings, and `link` the target if a link
    /// to a copy in another directory suffices. `None` if nothing is there, and nothing is brought.
    pub(super) fn decide(
        &mut self,
        name: &'c str,
        skill: Option<&'c BroughtSkill<'c>>,
        link: Option<&str>,
    ) -> Result<Option<SkillChange>, Error> {
        let found = self.find(name)?;
        let wanted = skill.filter(|_| !self.uninstalls);
        let integrity = wanted.map(|skill| skill.integrity);
        let Some(change) = decide(name, &found, self.record, integrity, link, self.force) else {
            self.after.skills.remove(name);
            return Ok(None);
        };
        // A copy that this program has written is not replaced by a link.
        let link = link.filter(|_| !matches!(found, Found::Copy(_)));
        let path = format!("{}/{name}", self.shown);
        let diff = match (change, &found, skill, self.dir) {
            (SkillChange::Edited, Found::Copy(tree), Some(skill), Some(dir)) => {
                diff(dir, &path, tree, &skill.contents)
            }
            _ => String::new(),
        };
        let reported = match &found {
            Found::Link(target) if change == SkillChange::Removed => Some(target.clone()),
            _ => link.filter(|_| change != SkillChange::Foreign).map(str::to_owned),
        };
        let program = self.program.to_owned();
        self.report.push(InstalledSkill {
            name: name.to_owned(),
            path,
            program,
            change,
            link: reported,
            diff,
        });
        let action = match (change, wanted) {
            (SkillChange::Added | SkillChange::Updated, Some(skill)) => {
                Action::Write(skill, link.map(str::to_owned))
            }
            (SkillChange::Removed, _) => Action::Remove,
            (SkillChange::Unchanged, _) => {
                let written = found.written().filter(|_| self.record.knows(name));
                self.after.skills.extend(written.map(|written| (name.to_owned(), written)));
                return Ok(Some(change));
            }
            (SkillChange::Foreign, None) => {
                self.after.skills.remove(name);
                return Ok(Some(change));
            }
            _ => return Ok(Some(change)),
        };
        let replaces = (change != SkillChange::Added).then_some(found);
        self.steps.push(Step { name, replaces, action });
        Ok(Some(change))
    }

    /// Removes a link of this program.
    pub(super) fn drop_link(&mut self, name: &'c str) -> Result<(), Error> {
        match self.find(name)? {
            Found::Link(target) if self.record.has(name, &Written::Link(target.clone())) => {
                self.decide(name, None, None).map(drop)
            }
            _ => Ok(()),
        }
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
