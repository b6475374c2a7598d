//! Whether installed skills are as locked.

use super::Context;
use helix_skills_format::{Lock, LockedSkill, SkillName};
use helix_skills_host::install::{Installer, SkillChange};
use helix_skills_project::Project;
use helix_skills_runtime::SkillSet;
use serde_json::Value;
use std::fs;

/// The program that the record next to the installed skills is of.
pub(super) const PROGRAM: &str = "helix-skills";

/// Maximum size of a record in bytes.
const MAX_RECORD_BYTES: u64 = 1 << 20;

/// Returns whether a record next to installed skills differs from the lockfile, without reading
/// any skill.
pub(super) fn differs_from_records(project: &Project, lock: &Lock) -> bool {
    // The directories of all known agents.
    [".agents", ".claude", ".kiro"].iter().any(|agent| {
        let path = project.root().join(format!("{agent}/skills/.{PROGRAM}.json"));
        let is_record = |it: fs::Metadata| it.is_file() && it.len() <= MAX_RECORD_BYTES;
        let is_record = fs::symlink_metadata(&path).is_ok_and(is_record);
        let text = is_record.then(|| fs::read(path).ok()).flatten().unwrap_or_default();
        let record: Value = serde_json::from_slice(&text).unwrap_or_default();
        let is_behind = |(name, locked): (&SkillName, &LockedSkill)| {
            let written = &record["skills"][name.as_str()];
            written["link"].is_null() && written["integrity"] != locked.integrity.to_string()
        };
        record["skills"].as_object().is_some_and(|skills| {
            skills.len() != lock.skills.len() || lock.skills.iter().any(is_behind)
        })
    })
}

/// Prints the next step if a sync has left installed copies behind.
pub(super) fn note_outdated(context: &Context<'_>, project: &Project, lock: &Lock) {
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
