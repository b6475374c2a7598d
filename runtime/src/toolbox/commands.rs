//! Commands of skills, which a toolbox does not run.

use super::Toolbox;
use crate::{Error, ErrorKind, Excerpt, Profile, Skill};
use alloc::{format, string::String, vec::Vec};

/// Returns the line of `SKILL.md`, or of the body if there is no file, at an offset of the body.
#[must_use]
pub fn line_of(skill: &Skill, at: usize) -> usize {
    let [before, body, _] = skill.skill_md();
    1 + before.matches('\n').count() + body[..at].matches('\n').count()
}

/// Checks that a body has no commands. `action` is what an agent without a shell cannot do.
///
/// # Errors
/// If it has commands, for which there is no shell.
pub fn check_commands(skill: &Skill, profile: Profile, action: &str) -> Result<(), Error> {
    let mut parts = skill.template(profile).parts();
    let first = parts.find_map(|part| Some((Excerpt(part.command()?), part.at())));
    let Some((command, at)) = first else { return Ok(()) };
    let line = line_of(skill, at);
    let why = format!(
        "it runs `{command}` (line {line}), and this agent has no shell; give it one, or turn commands off"
    );
    let hint = "pass a `SystemShell`, a `ShellContext` with a sandbox, or `ShellContext::disabled()` to `shell(…)`";
    Err(Error::cannot(ErrorKind::Command, action, skill.name(), why).with_hint(Some(hint)))
}

impl Toolbox<'_> {
    /// Returns a warning, on one line, for each skill with commands: a toolbox has no shell to run
    /// them. An `AsyncToolbox` can have one.
    ///
    /// In [`Profile::Agentick`], as in that system, a call that loads such a skill is answered with
    /// an error. In the other profiles, commands stay in the body as text.
    ///
    /// ```
    /// use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
    /// const LOG: Skill = Skill::define("log", "Sums up changes.", "Sum up: !`git log`").build();
    /// static SKILLS: SkillSet = skill_set![LOG];
    /// assert_eq!(
    ///     Toolbox::new(SKILLS).warnings(),
    ///     ["cannot run the commands of the skill `log`: it runs `git log` (line 1), and this agent \
    ///       has no shell; give it one, or turn commands off"],
    /// );
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let (view, action) = (self.view(), "run the commands of");
        let allowed = self.set.iter().filter(|skill| view.is_allowed(skill.name()));
        let errors = allowed.filter_map(|skill| check_commands(skill, self.profile, action).err());
        errors.map(Error::into_message).collect()
    }
}
