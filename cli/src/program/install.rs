//! `skills install` and `skills uninstall`: the locked skills in the directories of coding agents.

use super::{
    Context, args,
    installed::PROGRAM,
    local::explain_edited,
    quoted::quoted,
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
    Ok(print(context, &report, args.dry_run, args.check, &args.scope, &args.agents, force))
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
    let read = |name| project.read_skill(&lock, name).ok();
    let skills: Vec<Skill> = lock.skills.keys().filter_map(read).collect();
    let installer =
        installer(context, &project, &skills, &args.scope).force(args.force).dry_run(args.dry_run);
    let report = installer.uninstall().map_err(failed)?;
    let force = "use `--force` to remove edited skills";
    Ok(print(context, &report, args.dry_run, false, &args.scope, &[], force))
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

/// Returns the command that installs for these agents, into the same place.
fn command(scope: &args::InstallScope, agents: &[CodingAgent]) -> String {
    let place = match &scope.dir {
        Some(dir) => format!(" --dir {}", quoted(&dir.to_string_lossy())),
        None if scope.user => " --user".to_owned(),
        None => String::new(),
    };
    agents
        .iter()
        .fold(format!("skills install{place}"), |it, agent| format!("{it} --agent {agent}"))
}

/// Returns the error for a word that belongs to another command.
fn unexpected(command: &str, word: &Typed, hint: &str) -> Error {
    usage_error(format!("unexpected argument `{word}` of `skills {command}`"), hint)
}

fn failed(error: helix_skills_host::Error) -> Error {
    Error::new(ErrorKind::Disk, "disk", "failed to install the skills")
        .hinted(error.hint())
        .with_source(error)
}

/// Prints what was done with each skill, and returns the kind if something is left to do. `agents`
/// are for the next command, and `force` is the hint on skills that the user has changed.
fn print(
    context: &Context<'_>,
    done: &Installation,
    dry_run: bool,
    check: bool,
    scope: &args::InstallScope,
    agents: &[CodingAgent],
    force: &str,
) -> Option<ErrorKind> {
    let (output, command) = (context.output, command(scope, agents));
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
        output.note("help:", format!("move it away, then run `{command}`"));
    }
    if fails_for_edits {
        let source = "or make the change in the source of the skill";
        output.note("next:", format!("run `{command} --force`, {source}"));
    } else if is_idle {
        let what = match kept.len() {
            0 => "nothing to do".to_owned(),
            1 => "1 skill is kept as you changed it, nothing else to do".to_owned(),
            count => format!("{count} skills are kept as you changed them, nothing else to do"),
        };
        output.note("ok", format!("{}: {what}", skills(names.len())));
    } else if dry_run {
        output.note("dry run:", "nothing was written");
    } else if check {
        output.note("next:", format!("run `{command}`"));
    } else if has(SkillChange::Added) && is_in_project(scope) {
        output.note("next:", "commit the directories of the agents, or add them to .gitignore");
    }
    let is_wrong = !done.is_complete() || fails_for_edits;
    let kind = (is_wrong && !dry_run).then_some(ErrorKind::Drift);
    output.verdict(kind, || done.to_json());
    kind
}
