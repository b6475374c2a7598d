//! Rejecting text that a model reads and a reviewer does not see.

use crate::{
    problem::Problem,
    project::Project,
    skill::{Bake, BakedSkill},
};
use helix_skills_format::{__internal::MANIFEST_FILE, Allow, Finding};
use std::path::Path;

/// Maximum number of files of one skill that are reported individually.
const MAX_REPORTED: usize = 20;

/// Adds a problem for each file with invisible text that the project's manifest does not allow.
///
/// The manifest's exceptions are only read if there is invisible text.
pub(crate) fn check(project: &Project, bake: &mut Bake) {
    if bake.skills.iter().all(|skill| skill.invisible.is_empty()) {
        return;
    }
    // If the manifest cannot be read, the files are reported as well, because fixing the manifest
    // may not be enough.
    // What the manifest allows; `None` if there is no manifest.
    let allow = project.parse_manifest(&mut bake.tracked, Allow::from_manifest);
    let allow = allow.unwrap_or_else(|problems| {
        // Comparing the manifest with the lockfile may have reported them.
        for problem in problems {
            if bake.problems.iter().all(|known| known.message() != problem.message()) {
                bake.problems.push(problem);
            }
        }
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
            bake.problems.push(Problem::new(title).help("`skills sync --check` lists all of them"));
        }
    }
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
    problem.help(format!("{fix}; if it is intended, {allow_hint}"))
}
