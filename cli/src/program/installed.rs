//! Whether installed skills are as locked.

use super::Context;
use helix_skills_format::Lock;
use helix_skills_host::install::{Installer, SkillChange};
use helix_skills_project::Project;
use helix_skills_runtime::SkillSet;

/// The program that the record next to the installed skills is of.
pub(super) const PROGRAM: &str = "helix-skills";

/// Prints the next step if a sync has left installed copies behind.
pub(super) fn note_outdated(context: &Context<'_>, project: &Project, lock: &Lock) {
    let Ok(skills) = project.read_skills(lock, |_| true) else { return };
    let installer = Installer::new(PROGRAM, SkillSet::new(&skills)).directory(project.root());
    let Ok(report) = installer.dry_run(true).install() else { return };
    let changes = || report.skills().iter().map(|skill| skill.change());
    let is_installed = changes().any(|it| !matches!(it, SkillChange::Added | SkillChange::Foreign));
    if is_installed && !report.is_complete() {
        context.output.note("next:", "run `skills install`: the installed copies are behind");
    }
}
