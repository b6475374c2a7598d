//! Errors of filling bodies.

use super::ExitStatus;
use crate::{Error, ErrorKind, ProviderError, error_text::truncate_chars};
use alloc::{
    format,
    string::{String, ToString},
};
use core::{error, fmt, time::Duration};
use helix_skills_runtime::{CommandError, OneLine};

/// Maximum number of characters of a command in an error.
const MAX_COMMAND: usize = 80;

/// Maximum number of characters of a command's output in an error. The last ones are kept, because
/// they usually say why the command failed.
const MAX_OUTPUT: usize = 300;

fn cannot_run(kind: ErrorKind, skill: &str, why: impl fmt::Display) -> Error {
    Error::cannot(kind, "run the commands of", skill, why)
}

/// The body has commands, of which this is the first, and there is no shell.
pub(super) fn no_shell(skill: &str, command: &str, line: usize) -> Error {
    let why = format!(
        "it runs `{}` (line {line}), and this agent has no shell; give it one, or turn commands off",
        start(command)
    );
    Error::cannot(ErrorKind::Command, "load", skill, why).with_hint(Some(
        "pass a `SystemShell`, or a `LiveContext` with a sandbox, to `shell(…)`, or set `disable_shell_execution(true)`",
    ))
}

/// The skill declares a shell other than `sh` and `bash`, in whose syntax values are assigned.
pub(super) fn dialect(skill: &str, dialect: &str) -> Error {
    let dialect = start(dialect);
    let why = format!("it has `shell: {dialect}`, and only `sh` and `bash` are supported");
    let hint = "write the commands for `sh` or `bash`, and set `shell` in the frontmatter";
    cannot_run(ErrorKind::Command, skill, why).with_hint(Some(hint))
}

/// The body has more than `limit` commands.
pub(super) fn too_many(skill: &str, limit: usize) -> Error {
    let hint = "move the commands into a script of the skill, or into one block";
    let why = format_args!("it has more than {limit} commands");
    cannot_run(ErrorKind::Limit, skill, why).with_hint(Some(hint))
}

/// The filled body has more than `limit` bytes.
pub(super) fn too_long(skill: &str, limit: usize) -> Error {
    let hint = "use the arguments only once in the body, or pass shorter ones";
    let why = format_args!("with its values, it has more than {limit} bytes");
    Error::cannot(ErrorKind::Limit, "fill the body of", skill, why).with_hint(Some(hint))
}

/// Commands run in the directory of their skill, and the skill has none.
pub(super) fn no_directory(skill: &str) -> Error {
    let why = "its files are not in a directory on this machine";
    cannot_run(ErrorKind::Setup, skill, why).with_hint(Some(
        "wrap the provider of the skills in `Materialized`, or set a directory with `LiveContext::directory`",
    ))
}

/// A command uses a variable that the host has not set. A shell would expand it to nothing.
pub(super) fn unknown_variable(skill: &str, command: &str, line: usize, variable: &str) -> Error {
    let hint = if variable.ends_with("SKILL_DIR") {
        "wrap the provider of the skills in `Materialized`, which gives each a directory"
    } else {
        "set it with `LiveContext::session`, `project_directory` or `variable`"
    };
    let why = format!(
        "`{}` (line {line}) uses `${{{}}}`, which this agent has not set",
        start(command),
        OneLine(variable),
    );
    cannot_run(ErrorKind::Setup, skill, why).with_hint(Some(hint))
}

/// A command uses a value in a place in which it is refused. The source ends with a hint.
pub(super) fn value(skill: &str, source: CommandError) -> Error {
    let message = format!("cannot run the commands of the skill `{}`", OneLine(skill));
    Error::new(ErrorKind::Command, message).with_source(source)
}

/// A command failed, or was not run.
pub(super) fn failed(skill: &str, command: &str, line: usize, failure: CommandFailure) -> Error {
    let why = format!("its command `{}` (line {line}) {failure}", start(command));
    let error = Error::cannot(ErrorKind::Command, "load", skill, why).with_hint(failure.hint());
    match failure {
        CommandFailure::NotRun { source } | CommandFailure::ApprovalFailed { source } => {
            error.with_source(source)
        }
        _ => error,
    }
}

/// The failure of one command. `Display` completes a sentence about the command.
#[derive(Debug)]
pub(super) enum CommandFailure {
    /// It exited with a code other than 0, was ended by a signal, or reached its time limit. With
    /// the text that it had printed by then.
    Exit { exit: ExitStatus, output: String },
    /// The host did not approve it.
    Denied { why: String },
    /// Asking the host for approval failed.
    ApprovalFailed { source: ProviderError },
    /// The commands before it used up the time of the body.
    NoTimeLeft { limit: Duration },
    /// The shell did not run it.
    NotRun { source: ProviderError },
}

impl CommandFailure {
    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Exit { exit: ExitStatus::TimedOut, .. } => {
                Some("give it more time with `LiveContext::time_limit`")
            }
            Self::Exit { .. } => Some(
                "append `|| true` to a command that may fail, or let the model read about failures with `OnFailure::Inline`",
            ),
            Self::NoTimeLeft { .. } => {
                Some("give all commands more time with `LiveContext::total_time_limit`")
            }
            Self::Denied { .. } | Self::ApprovalFailed { .. } | Self::NotRun { .. } => None,
        }
    }
}

impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit { exit, output } => {
                let output = OneLine(end(output)).to_string();
                write!(f, "{exit}{}{output}", if output.is_empty() { "" } else { ": " })
            }
            Self::Denied { why } => write!(f, "is not allowed: {}", OneLine(end(why))),
            Self::ApprovalFailed { .. } => f.write_str("is not allowed: the approval failed"),
            Self::NoTimeLeft { limit } => {
                write!(
                    f,
                    "was not run: the commands before it used up the {} s of the body",
                    limit.as_secs_f64()
                )
            }
            Self::NotRun { .. } => f.write_str("was not run"),
        }
    }
}

impl error::Error for CommandFailure {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::NotRun { source } | Self::ApprovalFailed { source } => Some(&**source),
            _ => None,
        }
    }
}

/// Returns the start of a command on one line.
fn start(command: &str) -> String {
    truncate_chars(OneLine(command).to_string(), MAX_COMMAND)
}

/// Returns the end of an output.
fn end(output: &str) -> &str {
    let start =
        output.trim_end().char_indices().rev().nth(MAX_OUTPUT - 1).map_or(0, |(start, _)| start);
    &output[start..]
}
