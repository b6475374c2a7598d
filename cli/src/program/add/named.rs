//! Names of directories on the command line that a source does not have.

use crate::program::{
    args::Add,
    usage_error::{usage_error, usage_error_with},
};
use helix_skills_format::{__internal::nearest, SkillName, SourceKey};
use helix_skills_project::{
    __internal::{Fact, Unresolved},
    Error, Project, Synced,
    manifest::Source,
};
use std::cell::LazyCell;

/// Checks that the planned lockfile has the skills that options name.
///
/// The sync itself checks only the manifest's `include`, and a source without it has all skills.
///
/// # Errors
/// A name is not the directory of a selected skill.
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
    let is_unknown = |name: &&String| !known.contains(name) && !args.exclude.contains(name);
    if let Some(name) = args.include.iter().find(is_unknown) {
        let (name, moved_to, near) = (name.clone(), None, None);
        let why = Unresolved::NotIncluded { name, moved_to, near, known: known.into() };
        return Err(Error::unresolved(key, why));
    }
    if let Some(name) = args.rename.iter().map(|(name, _)| name).find(is_unknown) {
        let what = format!(
            "`--rename` names `{name}`, but the source `{key}` has no selected skill in a directory of that name"
        );
        let near = nearest(name, known.iter().map(String::as_str));
        let hint = near.map(|near| format!("did you mean `{near}`?"));
        return Err(usage_error_with(what, hint));
    }
    Ok(())
}

/// Explains files in the place of a skill that is not locked yet, which `sync --restore` ignores.
pub(super) fn explain_occupied(project: &Project, failure: Error) -> Error {
    let lock = LazyCell::new(|| project.require_lock().ok());
    let is_locked =
        |name: &SkillName| lock.as_ref().is_some_and(|lock| lock.skills.contains_key(name));
    let explained = failure.into_iter().map(|error| match error.fact() {
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
