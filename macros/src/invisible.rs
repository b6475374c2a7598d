//! Rejecting text that a model reads and a reviewer does not see.

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

/// Maximum number of files of one skill that are reported individually.
const MAX_REPORTED: usize = 20;

/// Adds a problem for each file with invisible text that the project's manifest does not allow.
///
/// The manifest is only read, and tracked as an input of the build, if there is invisible text.
pub(crate) fn check(project: impl FnOnce() -> Project, bake: &mut Bake) {
    if bake.skills.iter().all(|skill| skill.invisible.is_empty()) {
        return;
    }
    let project = project();
    // If the manifest cannot be read, the files are reported as well, because fixing the manifest
    // may not be enough.
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
            let title =
                format!("{more} more files of the skill `{}` contain invisible text", skill.name);
            bake.problems
                .push(Problem::new(title).advice("`skills sync --check` lists all of them"));
        }
    }
}

/// Returns what the manifest allows; `None` if there is no manifest.
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
        Err(error) => return Err(vec![Problem::from_io(&file, &error)]),
    };
    let allow = Allow::from_manifest(&text).map_err(|findings| {
        let problem = |found| {
            Problem::from_finding("cannot read the manifest", &file, found, "fix the manifest")
        };
        findings.iter().map(problem).collect::<Vec<_>>()
    });
    tracked.push(file);
    allow.map(Some)
}

/// Returns the error for one file. `manifest` is the file that can allow it.
fn problem(skill: &BakedSkill, found: &Finding, manifest: Option<&Path>) -> Problem {
    let path = found.file.as_deref().unwrap_or_default();
    let resource = skill.resources.iter().find(|resource| resource.path.as_str() == path);
    let file = resource.map_or(&skill.file, |resource| &resource.file);
    let line = Allow::line(&skill.name, path, found.code);
    let allow_hint = match manifest {
        Some(manifest) => format!("write `{line}` into `{}`", manifest.display()),
        None => format!("write `{line}` into a new manifest `{MANIFEST_FILE}`"),
    };
    let fix = found.hint.as_deref().unwrap_or("remove it");
    let problem =
        Problem::from_finding(&format!("the skill `{}` is refused", skill.name), file, found, fix);
    problem.advice(format!("{fix}; if it is intended, {allow_hint}"))
}
