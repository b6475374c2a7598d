//! `skills install` and `skills uninstall`: the locked skills in the directories of coding agents.

use super::{
    Context, args,
    installed::PROGRAM,
    local::explain_edited,
    sync::{report, skills},
    typed::Typed,
    usage_error::usage_error,
};
use clap::ValueEnum as _;
use helix_skills_format::{__internal::printable_lines, Digest};
use helix_skills_host::install::{CodingAgent, Installation, Installer, SkillChange};
use helix_skills_project::{Error, ErrorKind, Project};
use helix_skills_runtime::{Skill, SkillSet};
use std::{collections::BTreeSet, path::Component};

pub(super) fn install(
    context: &Context<'_>,
    args: &args::Install,
) -> Result<Option<ErrorKind>, Error> {
    if let Some(word) = args.sources.first() {
        let hint = "run `skills add SOURCE` to add skills to the manifest, then `skills install`";
        let agent = CodingAgent::from_str(word.with_secrets(), true);
        let hint = agent.map_or(hint.into(), |it| format!("run `skills install --agent {it}`"));
        return Err(unexpected("install", word, &hint));
    }
    let project = context.project()?;
    let lock = project.require_lock()?;
    let skills = project.read_skills(&lock, |_| true).map_err(|failure| {
        let command = |directory: &str| format!("skills list {directory}");
        explain_edited(context, &project, &lock, command, failure)
    })?;
    let installer = installer(context, &project, &skills, &args.scope)
        .agents(args.agents.iter().copied())
        .force(args.force)
        .dry_run(args.dry_run || args.check);
    let report = installer.install().map_err(failed)?;
    let force = "use `--force` to replace edited skills, and to install removed ones";
    Ok(print(context, &report, args.dry_run, args.check, &args.scope, force))
}

pub(super) fn uninstall(
    context: &Context<'_>,
    args: &args::Uninstall,
) -> Result<Option<ErrorKind>, Error> {
    if let Some(word) = args.names.first() {
        return Err(unexpected(
            "uninstall",
            word,
            "run `skills remove NAME` to remove skills from the manifest, then `skills install`; without a name, `skills uninstall` removes all installed copies",
        ));
    }
    let project = context.project()?;
    // Without the locked skills, copies can be removed, but not compared.
    let lock = project.lock().ok().flatten().unwrap_or_default();
    let names = lock.skills.keys();
    let skills: Vec<Skill> =
        names.filter_map(|name| project.read_skill(&lock, name).ok()).collect();
    let installer =
        installer(context, &project, &skills, &args.scope).force(args.force).dry_run(args.dry_run);
    let report = installer.uninstall().map_err(failed)?;
    let force = "use `--force` to remove edited skills";
    Ok(print(context, &report, args.dry_run, false, &args.scope, force))
}

fn installer<'s>(
    context: &Context<'_>,
    project: &Project,
    skills: &'s [Skill],
    scope: &args::InstallScope,
) -> Installer<'s> {
    let mut program = PROGRAM.to_owned();
    if !is_in_project(scope) {
        // Outside of the project may be skills of other projects, which have their own records.
        let root = std::path::absolute(project.root()).unwrap_or_default();
        let digest = Digest::hash(root.as_os_str().as_encoded_bytes()).to_string();
        program.extend(["-", &digest[..8]]);
    }
    let installer = Installer::new(program, SkillSet::new(skills)).directory(project.root());
    match &scope.dir {
        Some(path) => installer.skills_dir(context.start.join(path)),
        None if scope.user => installer.user(),
        None => installer,
    }
}

fn is_in_project(scope: &args::InstallScope) -> bool {
    let stays = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    scope.dir.as_ref().map_or(!scope.user, |dir| dir.components().all(stays))
}

/// Returns the error for a word that belongs to another command.
fn unexpected(command: &str, word: &Typed, hint: &str) -> Error {
    usage_error(format!("unexpected argument `{word}` of `skills {command}`"), hint)
}

fn failed(error: helix_skills_host::Error) -> Error {
    let hint = error.hint();
    Error::new(ErrorKind::Disk, "disk", "failed to install the skills")
        .with_source(error)
        .hinted(hint)
}

/// Prints what was done with each skill, and returns the kind if something is left to do. `force`
/// is the hint on skills that the user has changed.
fn print(
    context: &Context<'_>,
    done: &Installation,
    dry_run: bool,
    check: bool,
    scope: &args::InstallScope,
    force: &str,
) -> Option<ErrorKind> {
    let output = context.output;
    done.warnings().iter().for_each(|warning| output.warning(warning));
    let has = |change| done.skills().iter().any(|skill| skill.change() == change);
    let (mut names, mut kept, mut is_idle) = (BTreeSet::new(), BTreeSet::new(), done.is_complete());
    for skill in done.skills() {
        names.insert(skill.name());
        match skill.change() {
            SkillChange::Unchanged => {}
            change @ (SkillChange::Edited | SkillChange::Deleted | SkillChange::Foreign) => {
                output.warning(&skill.to_string());
                output.data(&printable_lines(skill.diff()));
                if change != SkillChange::Foreign {
                    kept.insert(skill.name());
                }
            }
            change => {
                is_idle = false;
                let line = skill.to_string();
                let text = line.strip_prefix(change.as_str()).unwrap_or(&line).trim_start();
                report(context, dry_run || check, change.as_str(), text);
            }
        }
    }
    let fails_for_edits = check && has(SkillChange::Edited);
    if !fails_for_edits && !kept.is_empty() {
        output.note("help:", force);
    }
    if has(SkillChange::Foreign) {
        output.note("help:", "move it away, then run `skills install`");
    }
    let total = skills(names.len());
    if fails_for_edits {
        output.note(
            "next:",
            "run `skills install --force`, or make the change in the source of the skill",
        );
    } else if is_idle {
        let what = match kept.len() {
            0 => "nothing to do".to_owned(),
            1 => "1 skill is kept as you changed it, nothing else to do".to_owned(),
            count => format!("{count} skills are kept as you changed them, nothing else to do"),
        };
        output.note("ok", format!("{total}: {what}"));
    } else if dry_run {
        output.note("dry run:", "nothing was written");
    } else if check {
        output.note("next:", "run `skills install`");
    } else if has(SkillChange::Added) && is_in_project(scope) {
        output.note("next:", "commit the directories of the agents, or add them to .gitignore");
    }
    let is_wrong = !done.is_complete() || fails_for_edits;
    let kind = (is_wrong && !dry_run).then_some(ErrorKind::Drift);
    output.verdict(kind, || done.to_json());
    kind
}
