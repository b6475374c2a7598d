//! The commands that a loaded skill may run. To write your own agent, copy the part between the two
//! rulers.

// ── from here ────────────────────────
use helix_skills::shell::{ShellCommand, ShellContext};
use helix_skills::{AsyncToolbox, Error, Profile, template::Variables};
use helix_skills_host::{Directories, Environment, ScriptRunner, SystemShell};
use std::{path::Path, time::Duration};

/// The reviewed commands, as their authors wrote them, before arguments are inserted.
const REVIEWED: [(&str, &str); 3] = [
    ("triage", "grep -n -e $issue -- issues.txt"),
    ("triage", "cat labels.txt\nwc -l < issues.txt | tr -d ' '"),
    ("stand-up", "cat ${CLAUDE_PROJECT_DIR}/done.txt"),
];

fn approve(command: &ShellCommand<'_>) -> Result<(), &'static str> {
    match REVIEWED.contains(&(command.skill, command.source)) {
        true => Ok(()),
        false => Err("it has not been reviewed"),
    }
}

/// Returns the context that fills the bodies of one conversation. `is_disabled` is the setting
/// `disableSkillShellExecution`.
pub(crate) fn live(session: &str, project: &Path, is_disabled: bool) -> ShellContext {
    // Commands get only a few variables of the agent's environment, and none of its keys.
    let shell = SystemShell::new().environment(Environment::new().set("LC_ALL", "C"));
    let context = if is_disabled { ShellContext::disabled() } else { ShellContext::new(shell) };
    let variables = Variables::new().session(session);
    context
        .approve(approve)
        .time_limit(Duration::from_secs(30))
        .variables(variables.project_directory(&project.to_string_lossy()))
}

/// Returns the toolbox of an agent that follows the conventions of another system.
pub(crate) async fn agent(
    profile: Profile,
    live: ShellContext,
) -> Result<AsyncToolbox<Directories>, Error> {
    let toolbox =
        AsyncToolbox::builder(Directories::new().root("skills")).profile(profile).shell(live);
    if profile == Profile::SkillUse {
        toolbox.scripts(ScriptRunner::new()).build().await
    } else {
        toolbox.build().await
    }
}
// ── to here ──────────────────────────
