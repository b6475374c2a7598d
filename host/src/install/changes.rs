//! The changes of one directory of skills.

use super::{
    InstalledSkill, SkillChange,
    brought::BroughtSkill,
    diff::diff,
    found::Found,
    record::{Record, Written},
    skills_dir::{SkillsDir, Step},
};
use crate::Error;

/// The changes of one directory.
pub(super) struct Changes<'c> {
    pub(super) program: &'c str,
    pub(super) uninstalls: bool,
    pub(super) force: bool,
    /// The path of the directory in reports.
    pub(super) shown: &'c str,
    pub(super) dir: Option<&'c SkillsDir>,
    pub(super) record: &'c Record,
    pub(super) after: Record,
    pub(super) steps: Vec<Step<'c>>,
}

impl<'c> Changes<'c> {
    /// Decides about a skill. `skill` is what the program brings, and `link` the target if a link
    /// to a copy in another directory suffices. `None` if nothing is there, and nothing is brought.
    pub(super) fn decide(
        &mut self,
        name: &str,
        skill: Option<&'c BroughtSkill<'c>>,
        link: Option<&str>,
    ) -> Result<Option<SkillChange>, Error> {
        let found = self.dir.map_or(Ok(Found::Missing), |dir| dir.find(name))?;
        let wanted = skill.filter(|_| !self.uninstalls);
        let Some(change) = self.change(name, &found, wanted, link) else {
            self.after.remove(name);
            return Ok(None);
        };
        // A copy that this program has written is not replaced by a link.
        let link = link.filter(|_| !matches!(found, Found::Copy(_)));
        let path = format!("{}/{name}", self.shown);
        let diff = match (change, &found, skill, self.dir) {
            (SkillChange::Edited, Found::Copy(tree), Some(skill), Some(dir)) => {
                diff(dir, &path, tree, skill, &self.record.listing(name), self.program)
            }
            _ => String::new(),
        };
        let reported = match &found {
            Found::Link(target) if change == SkillChange::Removed => Some(target.clone()),
            _ => link.filter(|_| change != SkillChange::Foreign).map(str::to_owned),
        };
        let (name, program) = (name.to_owned(), self.program.to_owned());
        let report = InstalledSkill { name, path, program, change, link: reported, diff };
        let (name, mut writes) = (&report.name, None);
        match (change, wanted) {
            (SkillChange::Added | SkillChange::Updated, Some(skill)) => {
                let copy = || Written::Copy(skill.listing.integrity());
                let written = link.map_or_else(copy, |target| Written::Link(target.to_owned()));
                writes = Some((skill, written));
            }
            (SkillChange::Unchanged, Some(skill)) if self.record.written(name).next().is_some() => {
                if let Some(written) = found.written() {
                    self.after.insert(name, written, &skill.listing);
                }
            }
            (SkillChange::Foreign, None) => self.after.remove(name),
            _ => {}
        }
        let is_replaced = matches!(change, SkillChange::Updated | SkillChange::Removed);
        self.steps.push(Step { report, replaces: Some(found).filter(|_| is_replaced), writes });
        Ok(Some(change))
    }

    /// Decides about a skill of which `wanted` is brought, or that is removed. With `force`, what
    /// the user has made of a skill is replaced; what something else has written is never touched.
    fn change(
        &self,
        name: &str,
        found: &Found,
        wanted: Option<&BroughtSkill<'_>>,
        link: Option<&str>,
    ) -> Option<SkillChange> {
        let Self { record, force, .. } = self;
        let replaced = if wanted.is_some() { SkillChange::Updated } else { SkillChange::Removed };
        // A missing skill that was being written was not removed by the user.
        let is_deleted = record.skills.contains_key(name) && !record.pending.contains_key(name);
        let has_copy = record.written(name).any(|it| matches!(it, Written::Copy(_)));
        let there = found.written();
        let is_wanted = wanted.is_some_and(|wanted| match &there {
            Some(Written::Copy(integrity)) => wanted.listing.integrity() == *integrity,
            Some(Written::Link(target)) => link == Some(target),
            None => false,
        });
        Some(match (found, there) {
            (Found::Missing, _) if wanted.is_none() => return None,
            (Found::Missing, _) if is_deleted && !force => SkillChange::Deleted,
            (Found::Missing, _) => SkillChange::Added,
            _ if is_wanted => SkillChange::Unchanged,
            (_, Some(there)) if record.written(name).any(|it| *it == there) => replaced,
            (Found::Copy(_), _) if has_copy && *force => replaced,
            (Found::Copy(_), _) if has_copy => SkillChange::Edited,
            _ => SkillChange::Foreign,
        })
    }
}
