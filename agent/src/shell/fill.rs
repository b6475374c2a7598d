//! Filling the body of a skill, and running its commands.

use super::{
    ExitStatus, MAX_COMMANDS, Shell, ShellCommand, ShellContext,
    context::{Runner, WorkingDirectory},
    error,
    exit_code::one_is_a_result,
    variables::{environment, first_missing},
};
use crate::{Error, error_text::error_text};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use helix_skills_runtime::{
    __internal::{check_commands, line_of},
    Arguments, FilledTemplate, MAX_FILLED_BYTES, OneLine, Profile, Skill,
};

/// The text that replaces a command if commands are disabled, in the words of Claude Code.
const DISABLED: &str = "[shell command execution disabled by policy]";

/// Maximum number of characters of a failure that replaces a command in a body.
const MAX_FAILURE: usize = 400;

impl ShellContext {
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
        let filled = skill.template(profile).bind(arguments, &self.variables);
        self.fill_in(skill, profile, filled, directory, directory).await
    }

    /// Like [`fill`](Self::fill), for a body that is bound to its values. `shown` is the directory
    /// in the text, and `directory` the one in which commands run.
    pub(crate) async fn fill_in(
        &self,
        skill: &Skill,
        profile: Profile,
        filled: FilledTemplate<'_>,
        directory: Option<&str>,
        shown: Option<&str>,
    ) -> Result<String, Error> {
        let filled = filled.unquoted(self.is_unquoted).in_directory(directory);
        let outputs = self.outputs(skill, profile, &filled, directory).await?;
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        Ok(filled.in_directory(shown).with_outputs(&outputs).to_string())
    }

    /// Runs the commands of a body, and returns one output for each.
    async fn outputs(
        &self,
        skill: &Skill,
        profile: Profile,
        filled: &FilledTemplate<'_>,
        directory: Option<&str>,
    ) -> Result<Vec<String>, Error> {
        if filled.is_too_long() {
            return Err(error::too_long(skill.name(), MAX_FILLED_BYTES));
        }
        let written = filled.commands();
        if written.len() > MAX_COMMANDS {
            return Err(error::too_many(skill.name(), MAX_COMMANDS));
        }
        let shell = match &self.runner {
            Runner::Shell(shell) if !written.is_empty() => &**shell,
            Runner::None => return check_commands(skill, profile, "load").map(|()| Vec::new()),
            _ => return Ok(vec![DISABLED.to_owned(); written.len()]),
        };
        let environment = environment(&self.variables, directory);
        for command in written {
            if let Some(variable) = first_missing(command.variables(), &environment) {
                let (source, line) = (command.source, line_of(skill, command.at));
                return Err(error::unknown_variable(skill.name(), source, line, variable));
            }
        }
        let dialect = skill.shell();
        if let Some(other) = dialect.filter(|dialect| !matches!(*dialect, "sh" | "bash")) {
            return Err(error::dialect(skill.name(), other));
        }
        let directory_of_commands = match &self.working_directory {
            WorkingDirectory::Shell => None,
            WorkingDirectory::At(path) => Some(path.as_str()),
            WorkingDirectory::Profile if runs_in_session(profile) => None,
            WorkingDirectory::Profile if directory.is_none() => {
                return Err(error::no_directory(skill.name()));
            }
            WorkingDirectory::Profile => directory,
        };
        let texts = filled.command_texts().map_err(|source| error::value(skill.name(), source))?;
        let commands = written.iter().zip(&texts).map(|(command, text)| ShellCommand {
            skill: skill.name(),
            source: command.source,
            line: line_of(skill, command.at),
            directory: directory_of_commands,
            dialect,
            environment: &environment,
            time_limit: self.time_limit,
            output_limit: self.output_limit,
            ..ShellCommand::new(text)
        });
        self.run(shell, profile, &commands.collect::<Vec<_>>()).await
    }

    /// Runs commands one after the other, and returns the text that replaces each.
    ///
    /// All commands are approved before the first one runs, so that a denial leaves nothing half
    /// done.
    async fn run(
        &self,
        shell: &dyn Shell,
        profile: Profile,
        commands: &[ShellCommand<'_>],
    ) -> Result<Vec<String>, Error> {
        let shows_all = self.shows_failures == Some(true);
        let shows = self.shows_failures.unwrap_or(shows_failures(profile));
        let mut denials = Vec::with_capacity(commands.len());
        for command in commands {
            match self.denial(command).await {
                Some(denial) if !shows_all => return Err(error::failed(command, denial)),
                denial => denials.push(denial),
            }
        }
        let mut time_left = self.total_time_limit;
        let mut bytes_left = self.total_output_limit;
        let mut outputs = Vec::with_capacity(commands.len());
        for (command, denial) in commands.iter().zip(denials) {
            let result = match denial {
                Some(denial) => Err(denial),
                None if time_left.is_zero() => Err(error::no_time_left(self.total_time_limit)),
                None => {
                    let limited = ShellCommand {
                        time_limit: command.time_limit.min(time_left),
                        output_limit: command.output_limit.min(bytes_left),
                        ..*command
                    };
                    let result = shell.run(limited).await;
                    // A command that was not run may have waited for its shell.
                    let time = result.as_ref().map_or(limited.time_limit, |output| output.time);
                    time_left = time_left.saturating_sub(time);
                    result.map(|output| output.within(limited.output_limit)).map_err(error::not_run)
                }
            };
            let (output, failure) = match result {
                Ok(output) if is_success(output.exit, command, profile) => (Some(output), None),
                Ok(output) if shows => {
                    let failure = match output.exit {
                        ExitStatus::Code(code) => format!("exit code: {code}"),
                        exit => format!("the command {exit}"),
                    };
                    (Some(output), Some(failure))
                }
                Ok(output) => {
                    let failure = error::exited(output.exit, &output.text);
                    return Err(error::failed(command, failure));
                }
                Err(failure) if shows_all => {
                    let failure = error_text(&failure, MAX_FAILURE);
                    (None, Some(format!("the command {}", OneLine(&failure))))
                }
                Err(failure) => return Err(error::failed(command, failure)),
            };
            let mut text = String::new();
            if let Some(output) = output {
                bytes_left = bytes_left.saturating_sub(output.text.len());
                text = output.text;
                if output.left_out > 0 {
                    add_note(&mut text, &format!("{} bytes more are left out", output.left_out));
                }
            }
            if let Some(failure) = failure {
                add_note(&mut text, &failure);
            }
            outputs.push(text);
        }
        Ok(outputs)
    }

    /// Returns why the host does not allow a command; `None` if it does.
    async fn denial(&self, command: &ShellCommand<'_>) -> Option<Error> {
        let denial = self.approve.as_ref()?(command).await.err()?;
        Some(error::denied(&*denial))
    }
}

/// Returns whether the output of a command is used as it is.
fn is_success(exit: ExitStatus, command: &ShellCommand<'_>, profile: Profile) -> bool {
    exit == ExitStatus::Code(0)
        || (profile == Profile::ClaudeCode
            && exit == ExitStatus::Code(1)
            && one_is_a_result(command.source))
}

/// Appends a note on a line of its own.
fn add_note(text: &mut String, note: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    *text += &format!("[{note}]");
}

/// Returns whether commands run in the directory of the agent's session.
const fn runs_in_session(profile: Profile) -> bool {
    matches!(profile, Profile::Agentick | Profile::ClaudeCode)
}

/// Returns whether a body contains the failures of its commands by default.
const fn shows_failures(profile: Profile) -> bool {
    matches!(profile, Profile::SkillUse | Profile::Agentick | Profile::ClaudeCode)
}
