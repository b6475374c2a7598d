//! What a model would read in a file and a person does not see.

use crate::{
    files,
    problem::Problem,
    project::Project,
    skill::{Bake, BakedSkill},
};
use helix_skills_format::{Allow, Finding, MANIFEST_FILE};
use std::{
    io,
    path::{Path, PathBuf},
};

/// How many files of one skill are reported one by one.
const MAX_REPORTED: usize = 20;

/// Adds a problem for each file with something that its project's manifest does not let through.
///
/// The manifest is read only where something was found: then, and only then, the build depends on
/// it.
pub(crate) fn refuse(project: impl FnOnce() -> Project, bake: &mut Bake) {
    if bake.skills.iter().all(|skill| skill.invisible.is_empty()) {
        return;
    }
    let project = project();
    // Every file is told of besides a manifest that cannot be read: mending it may not be enough.
    let allow = read_allow(&project, &mut bake.tracked).unwrap_or_else(|problems| {
        bake.problems.extend(problems);
        Some(Allow::default())
    });
    for skill in &bake.skills {
        let is_refused = |found: &&Finding| {
            let path = found.file.as_deref().unwrap_or_default();
            allow.as_ref().is_none_or(|allow| !allow.allows(&skill.name, path, found.code))
        };
        let refused: Vec<_> = skill.invisible.iter().filter(is_refused).collect();
        let manifest = allow.is_some().then(|| project.manifest());
        bake.problems.extend(
            refused
                .iter()
                .take(MAX_REPORTED)
                .map(|found| problem(skill, found, manifest.as_deref())),
        );
        if let Some(more @ 1..) = refused.len().checked_sub(MAX_REPORTED) {
            let title = format!(
                "{more} more files of the skill `{}` hold text that nobody sees",
                skill.name
            );
            bake.problems
                .push(Problem::new(title).advice("`skills sync --check` lists all of them"));
        }
    }
}

/// What the manifest lets through; none where there is no manifest.
fn read_allow(
    project: &Project,
    tracked: &mut Vec<PathBuf>,
) -> Result<Option<Allow>, Vec<Problem>> {
    let file = project.manifest();
    let text = match files::read(&file)
        .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
    {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(vec![Problem::io(&file, &error)]),
    };
    let allow = Allow::from_manifest(&text).map_err(|findings| {
        let problem =
            |found| Problem::finding("cannot read the manifest", &file, found, "mend the manifest");
        findings.iter().map(problem).collect::<Vec<_>>()
    });
    tracked.push(file);
    allow.map(Some)
}

/// The error for one file. `manifest` is what could let it through.
fn problem(skill: &BakedSkill, found: &Finding, manifest: Option<&Path>) -> Problem {
    let path = found.file.as_deref().unwrap_or_default();
    let resource = skill.resources.iter().find(|resource| resource.path.as_str() == path);
    let file = resource.map_or(&skill.file, |resource| &resource.file);
    let line = Allow::line(&skill.name, path, found.code);
    let lets_through = match manifest {
        Some(manifest) => format!("write `{line}` into `{}`", manifest.display()),
        None => format!("write `{line}` into a manifest, `{MANIFEST_FILE}`: there is none"),
    };
    let mend = found.hint.as_deref().unwrap_or("remove it");
    let problem =
        Problem::finding(&format!("the skill `{}` is refused", skill.name), file, found, mend);
    problem.advice(format!("{mend}; if it is meant, {lets_through}"))
}
