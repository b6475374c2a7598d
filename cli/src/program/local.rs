//! Directories of skills instead of a project: nothing is locked, and no manifest is needed.

use super::{Context, quoted::quoted, sync::files, typed::Typed, usage_error::usage_error};
use helix_skills_format::{__internal::nearest, Lock};
use helix_skills_project::{
    __internal::{Fact, LocalSkill, LocalSkills, SkillTokens, read_directory},
    Error, Project,
};
use serde_json::{Value, json};
use std::path::Path;

/// Returns whether a word is a path, and not the name of a skill: `./skills`, `skills/pdf` or `.`.
pub(super) fn is_path(word: &str) -> bool {
    matches!(word, "." | "..") || (word.contains(['/', '\\']) && !word.contains("://"))
}

/// Reads the skills in a directory and prints the warnings about them.
pub(super) fn read(context: &Context<'_>, directory: &Path) -> Result<LocalSkills, Error> {
    if let Some(url) = directory.to_str().filter(|typed| typed.contains("://")) {
        let what = format!("`{}` is a URL, expected a directory", Typed::from(url));
        return Err(usage_error(what, "run `skills add URL --list` for what a repository offers"));
    }
    let found = read_directory(&context.start, directory)?;
    found.warnings.iter().for_each(|warning| context.output.warning(warning));
    Ok(found)
}

/// Returns the error for a name that none of the skills in `directory` has.
pub(super) fn unknown(skills: &[LocalSkill], directory: &Path, name: &str) -> Error {
    let shown = directory.display();
    let hint = match nearest(name, skills.iter().map(|skill| skill.skill.name())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("run `skills list {}` for its skills", quoted(&shown.to_string())),
    };
    usage_error(format!("`{shown}` has no skill `{}`", name.escape_debug()), hint)
}

/// Returns a skill as JSON, with the fields that a locked skill has as well.
pub(super) fn facts(skill: &LocalSkill) -> Value {
    json!({
        "name": skill.skill.name(),
        "directory": skill.directory.display().to_string(),
        "integrity": skill.listing.integrity().to_string(),
        "files": skill.listing.iter().count(),
        "bytes": skill.bytes,
        "description": skill.skill.description(),
        "license": skill.license,
        "tokens": tokens_json(SkillTokens::of(&skill.skill_md)),
    })
}

/// Returns the size of a skill: "2 files, 3.40 kB".
pub(super) fn size(skill: &LocalSkill) -> String {
    files(skill.listing.iter().count() as u64, skill.bytes)
}

/// Returns the tokens of description and body as JSON.
pub(super) fn tokens_json(tokens: SkillTokens) -> Value {
    json!({ "description": tokens.description, "body": tokens.body })
}

impl Context<'_> {
    /// Returns the project of a command that does not need one; `None` if there is no manifest.
    pub(super) fn project_if_any(&self) -> Result<Option<Project>, Error> {
        match self.project() {
            Err(failure) if matches!(failure.fact(), Fact::NoManifest(_)) => Ok(None),
            project => project.map(Some),
        }
    }

    /// Returns the project of a command that can read a directory instead.
    pub(super) fn project_or(&self, command: &str) -> Result<Project, Error> {
        self.project().map_err(|failure| match failure.fact() {
            Fact::NoManifest(_) => failure.with_hint(format!(
                "run `skills init` in the project's directory, or name a directory of skills: `skills {command} ./skills`"
            )),
            _ => failure,
        })
    }
}

/// Adds to the errors of a skill that was edited after it was locked how to look at it as it is.
/// `command` returns the command for a directory of the skill's source.
pub(super) fn explain_edited(
    context: &Context<'_>,
    project: &Project,
    lock: &Lock,
    command: impl Fn(&str) -> String,
    failure: Error,
) -> Error {
    let errors = failure.into_iter().map(|error| {
        let Fact::OriginalChanged(name) = error.fact() else { return error };
        let source = lock.skills.get(name).and_then(|skill| lock.sources.get(&skill.source));
        let Some(path) = source.and_then(|source| source.entry.directory()) else { return error };
        let directory = match project.root() == context.start {
            true => format!("./{}", path.as_str().trim_start_matches("./")),
            false => project.root().join(path.as_str()).display().to_string(),
        };
        let hint = format!(
            "run `skills sync` and commit what it writes, or `{}` to look at it as it is",
            command(&quoted(&directory))
        );
        error.with_hint(hint)
    });
    errors.collect::<Vec<_>>().into()
}
