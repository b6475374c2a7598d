//! Errors of runs.

use super::{InputError, prompt::SUBMIT};
use crate::ProviderError;
use alloc::{borrow::ToOwned, string::String};
use core::{error::Error, fmt};
use helix_skills_runtime::{
    __internal::{Excerpt, KnownNames},
    OneLine,
};

/// The error if a run cannot start, or ends without a result. It is for the host, not for a model.
///
/// ```
/// use helix_skills::{Skill, SkillSet, run::{Run, RunError}, skill_set};
/// # const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Label $issue.").build();
/// # static SKILLS: SkillSet = skill_set![TRIAGE];
/// let error = Run::named(&SKILLS, "tirage").unwrap_err();
/// assert!(matches!(error, RunError::UnknownSkill { .. }));
/// assert_eq!(
///     error.to_string(),
///     "cannot run the skill `tirage`: no skill has this name; there are `triage`"
/// );
/// ```
#[non_exhaustive]
pub enum RunError {
    /// No skill has this name.
    UnknownSkill {
        /// The requested name.
        name: String,
        /// The names of the skills.
        known: KnownNames,
    },
    /// The provider failed to load the skill; the source says why.
    Provider {
        /// The name of the skill.
        skill: String,
        /// The error.
        source: ProviderError,
    },
    /// The input does not have the required type.
    Input {
        /// The name of the skill.
        skill: String,
        /// The path of the field, such as `issue.labels[2]`; `.` is the whole input.
        field: String,
        /// The problem.
        why: String,
    },
    /// The body has a command that has not been run.
    Command {
        /// The name of the skill.
        skill: String,
        /// The command, as the author wrote it.
        command: Excerpt,
    },
    /// The body, filled with input and variables, is longer than
    /// [`MAX_FILLED_BYTES`](helix_skills_runtime::MAX_FILLED_BYTES).
    TooLong {
        /// The name of the skill.
        skill: String,
        /// The maximum, in bytes.
        limit: usize,
    },
    /// The host failed to fill the body; the source says why.
    Body {
        /// The name of the skill.
        skill: String,
        /// The error.
        source: ProviderError,
    },
    /// The run's validator does not support the schema of the result; the source says why.
    Schema {
        /// The name of the skill.
        skill: String,
        /// The error.
        source: ProviderError,
    },
    /// The limit is 0 turns.
    NoTicks {
        /// The name of the skill.
        skill: String,
    },
    /// Two tools have the same name, or one has the name of the tool `submit`.
    ToolName {
        /// The name of the skill.
        skill: String,
        /// The name.
        tool: String,
    },
    /// The model failed; the source says why.
    Model {
        /// The name of the skill.
        skill: String,
        /// The turn, counted from 1.
        turn: u32,
        /// The error.
        source: ProviderError,
    },
    /// The model never submitted a result that was accepted.
    NotSubmitted {
        /// The name of the skill.
        skill: String,
        /// The number of turns.
        turns: u32,
        /// The number of calls of other tools.
        calls: usize,
        /// The number of these calls that were refused.
        refused: usize,
        /// Why the last result was not accepted; `None` if the model submitted none.
        last_error: Option<String>,
    },
    /// The model never ended with a text.
    NoText {
        /// The name of the skill.
        skill: String,
        /// The number of turns.
        turns: u32,
    },
}

helix_skills_runtime::__internal::error_debug!(RunError {
    UnknownSkill { name, known },
    Provider { skill, source },
    Input { skill, field, why },
    Command { skill, command },
    TooLong { skill, limit },
    Body { skill, source },
    Schema { skill, source },
    NoTicks { skill },
    ToolName { skill, tool },
    Model { skill, turn, source },
    NotSubmitted { skill, turns, calls, refused, last_error },
    NoText { skill, turns },
});

impl RunError {
    pub(super) fn input(skill: &str, InputError { field, why }: InputError) -> Self {
        Self::Input { skill: skill.to_owned(), field, why }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSkill { name, known } => {
                write!(
                    f,
                    "cannot run the skill `{}`: no skill has this name; there are {known}",
                    Excerpt::new(name)
                )
            }
            Self::Provider { skill, .. } => {
                write!(f, "cannot load the skill `{}`", Excerpt::new(skill))
            }
            Self::Input { skill, field, why } => {
                write!(
                    f,
                    "cannot run the skill `{}`: its input does not fit: `{}`: {}",
                    OneLine(skill),
                    OneLine(field),
                    OneLine(why)
                )
            }
            Self::Command { skill, command } => write!(
                f,
                "cannot run the skill `{}`: its body has the command `{command}`, which has not been run: run it \
                 in a shell (`Run::shell`), or keep commands as text (`Run::commands_as_text`)",
                OneLine(skill)
            ),
            Self::TooLong { skill, limit } => write!(
                f,
                "cannot run the skill `{}`: with its input and variables, its body has more than {limit} bytes",
                OneLine(skill)
            ),
            Self::Body { skill, .. } => {
                write!(f, "cannot fill the body of the skill `{}`", OneLine(skill))
            }
            Self::Schema { skill, .. } => write!(
                f,
                "cannot run the skill `{}`: its result cannot be validated",
                OneLine(skill)
            ),
            Self::NoTicks { skill } => {
                write!(
                    f,
                    "cannot run the skill `{}`: the limit is 0 turns; the minimum is 1",
                    OneLine(skill)
                )
            }
            Self::ToolName { skill, tool } if tool == SUBMIT => write!(
                f,
                "cannot run the skill `{}`: a tool of the agent is named `{SUBMIT}`, which is reserved for the result; \
                 rename the tool",
                OneLine(skill)
            ),
            Self::ToolName { skill, tool } => {
                write!(
                    f,
                    "cannot run the skill `{}`: two tools are named `{}`",
                    OneLine(skill),
                    OneLine(tool)
                )
            }
            Self::Model { skill, turn, .. } => {
                write!(
                    f,
                    "cannot continue the skill `{}`: the model failed in turn {turn}",
                    OneLine(skill)
                )
            }
            Self::NotSubmitted { skill, turns, calls, refused, last_error } => {
                write!(
                    f,
                    "the skill `{}` has no result after {turns} {}: ",
                    OneLine(skill),
                    turns_noun(*turns)
                )?;
                match last_error {
                    None => {
                        match calls {
                            0 => f.write_str("the model called no tool, not even"),
                            1 => f.write_str("the model called another tool once"),
                            _ => write!(f, "the model called other tools {calls} times"),
                        }?;
                        match (calls, refused) {
                            (0, _) => {}
                            (_, 0) => f.write_str(", and never called")?,
                            _ => write!(f, " ({refused} refused), and never called")?,
                        }
                        write!(f, " `{SUBMIT}`; allow more turns (`maxTicks`, `Run::max_turns`)")
                    }
                    Some(why) => write!(f, "the last one was not accepted: {}", OneLine(why)),
                }
            }
            Self::NoText { skill, turns } => write!(
                f,
                "the skill `{}` has no result after {turns} {}: the model never ended with a text; allow more turns (`maxTicks`, `Run::max_turns`)",
                OneLine(skill),
                turns_noun(*turns)
            ),
        }
    }
}

fn turns_noun(turns: u32) -> &'static str {
    if turns == 1 { "turn" } else { "turns" }
}

impl Error for RunError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Provider { source, .. }
            | Self::Body { source, .. }
            | Self::Schema { source, .. }
            | Self::Model { source, .. } => Some(&**source),
            _ => None,
        }
    }
}
