//! Running the commands of a body one after the other.

use super::{
    Approval, ExitStatus, LiveCommand, LiveContext, OnFailure, ProcessOutput, Shell, ShellCommand,
    error::{self, CommandFailure},
    exit_code::one_is_a_result,
};
use crate::{Error, error_text::error_text};
use alloc::{string::String, vec::Vec};
use core::fmt::{Display, Write};
use helix_skills_runtime::{OneLine, Profile};

/// The text that replaces a command if commands are disabled, in the words of Claude Code.
pub(super) const DISABLED: &str = "[shell command execution disabled by policy]";

/// Maximum number of characters of a failure that replaces a command in a body.
const MAX_FAILURE: usize = 400;

/// Runs commands, and returns the text that replaces each. `template` has the fields that all
/// commands share.
///
/// All commands are approved before the first one runs, so that a denial leaves nothing half done.
pub(super) async fn outputs(
    context: &LiveContext,
    profile: Profile,
    shell: &(dyn Shell + Send + Sync),
    commands: &[LiveCommand],
    template: ShellCommand<'_>,
) -> Result<Vec<String>, Error> {
    let mut denials = Vec::with_capacity(commands.len());
    for command in commands {
        match (denial(context, command).await, context.on_failure) {
            (Some(failure), OnFailure::Abort) => return Err(failed(command, failure)),
            (denial, _) => denials.push(denial),
        }
    }

    let mut time_left = context.total_time_limit;
    let mut bytes_left = context.total_output_limit;
    let mut outputs = Vec::with_capacity(commands.len());
    for (command, denial) in commands.iter().zip(denials) {
        let result = match denial {
            Some(failure) => Err(failure),
            None if time_left.is_zero() => {
                Err(CommandFailure::NoTimeLeft { limit: context.total_time_limit })
            }
            None => {
                let request = ShellCommand {
                    text: command.text(),
                    directory: command.directory(),
                    time_limit: context.time_limit.min(time_left),
                    output_limit: context.output_limit.min(bytes_left),
                    ..template
                };
                let elapsed = shell.start_timer();
                let result = shell.run(request).await;
                time_left = time_left.saturating_sub(elapsed());
                result
                    .map(|output| output.within(request.output_limit))
                    .map_err(|source| CommandFailure::NotRun { source })
            }
        };
        let text = match (result, context.on_failure) {
            (Ok(output), _) if is_success(output.exit, command, profile) => {
                bytes_left = bytes_left.saturating_sub(output.text.len());
                output_text(output)
            }
            (Ok(output), OnFailure::Inline) => {
                bytes_left = bytes_left.saturating_sub(output.text.len());
                let failure = CommandFailure::Exit { exit: output.exit, output: String::new() };
                with_note(output_text(output), format_args!("the command {failure}"))
            }
            (Ok(output), OnFailure::Abort) => {
                return Err(failed(
                    command,
                    CommandFailure::Exit { exit: output.exit, output: output.text },
                ));
            }
            (Err(failure), OnFailure::Inline) => {
                let failure = error_text(&failure, MAX_FAILURE);
                with_note(String::new(), format_args!("the command {}", OneLine(&failure)))
            }
            (Err(failure), OnFailure::Abort) => return Err(failed(command, failure)),
        };
        outputs.push(text);
    }
    Ok(outputs)
}

/// Returns whether the output of a command is used as it is.
fn is_success(exit: ExitStatus, command: &LiveCommand, profile: Profile) -> bool {
    exit.is_success()
        || (profile == Profile::ClaudeCode
            && exit == ExitStatus::Code(1)
            && one_is_a_result(command.source()))
}

async fn denial(context: &LiveContext, command: &LiveCommand) -> Option<CommandFailure> {
    match (context.approve.as_ref()?.0)(command).await {
        Ok(Approval::Allow) => None,
        Ok(Approval::Deny(why)) => Some(CommandFailure::Denied { why }),
        Err(source) => Some(CommandFailure::ApprovalFailed { source }),
    }
}

fn failed(command: &LiveCommand, failure: CommandFailure) -> Error {
    error::failed(command.skill(), command.source(), command.line(), failure)
}

/// Returns the text of an output, with a note if some of it is left out.
fn output_text(output: ProcessOutput) -> String {
    match output.left_out {
        0 => output.text,
        left_out => with_note(output.text, format_args!("{left_out} bytes more are left out")),
    }
}

/// Appends a note on a line of its own.
fn with_note(mut text: String, note: impl Display) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // Writing to a `String` does not fail.
    let _ = write!(text, "[{note}]");
    text
}
