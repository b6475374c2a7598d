//! Errors of filling bodies.

use super::{ExitStatus, ShellCommand};
use crate::{Error, ErrorKind, ProviderError, error_text::truncate_chars};
use alloc::{
    format,
    string::{String, ToString},
};
use core::{fmt, time::Duration};
use helix_skills_runtime::{__internal::ErrorChain, OneLine};

/// Maximum number of characters of a command in an error.
const MAX_COMMAND: usize = 80;

/// Maximum number of characters of a command's output in an error. The last ones are kept, because
/// they usually say why the command failed.
const MAX_OUTPUT: usize = 300;

fn cannot_run(kind: ErrorKind, skill: &str, why: impl fmt::Display) -> Error {
    Error::cannot(kind, "run the commands of", skill, why)
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
        "wrap the provider of the skills in `Materialized`, or set a directory with `ShellContext::directory`",
    ))
}

/// A command uses a variable that the host has not set. A shell would expand it to nothing.
pub(super) fn unknown_variable(skill: &str, command: &str, line: usize, variable: &str) -> Error {
    let hint = if variable.ends_with("SKILL_DIR") {
        "wrap the provider of the skills in `Materialized`, which gives each a directory"
    } else {
        "set it with `ShellContext::session`, `project_directory` or `variable`"
    };
    let why = format!(
        "`{}` (line {line}) uses `${{{}}}`, which this agent has not set",
        start(command),
        OneLine(variable),
    );
    cannot_run(ErrorKind::Setup, skill, why).with_hint(Some(hint))
}

/// A command uses a value in a place in which it is refused. The source ends with a hint.
pub(super) fn value(skill: &str, source: Error) -> Error {
    let message = format!("cannot run the commands of the skill `{}`", OneLine(skill));
    Error::new(ErrorKind::Command, message).with_source(source)
}

/// Completes the error of a command that failed or was not run.
pub(super) fn failed(command: &ShellCommand<'_>, failure: Error) -> Error {
    failure.with_start(&format!(
        "cannot load the skill `{}`: its command `{}` (line {}) ",
        OneLine(command.skill),
        start(command.source),
        command.line
    ))
}

// The following errors complete a sentence about a command: "its command … is not allowed".

/// It exited with a code other than 0, was ended by a signal, or reached its time limit. `output`
/// is what it had printed by then.
pub(super) fn exited(exit: ExitStatus, output: &str) -> Error {
    let output = OneLine(end(output)).to_string();
    let separator = if output.is_empty() { "" } else { ": " };
    let hint = match exit {
        ExitStatus::TimedOut => "give it more time with `ShellContext::time_limit`",
        _ => {
            "append `|| true` to a command that may fail, or let the model read about failures with `ShellContext::show_failures(true)`"
        }
    };
    Error::new(ErrorKind::Command, format!("{exit}{separator}{output}")).with_hint(Some(hint))
}

/// The host did not approve it.
pub(super) fn denied(why: &dyn core::error::Error) -> Error {
    let why = ErrorChain(why).to_string();
    Error::new(ErrorKind::Command, format!("is not allowed: {}", OneLine(end(&why))))
}

/// The commands before it used up the time of the body.
pub(super) fn no_time_left(limit: Duration) -> Error {
    let seconds = limit.as_secs_f64();
    let why = format!("was not run: the commands before it used up the {seconds} s of the body");
    let hint = "give all commands more time with `ShellContext::total_time_limit`";
    Error::new(ErrorKind::Command, why).with_hint(Some(hint))
}

/// The shell did not run it.
pub(super) fn not_run(source: ProviderError) -> Error {
    Error::new(ErrorKind::Command, "was not run").with_source(source)
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
