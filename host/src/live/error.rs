//! Why a body cannot be filled.

use crate::{Exit, ProcessError};
use helix_skills_agent::ProviderError;
use helix_skills_runtime::{CommandError, OneLine};
use std::{error::Error, fmt, time::Duration};

/// How many characters of a command an error shows.
const MAX_COMMAND: usize = 80;

/// How many characters an error shows of what was said: the last ones.
const MAX_SAID: usize = 300;

/// Why the commands of a skill were not run, or of what use that was not. `Display` is one line with the skill, the command and
/// its line, which a model may be shown; [`LiveError::hint`] is for the agent's owner.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// A body has commands, and the host has nothing that runs them.
    #[error(
        "cannot load the skill `{}`: it runs `{}` (line {line}), and this agent has no shell; give its `LiveContext` one, or turn \
         commands off", OneLine(.skill), shown(.command)
    )]
    NoShell {
        /// The name of the skill.
        skill: String,
        /// Its first command, as it is written.
        command: String,
        /// The line it is in.
        line: usize,
    },
    /// The skill is written for another shell than commands are quoted for.
    #[error(
        "cannot run the commands of the skill `{}`: it has `shell: {}`, and only `sh` and `bash` are known",
        OneLine(.skill), shown(.dialect)
    )]
    Dialect {
        /// The name of the skill.
        skill: String,
        /// The shell that it asks for.
        dialect: String,
    },
    /// A body has more commands than anybody reads.
    #[error("cannot run the commands of the skill `{}`: it has more than {limit}", OneLine(.skill))]
    TooMany {
        /// The name of the skill.
        skill: String,
        /// How many there may be.
        limit: usize,
    },
    /// A body asks so often for its values that it is no text any more that a model reads.
    #[error("cannot fill the body of the skill `{}`: with its values it has more than {limit} bytes", OneLine(.skill))]
    TooLong {
        /// The name of the skill.
        skill: String,
        /// How many bytes there may be.
        limit: usize,
    },
    /// Commands run in the directory of their skill, and it has none.
    #[error(
        "cannot run the commands of the skill `{}`: its files lie in no directory of this machine", OneLine(.skill)
    )]
    NoDirectory {
        /// The name of the skill.
        skill: String,
    },
    /// A command asks for something that the host does not know. A shell would take it for nothing.
    #[error(
        "cannot run the commands of the skill `{}`: `{}` (line {line}) asks for `${{{variable}}}`, which this agent does not know",
        OneLine(.skill), shown(.command)
    )]
    Unknown {
        /// The name of the skill.
        skill: String,
        /// The command, as it is written.
        command: String,
        /// The line it is in.
        line: usize,
        /// The name of what it asks for.
        variable: String,
    },
    /// A command asks for a value where it could become more than a value.
    #[error("cannot run the commands of the skill `{}`: {source}", OneLine(.skill))]
    Value {
        /// The name of the skill.
        skill: String,
        /// Which command, and where.
        source: CommandError,
    },
    /// A command did not do what it is there for.
    #[error(
        "cannot load the skill `{}`: its command `{}` (line {line}) {failure}", OneLine(.skill), shown(.command)
    )]
    Failed {
        /// The name of the skill.
        skill: String,
        /// The command, as it was run.
        command: String,
        /// The line it is in.
        line: usize,
        /// What went wrong.
        failure: CommandFailure,
    },
}

impl LiveError {
    /// How to mend it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoShell { .. } => Some(
                "pass `SystemShell::new()` or a sandbox of yours to `LiveContext::new`, or say `disable_shell_execution(true)`",
            ),
            Self::TooMany { .. } => Some("put them into a script of the skill, or into one block"),
            Self::TooLong { .. } => Some("let it ask for the arguments once, or pass less"),
            Self::Dialect { .. } => Some("write the commands for `sh` or `bash`, and say so in the frontmatter"),
            Self::NoDirectory { .. } => Some(
                "wrap the provider of the skills in `Materialized`, or name a directory with `LiveContext::directory`",
            ),
            Self::Unknown { variable, .. } if variable.ends_with("SKILL_DIR") => {
                Some("wrap the provider of the skills in `Materialized`: then each lies in a directory")
            }
            Self::Unknown { .. } => Some("say it with `LiveContext::session`, `project_directory` or `variable`"),
            Self::Value { .. } => None,
            Self::Failed { failure, .. } => failure.hint(),
        }
    }
}

/// What went wrong with one command. `Display` is the rest of a sentence about it.
#[derive(Debug)]
#[non_exhaustive]
pub enum CommandFailure {
    /// It ended with another code than 0, by a signal, or not in time.
    Exit {
        /// How.
        exit: Exit,
        /// What it had said by then, on both outputs.
        said: String,
    },
    /// The host did not allow it.
    Denied {
        /// Why.
        why: String,
    },
    /// The commands before it took all the time that a body has.
    NoTimeLeft {
        /// How much that is.
        limit: Duration,
    },
    /// The shell did not run it.
    NotRun {
        /// Why.
        source: ProviderError,
    },
}

impl CommandFailure {
    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Exit { exit: Exit::TimedOut, .. } => Some("give it more time with `LiveContext::time_limit`"),
            Self::Exit { .. } => Some(
                "append `|| true` to a command that may fail, or let the model read of failures with `OnFailure::Inline`",
            ),
            Self::Denied { .. } => None,
            Self::NoTimeLeft { .. } => Some("give all of them more time with `LiveContext::total_time_limit`"),
            Self::NotRun { source } => source.downcast_ref::<ProcessError>().and_then(ProcessError::hint),
        }
    }
}

impl fmt::Display for CommandFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit { exit, said } => {
                let said = OneLine(last(said)).to_string();
                write!(f, "{exit}{}{said}", if said.is_empty() { "" } else { ": " })
            }
            Self::Denied { why } => write!(f, "is not allowed: {}", OneLine(last(why))),
            Self::NoTimeLeft { limit } => {
                write!(f, "was not run: the commands before it took the {} s that a body has", limit.as_secs_f64())
            }
            Self::NotRun { source } => write!(f, "was not run: {}", OneLine(last(&source.to_string()))),
        }
    }
}

impl Error for CommandFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NotRun { source } => Some(&**source),
            _ => None,
        }
    }
}

/// The beginning of a command, on one line.
fn shown(command: &str) -> String {
    let line = OneLine(command).to_string();
    match line.char_indices().nth(MAX_COMMAND) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The end of what was said: that is where it says why.
fn last(said: &str) -> &str {
    let start = said.trim_end().char_indices().rev().nth(MAX_SAID - 1).map_or(0, |(start, _)| start);
    &said[start..]
}
