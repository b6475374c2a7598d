//! Whether installed skills are as locked.

use super::Context;
use helix_skills_format::Lock;
use helix_skills_host::install::{Installer, SkillChange, installed_differ};
use helix_skills_project::Project;
use helix_skills_runtime::SkillSet;

/// The program that the record next to the installed skills is of.
pub(super) const PROGRAM: &str = "helix-skills";

/// Prints the next step if a sync has left installed copies behind. Skills are read only if the
/// records of the copies differ from the lockfile.
pub(super) fn note_outdated(context: &Context<'_>, project: &Project, lock: &Lock) {
    let Ok(true) = installed_differ(PROGRAM, project.root(), lock) else { return };
    let Ok(skills) = project.read_skills(lock, |_| true) else { return };
    let installer = Installer::new(PROGRAM, SkillSet::new(&skills)).directory(project.root());
    let Ok(report) = installer.dry_run(true).install() else { return };
    let changes = || report.skills().iter().map(|skill| skill.change());
    let is_installed = changes().any(|it| !matches!(it, SkillChange::Added | SkillChange::Foreign));
    let is_left =
        |it| matches!(it, SkillChange::Added | SkillChange::Updated | SkillChange::Removed);
    if is_installed && changes().any(is_left) {
        context.output.note("next:", "run `skills install`: the installed copies are behind");
    }
}
