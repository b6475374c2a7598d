//! Hints for a failed `skills add`: commands instead of edits of the manifest.

use super::{
    local::own_skills,
    merge::{describe, given_pin, is_empty, pin_fields},
    request::Request,
    spec::Spec,
    suggested::{add_command, list_command, pinned},
};
use crate::program::args::Add;
use helix_skills_format::{
    __internal::{listed, nearest},
    SourceKey,
};
use helix_skills_project::{
    __internal::{Fact, Unresolved, marketplace::PluginError},
    Error,
    manifest::Source,
};
use std::{collections::BTreeMap, path::Path};

/// Maximum number of directories that a hint names.
const MAX_LISTED: usize = 5;

/// What a hint depends on in addition to the request.
pub(super) struct Situation<'s> {
    pub(super) start: &'s Path,
    pub(super) root: &'s Path,
    pub(super) source: &'s Source,
    /// The name of the source if the manifest already has it.
    pub(super) existing: Option<&'s SourceKey>,
}

impl Request {
    /// Replaces the hint of a failure by a command.
    pub(super) fn explain(&self, at: &Situation<'_>, failure: Error) -> Error {
        let Fact::Unresolved(_, why) = failure.fact() else { return failure };
        match self.hint(at, why.innermost()) {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }

    fn hint(&self, at: &Situation<'_>, why: &Unresolved) -> Option<String> {
        let run = |args: &Add| format!("run `{}`", add_command(args));
        let list = list_command(&self.args);
        Some(match why {
            Unresolved::NotIncluded { .. } | Unresolved::NoSkills { .. }
                if self.other_branch(at.source).is_some() =>
            {
                run(&pinned(&self.args, "--ref", self.other_branch(at.source)?))
            }
            Unresolved::NotIncluded { name, known, near: None, moved_to: None }
                if matches!(self.spec, Spec::Git(_))
                    && nearest(name, known.iter().map(String::as_str)).is_none() =>
            {
                match at.existing {
                    Some(key) => format!(
                        "run `skills update {key}` if the skill is newer than the locked commit, or `{list}`"
                    ),
                    None => format!("run `{list}`"),
                }
            }
            Unresolved::NoSkills { marketplace: Some((_, plugins)), .. } => {
                let plugins = listed(plugins, MAX_LISTED);
                format!("it is a marketplace: run `{list}` to see its plugins {plugins}")
            }
            Unresolved::NoSkills { root_is_skill: true, .. } => {
                run(&Add { skills_dir: Some(".".to_owned()), ..self.args.clone() })
            }
            Unresolved::NoSkills { elsewhere, .. } => self.elsewhere(elsewhere)?,
            Unresolved::Plugin(error @ PluginError::Unknown { known, .. })
                if error.suggestions().is_empty() && !known.is_empty() =>
            {
                let count = known.len();
                format!("none of its {count} plugins has a similar name; run `{list}` to see them")
            }
            Unresolved::NoVersion { version, continued: Some(newest), .. }
            | Unresolved::PluginVersion { requested: version, continued: Some(newest), .. } => {
                let range = format!("^{}", version.trim_start_matches('v'));
                let [range, newest] = [&range, newest]
                    .map(|version| add_command(&pinned(&self.args, "--version", version)));
                format!("an exact version has three numbers: run `{range}` or `{newest}`")
            }
            Unresolved::PluginVersion { declared: Some(declared), .. } => {
                run(&pinned(&self.args, "--version", declared))
            }
            Unresolved::NoSkillInPath { near: None, .. } => own_skills(at.start, at.root),
            _ => return None,
        })
    }

    /// Returns the default branch if the argument is one of its pages, and the source is pinned to
    /// something else.
    fn other_branch(&self, source: &Source) -> Option<&str> {
        let branch = self.default_branch.as_deref()?;
        let pin = pin_fields(source.repository()?);
        let [_, (_, reference), _] = &pin;
        let name = reference.as_deref().map(|it| it.strip_prefix("refs/heads/").unwrap_or(it));
        let is_other = !is_empty(&pin) && name != Some(branch);
        (is_other && is_empty(&given_pin(&self.args))).then_some(branch)
    }

    /// Returns the hint for a directory without skills, if other directories have some.
    fn elsewhere(&self, skills: &[String]) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for skill in skills {
            let (above, name) = skill.rsplit_once('/').unwrap_or((".", skill));
            if self.args.include.is_empty() || self.args.include.iter().any(|it| it == name) {
                *counts.entry(above).or_default() += 1;
            }
        }
        let Some((most, _)) = counts.iter().rev().max_by_key(|(_, count)| **count) else {
            return (!skills.is_empty()).then(|| format!("run `{}`", list_command(&self.args)));
        };
        let args = Add { skills_dir: Some((*most).to_owned()), plugin: None, ..self.args.clone() };
        let command = add_command(&args);
        Some(match counts.len() {
            1 => format!("run `{command}`"),
            _ => {
                let all = listed(counts.keys(), MAX_LISTED);
                format!("run `{command}` for the most skills; there are skills in {all}")
            }
        })
    }

    /// Returns the warning for the page of a branch that is not the pin of its source.
    pub(super) fn kept_pin(&self, key: &SourceKey, source: &Source) -> Option<String> {
        let branch = self.other_branch(source)?;
        let pin = pin_fields(source.repository()?);
        // A new source has the newest release as its version.
        if pin[0].1.is_some() && pin[2].1.is_none() {
            return None;
        }
        let command = add_command(&pinned(&self.args, "--ref", branch));
        Some(format!(
            "the page shows `{branch}`, but the source {key} keeps its pin, {}; to change it, run `{command}`",
            describe(&pin)
        ))
    }
}
