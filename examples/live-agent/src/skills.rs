//! What runs when a skill is loaded. What an agent of your own has to copy stands between the two rulers.

// ── from here ───────────────────────────────────────────────────────────────────────────────────────────────────
use helix_skills::live::{Approval, LiveCommand, LiveContext};
use helix_skills::{AsyncToolbox, Profile, ToolboxError};
use helix_skills_host::{Directories, Environment, LiveToolbox, ScriptRunner, SystemShell};
use std::{path::Path, time::Duration};

/// The commands that somebody has read, as their authors wrote them: what is passed to them makes no difference.
const REVIEWED: [(&str, &str); 3] = [
    ("triage", "grep -n -e $issue -- issues.txt"),
    ("triage", "cat labels.txt\nwc -l < issues.txt | tr -d ' '"),
    ("stand-up", "cat ${CLAUDE_PROJECT_DIR}/done.txt"),
];

fn approve(command: &LiveCommand) -> Approval {
    if REVIEWED.contains(&(command.skill(), command.source())) {
        return Approval::Allow;
    }
    Approval::Deny("nobody has reviewed it".into())
}

/// What fills the bodies of one conversation. `is_disabled` is the setting `disableSkillShellExecution`.
pub(crate) fn live(session: &str, project: &Path, is_disabled: bool) -> LiveContext {
    // Keys in the environment of the agent stay there.
    LiveContext::new(SystemShell::new().environment(Environment::new().set("LC_ALL", "C")))
        .approve(approve)
        .time_limit(Duration::from_secs(30))
        .session(session)
        .project_directory(project.to_string_lossy())
        .disable_shell_execution(is_disabled)
}

/// An agent that was written for another system gets its tools, and its bodies in that system's way.
pub(crate) async fn agent(profile: Profile, live: LiveContext) -> Result<LiveToolbox<Directories>, ToolboxError> {
    let skills = Directories::new().root("skills");
    let toolbox = LiveToolbox::new(AsyncToolbox::builder(skills).profile(profile).build().await?, live);
    Ok(if profile == Profile::Seed001 { toolbox.with_scripts(ScriptRunner::new()) } else { toolbox })
}
// ── to here ─────────────────────────────────────────────────────────────────────────────────────────────────────
