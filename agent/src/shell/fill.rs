//! Filling the body of a skill.

use super::{
    LiveCommand, LiveContext, MAX_COMMANDS, ShellCommand, WorkingDirectory,
    command::AuthoredCommand, error, outputs, variables::HostVariables,
};
use crate::Error;
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use helix_skills_runtime::{Arguments, MAX_FILLED_BYTES, Profile, Skill, Variables};

impl LiveContext {
    /// Fills the body of a skill by the rules of `profile`, and runs its commands. `directory` is
    /// the absolute path of the skill's files [default: the skill's own directory, if it has one].
    ///
    /// Dropping the future ends a running command, if the shell supports that.
    ///
    /// # Errors
    /// If a command cannot be run, is denied, or fails.
    pub async fn fill(
        &self,
        skill: &Skill,
        profile: Profile,
        arguments: Arguments<'_>,
        directory: Option<&str>,
    ) -> Result<String, Error> {
        let directory = directory.or_else(|| skill.directory());
        let outputs = self.outputs(skill, profile, arguments, directory).await?;
        self.with_variables(directory, &outputs, |variables, outputs| {
            let filled = skill.template(profile).fill(arguments, variables).with_outputs(outputs);
            filled
                .map(|filled| filled.to_string())
                .map_err(|source| error::value(skill.name(), source))
        })
    }

    /// Runs the commands of a body, and returns one output for each.
    pub(crate) async fn outputs(
        &self,
        skill: &Skill,
        profile: Profile,
        arguments: Arguments<'_>,
        directory: Option<&str>,
    ) -> Result<Vec<String>, Error> {
        let is_too_long = self.variables.with(directory, |variables| {
            skill.template(profile).fill(arguments, variables).quoted(self.quote).is_too_long()
        });
        if is_too_long {
            return Err(error::too_long(skill.name(), MAX_FILLED_BYTES));
        }
        let authored = AuthoredCommand::all(skill, profile);
        if authored.len() > MAX_COMMANDS {
            return Err(error::too_many(skill.name(), MAX_COMMANDS));
        }
        if self.is_disabled || authored.is_empty() {
            return Ok(vec![outputs::DISABLED.to_owned(); authored.len()]);
        }
        let Some(shell) = &self.shell else {
            return without_shell(skill, profile).map(|()| Vec::new());
        };
        let mut environment = self.variables.environment(directory);
        environment.extend(self.environment.iter().cloned());
        for AuthoredCommand { source: command, line, variables } in authored {
            if let Some(variable) = HostVariables::first_missing(&variables, &environment) {
                return Err(error::unknown_variable(skill.name(), &command, line, variable));
            }
        }
        let dialect = dialect(skill)?;
        let working_directory = match &self.working_directory {
            WorkingDirectory::Shell => None,
            WorkingDirectory::At(path) => Some(path.as_str()),
            WorkingDirectory::Profile if runs_in_session(profile) => None,
            WorkingDirectory::Profile if directory.is_none() => {
                return Err(error::no_directory(skill.name()));
            }
            WorkingDirectory::Profile => directory,
        };
        let commands = self.variables.with(directory, |variables| {
            LiveCommand::all(skill, profile, self.quote, arguments, variables)
        });
        let mut commands = commands.map_err(|source| error::value(skill.name(), source))?;
        commands
            .iter_mut()
            .for_each(|command| command.directory = working_directory.map(str::to_owned));
        let template = ShellCommand { dialect, environment: &environment, ..ShellCommand::new("") };
        outputs::outputs(self, profile, &**shell, &commands, template).await
    }

    /// Calls `read` with the variables of a skill in `directory`, and with borrowed outputs.
    pub(crate) fn with_variables<R>(
        &self,
        directory: Option<&str>,
        outputs: &[String],
        read: impl FnOnce(Variables<'_>, &[&str]) -> R,
    ) -> R {
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        self.variables.with(directory, |variables| read(variables, &outputs))
    }
}

/// Checks that a body has no commands.
///
/// # Errors
/// If it has commands, for which there is no shell.
pub(crate) fn without_shell(skill: &Skill, profile: Profile) -> Result<(), Error> {
    let commands = AuthoredCommand::all(skill, profile);
    let Some(AuthoredCommand { source: command, line, .. }) = commands.into_iter().next() else {
        return Ok(());
    };
    Err(error::no_shell(skill.name(), &command, line))
}

/// Returns whether commands run in the directory of the agent's session.
const fn runs_in_session(profile: Profile) -> bool {
    matches!(profile, Profile::Agentick | Profile::ClaudeCode)
}

/// Returns the shell that a skill is written for.
fn dialect(skill: &Skill) -> Result<Option<&'static str>, Error> {
    match skill.shell() {
        None => Ok(None),
        Some("sh") => Ok(Some("sh")),
        Some("bash") => Ok(Some("bash")),
        Some(other) => Err(error::dialect(skill.name(), other)),
    }
}
