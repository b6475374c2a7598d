//! Errors of filling bodies.

use super::ExitStatus;
use crate::{ProviderError, error_text::truncate_chars};
use alloc::string::{String, ToString};
use core::{error::Error, fmt, time::Duration};
use helix_skills_runtime::{__internal::error_debug, CommandError, OneLine};

/// Maximum number of characters of a command in an error.
const MAX_COMMAND: usize = 80;

/// Maximum number of characters of a command's output in an error. The last ones are kept, because
/// they usually say why the command failed.
const MAX_OUTPUT: usize = 300;

/// The error if the commands of a skill were not run, or failed.
///
/// `Display` is one line that names the skill, the command and its line; a model reads it together
/// with its causes. [`LiveError::hint`] is for the developer of the agent.
#[non_exhaustive]
pub enum LiveError {
    /// The body has commands, and there is no shell.
    NoShell {
        /// The name of the skill.
        skill: String,
        /// The first command, as the author wrote it.
        command: String,
        /// The line of the command.
        line: usize,
    },
    /// The skill declares a shell other than `sh` and `bash`, in whose syntax values are assigned.
    Dialect {
        /// The name of the skill.
        skill: String,
        /// The shell that the skill declares.
        dialect: String,
    },
    /// The body has too many commands.
    TooMany {
        /// The name of the skill.
        skill: String,
        /// Maximum number of commands.
        limit: usize,
    },
    /// The filled body is too long.
    TooLong {
        /// The name of the skill.
        skill: String,
        /// The maximum, in bytes.
        limit: usize,
    },
    /// Commands run in the directory of their skill, and the skill has none.
    NoDirectory {
        /// The name of the skill.
        skill: String,
    },
    /// A command uses a variable that the host has not set. A shell would expand it to nothing.
    UnknownVariable {
        /// The name of the skill.
        skill: String,
        /// The command, as the author wrote it.
        command: String,
        /// The line of the command.
        line: usize,
        /// The name of the variable.
        variable: String,
    },
    /// A command uses a value in a place in which it is refused.
    Value {
        /// The name of the skill.
        skill: String,
        /// The command and the position.
        source: CommandError,
    },
    /// A command failed, or was not run.
    Failed {
        /// The name of the skill.
        skill: String,
        /// The command, as the author wrote it.
        command: String,
        /// The line of the command.
        line: usize,
        /// What went wrong.
        failure: CommandFailure,
    },
}

error_debug!(LiveError {
    NoShell { skill, command, line },
    Dialect { skill, dialect },
    TooMany { skill, limit },
    TooLong { skill, limit },
    NoDirectory { skill },
    UnknownVariable { skill, command, line, variable },
    Value { skill, source },
    Failed { skill, command, line, failure },
});

impl LiveError {
    /// Returns how to fix the error, if there is a likely way. If the shell
    /// [did not run](CommandFailure::NotRun) a command, its error is the source and may have its
    /// own hint.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoShell { .. } => Some(
                "pass a `SystemShell`, or a `LiveContext` with a sandbox, to `shell(…)`, or set `disable_shell_execution(true)`",
            ),
            Self::TooMany { .. } => {
                Some("move the commands into a script of the skill, or into one block")
            }
            Self::TooLong { .. } => {
                Some("use the arguments only once in the body, or pass shorter ones")
            }
            Self::Dialect { .. } => {
                Some("write the commands for `sh` or `bash`, and set `shell` in the frontmatter")
            }
            Self::NoDirectory { .. } => Some(
                "wrap the provider of the skills in `Materialized`, or set a directory with `LiveContext::directory`",
            ),
            Self::UnknownVariable { variable, .. } if variable.ends_with("SKILL_DIR") => Some(
                "wrap the provider of the skills in `Materialized`, which gives each a directory",
            ),
            Self::UnknownVariable { .. } => {
                Some("set it with `LiveContext::session`, `project_directory` or `variable`")
            }
            // The source ends with it.
            Self::Value { .. } => None,
            Self::Failed { failure, .. } => failure.hint(),
        }
    }
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cannot = match self {
            Self::NoShell { .. } | Self::Failed { .. } => "load",
            Self::TooLong { .. } => "fill the body of",
            _ => "run the commands of",
        };
        write!(f, "cannot {cannot} the skill `{}`", OneLine(self.skill()))?;
        match self {
            Self::NoShell { command, line, .. } => write!(
                f,
                ": it runs `{}` (line {line}), and this agent has no shell; give it one, or turn commands off",
                start(command),
            ),
            Self::Dialect { dialect, .. } => {
                write!(
                    f,
                    ": it has `shell: {}`, and only `sh` and `bash` are supported",
                    start(dialect)
                )
            }
            Self::TooMany { limit, .. } => write!(f, ": it has more than {limit} commands"),
            Self::TooLong { limit, .. } => {
                write!(f, ": with its values, it has more than {limit} bytes")
            }
            Self::NoDirectory { .. } => {
                f.write_str(": its files are not in a directory on this machine")
            }
            Self::UnknownVariable { command, line, variable, .. } => write!(
                f,
                ": `{}` (line {line}) uses `${{{}}}`, which this agent has not set",
                start(command),
                OneLine(variable),
            ),
            Self::Value { .. } => Ok(()),
            Self::Failed { command, line, failure, .. } => {
                write!(f, ": its command `{}` (line {line}) {failure}", start(command))
            }
        }
    }
}

impl LiveError {
    /// Returns the name of the skill.
    fn skill(&self) -> &str {
        match self {
            Self::NoShell { skill, .. }
            | Self::Dialect { skill, .. }
            | Self::TooMany { skill, .. }
            | Self::TooLong { skill, .. }
            | Self::NoDirectory { skill }
            | Self::UnknownVariable { skill, .. }
            | Self::Value { skill, .. }
            | Self::Failed { skill, .. } => skill,
        }
    }
}

impl Error for LiveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Value { source, .. } => Some(source),
            Self::Failed { failure, .. } => failure.source(),
            _ => None,
        }
    }
}

/// The failure of one command. `Display` completes a sentence about the command.
#[non_exhaustive]
pub enum CommandFailure {
    /// It exited with a code other than 0, was ended by a signal, or reached its time limit.
    Exit {
        /// How it ended.
        exit: ExitStatus,
        /// The text that it had printed by then.
        output: String,
    },
    /// The host did not approve it.
    Denied {
        /// The host's reason.
        why: String,
    },
    /// Asking the host for approval failed.
    ApprovalFailed {
        /// Why.
        source: ProviderError,
    },
    /// The commands before it used up the time of the body.
    NoTimeLeft {
        /// The time limit of a body.
        limit: Duration,
    },
    /// The shell did not run it.
    NotRun {
        /// Why.
        source: ProviderError,
    },
}

error_debug!(CommandFailure {
    Exit { exit, output },
    Denied { why },
    ApprovalFailed { source },
    NoTimeLeft { limit },
    NotRun { source },
});

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

impl Error for CommandFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
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
