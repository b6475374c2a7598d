//! Hints for a failed `skills add`: commands instead of edits of the manifest.

use super::{location::Location, pin::Pin, request::Request};
use crate::program::{args::Add, usage_error::usage_error};
use helix_skills_format::{
    __internal::{listed, nearest},
    SkillName, Source, SourceKey,
};
use helix_skills_project::{
    __internal::{Fact, Unresolved, marketplace::PluginError, new_there, unused_selection},
    Error, Project, Synced,
};
use std::{cell::LazyCell, collections::BTreeMap};

/// Maximum number of directories that a hint names.
const MAX_LISTED: usize = 5;

/// Maximum number of skills whose new names a hint suggests one by one.
const MAX_RENAMED: usize = 3;

impl Request {
    /// Replaces the hint of a failure by a command. `existing` is the name of the source if the
    /// manifest already has it.
    pub(super) fn explain(
        &self,
        source: &Source,
        existing: Option<&SourceKey>,
        failure: Error,
    ) -> Error {
        if existing.is_some()
            && let mut hint @ Some(_) = self.without_gone(&failure)
        {
            let errors = failure.into_iter().map(|error| error.hinted(hint.take()));
            return errors.collect::<Vec<_>>().into();
        }
        let Fact::Unresolved(_, why) = failure.fact() else { return failure };
        match self.hint(source, existing, why.innermost()) {
            Some(hint) => failure.with_hint(hint),
            None => failure,
        }
    }

    fn hint(
        &self,
        source: &Source,
        existing: Option<&SourceKey>,
        why: &Unresolved,
    ) -> Option<String> {
        let args = &self.args;
        let run = |args: Add| format!("run `{}`", args.command());
        let list = args.list_command();
        Some(match why {
            Unresolved::NotIncluded { .. } | Unresolved::NoSkills { .. }
                if self.other_branch(source).is_some() =>
            {
                run(args.pinned("--ref", self.other_branch(source)?))
            }
            Unresolved::NotIncluded { name, known, near: None, moved_to: None, gone: None }
                if matches!(self.location, Location::Repository(_))
                    && nearest(name, known.iter().map(String::as_str)).is_none() =>
            {
                match existing {
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
                run(Add { skills_dir: Some(".".to_owned()), ..args.clone() })
            }
            Unresolved::NoSkills { elsewhere, .. } => self.elsewhere(elsewhere)?,
            Unresolved::Plugin(PluginError { dissimilar: Some(count), .. }) => {
                format!("none of its {count} plugins has a similar name; run `{list}` to see them")
            }
            Unresolved::NoVersion { version, continued: Some(newest), .. }
            | Unresolved::PluginVersion { requested: version, continued: Some(newest), .. } => {
                let range = format!("^{}", version.trim_start_matches('v'));
                let [range, newest] =
                    [&range, newest].map(|version| args.pinned("--version", version).command());
                format!("an exact version has three numbers: run `{range}` or `{newest}`")
            }
            Unresolved::PluginVersion { declared: Some(declared), .. } => {
                run(args.pinned("--version", declared))
            }
            Unresolved::NoCommit { by_marketplace: false, .. } if args.sha.is_some() => {
                "pass a commit of the repository to `--sha`, or a tag or branch to `--ref`"
                    .to_owned()
            }
            Unresolved::NotMarketplace => {
                let command = Add { plugin: None, ..args.clone() }.command();
                format!("remove `--plugin`: run `{command}`")
            }
            Unresolved::NoSkillInPath { near: None, .. } => {
                "pass a skill, or a directory whose subdirectories are skills".to_owned()
            }
            _ => return None,
        })
    }

    /// Returns the command that selects what the new commit has, if the failure consists of skills
    /// that the manifest includes and upstream has renamed or removed.
    fn without_gone(&self, failure: &Error) -> Option<String> {
        let mut args = self.args.clone();
        let mut new: &[String] = &[];
        for error in failure.errors() {
            let Fact::Unresolved(_, why) = error.fact() else { return None };
            match why.innermost() {
                Unresolved::NotIncluded { name, moved_to: Some(to), .. } => {
                    args.exclude.push(name.clone());
                    args.include.push(to.file_name()?.to_owned());
                }
                Unresolved::NotIncluded { name, gone: Some(added), .. } => {
                    args.exclude.push(name.clone());
                    new = added;
                }
                _ => return None,
            }
        }
        Some(format!("run `{}`{}", args.command(), new_there(new, MAX_LISTED)))
    }

    /// Returns the default branch if the argument is one of its pages, and the source is pinned to
    /// something else.
    fn other_branch(&self, source: &Source) -> Option<&str> {
        let branch = self.default_branch.as_deref()?;
        let pin = Pin::of_source(source);
        let name = pin.get("ref").map(|it| it.strip_prefix("refs/heads/").unwrap_or(it));
        let is_other = !pin.0.is_empty() && name != Some(branch);
        (is_other && Pin::typed(&self.args).0.is_empty()).then_some(branch)
    }

    /// Returns the warning for the page of a branch that is not the pin of its source.
    pub(super) fn kept_pin(&self, key: &SourceKey, source: &Source) -> Option<String> {
        let branch = self.other_branch(source)?;
        let pin = Pin::of_source(source);
        // A new source has the newest release as its version.
        if pin.get("version").is_some() && pin.get("sha").is_none() {
            return None;
        }
        let (pin, command) = (pin.describe(), self.args.pinned("--ref", branch).command());
        Some(format!(
            "the page shows `{branch}`, but the source {key} keeps its pin, {pin}; to change it, run `{command}`"
        ))
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
            return (!skills.is_empty()).then(|| format!("run `{}`", self.args.list_command()));
        };
        let skills_dir = Some((*most).to_owned());
        let command = Add { skills_dir, plugin: None, ..self.args.clone() }.command();
        if counts.len() == 1 {
            return Some(format!("run `{command}`"));
        }
        let all = listed(counts.keys(), MAX_LISTED);
        Some(format!("run `{command}` for the most skills; there are skills in {all}"))
    }

    /// Replaces the hints of names that collide with names of the source `key`, and of files in the
    /// place of a skill that is not locked yet, which `sync --restore` ignores.
    pub(super) fn explain_names(
        &self,
        project: &Project,
        key: &SourceKey,
        failure: Error,
    ) -> Error {
        let mut args = self.args.clone();
        let mut count = 0;
        for error in failure.errors() {
            if let Fact::SameName(name, places) = error.fact()
                && let Some((_, path)) = places.iter().find(|(source, _)| source == key)
            {
                let directory = path.file_name().unwrap_or(name);
                args.rename.retain(|(typed, _)| typed != directory);
                args.rename.push((directory.to_owned(), key.qualify(name).to_string()));
                count += 1;
            }
        }
        if count > MAX_RENAMED {
            args = Add { prefix: Some(key.qualify("").to_string()), ..self.args.clone() };
        }
        let mut hint = Some(format!("run `{}`", args.command()));
        let lock = LazyCell::new(|| project.require_lock().ok());
        let is_locked =
            |name: &SkillName| lock.as_ref().is_some_and(|lock| lock.skills.contains_key(name));
        let explained = failure.into_iter().map(|error| match error.fact() {
            Fact::SameName(_, places) if places.iter().any(|(source, _)| source == key) => {
                error.hinted(hint.take())
            }
            Fact::Edited(skill, path, _) if !is_locked(skill) => {
                let what = format!(
                    "cannot write the skill `{skill}`: `{}` is in its place, and belongs to no locked skill",
                    path.display()
                );
                Error::new(error.kind(), "file-unlisted", what)
                    .with_hint("move it elsewhere, then run this command again")
            }
            _ => error,
        });
        explained.collect::<Vec<_>>().into()
    }
}

/// Checks that the planned lockfile has the skills that options name.
///
/// The sync itself checks only the manifest's `include`, and a source without it has all skills.
///
/// # Errors
/// If a name is not the directory of a selected skill.
pub(super) fn check(
    key: &SourceKey,
    source: &Source,
    args: &Add,
    planned: &Synced,
) -> Result<(), Error> {
    let skills = planned.lock.skills_of(key);
    let known: Vec<String> =
        skills.map(|(_, skill)| source.directory_name(key, &skill.path).to_owned()).collect();
    if known.is_empty() && !args.exclude.is_empty() {
        let what = format!("no skill of the source `{key}` would be left");
        return Err(usage_error(what, "name fewer skills in `--exclude`"));
    }
    let is_unused =
        |name: &&String| planned.warnings.contains(&unused_selection(key, "exclude", name));
    if let Some(name) = args.exclude.iter().find(is_unused) {
        return Err(not_selected("--exclude", name, key, &known));
    }
    let is_unknown = |name: &&String| !known.contains(name) && !args.exclude.contains(name);
    if let Some(name) = args.rename.iter().map(|(name, _)| name).find(is_unknown) {
        return Err(not_selected("--rename", name, key, &known));
    }
    if let Some(name) = args.include.iter().find(is_unknown).cloned() {
        let (moved_to, near, known, gone) = (None, None, known.into(), None);
        let why = Unresolved::NotIncluded { name, moved_to, near, known, gone };
        return Err(Error::unresolved(key, why));
    }
    Ok(())
}

/// Returns the error for an option that names none of the selected directories, `known`.
pub(super) fn not_selected<'k>(
    option: &str,
    name: &str,
    key: &SourceKey,
    known: impl IntoIterator<Item = &'k String> + Copy,
) -> Error {
    let what = format!(
        "`{option}` names `{name}`, but the source `{key}` has no selected skill in a directory of that name"
    );
    let hint = match nearest(name, known.into_iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its selected directories are {}", listed(known, MAX_LISTED)),
    };
    usage_error(what, hint)
}
