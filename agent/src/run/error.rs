//! Why a run has no result.

use super::prompt::SUBMIT;
use crate::ProviderError;
use alloc::string::String;
use core::{error::Error, fmt};
use helix_skills_runtime::{Excerpt, KnownNames, OneLine};

/// Why a run cannot begin, or ended without a result. The host reads this, no model.
///
/// ```
/// use helix_skills::{Skill, SkillSet, run::{Run, RunError}, skill_set};
/// # const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Label $issue.").build();
/// # static SKILLS: SkillSet = skill_set![TRIAGE];
/// let error = Run::named(&SKILLS, "tirage").unwrap_err();
/// assert!(matches!(error, RunError::UnknownSkill { .. }));
/// assert_eq!(error.to_string(), "cannot run the skill `tirage`: there is none of this name; there are `triage`");
/// ```
#[non_exhaustive]
pub enum RunError {
    /// No skill has this name.
    UnknownSkill {
        /// What was asked for.
        name: String,
        /// The skills there are.
        known: KnownNames,
    },
    /// The provider could not load the skill; the source says why.
    Provider {
        /// The skill.
        skill: String,
        /// What it failed with.
        source: ProviderError,
    },
    /// The input is not of the type that was asked for.
    Input {
        /// The skill.
        skill: String,
        /// The field, as `issue.labels[2]`; `.` is the whole input.
        field: String,
        /// What is wrong with it.
        why: String,
    },
    /// The body has a command, and nobody has run it.
    Command {
        /// The skill.
        skill: String,
        /// The command, as it is written.
        command: Excerpt,
    },
    /// With its input and variables, the body is longer than
    /// [`MAX_FILLED_BYTES`](helix_skills_runtime::MAX_FILLED_BYTES).
    TooLong {
        /// The skill.
        skill: String,
        /// The maximum, in bytes.
        limit: usize,
    },
    /// A host could not fill the body; the source says why.
    Body {
        /// The skill.
        skill: String,
        /// What filling it failed with.
        source: ProviderError,
    },
    /// The model may be asked 0 times.
    NoTicks {
        /// The skill.
        skill: String,
    },
    /// Two tools have one name, or one has that of the tool `submit`.
    ToolName {
        /// The skill.
        skill: String,
        /// The name.
        tool: String,
    },
    /// The model could not answer; the source says why.
    Model {
        /// The skill.
        skill: String,
        /// In which turn, from 1.
        tick: u32,
        /// What it failed with.
        source: ProviderError,
    },
    /// The model never called `submit` with a result that fits.
    NotSubmitted {
        /// The skill.
        skill: String,
        /// How often it was asked.
        ticks: u32,
        /// Why the last result was not taken; none if there was none.
        last_error: Option<String>,
    },
    /// The model never ended with a text.
    NoText {
        /// The skill.
        skill: String,
        /// How often it was asked.
        ticks: u32,
    },
}

helix_skills_runtime::__internal::error_debug!(RunError {
    UnknownSkill { name, known },
    Provider { skill, source },
    Input { skill, field, why },
    Command { skill, command },
    TooLong { skill, limit },
    Body { skill, source },
    NoTicks { skill },
    ToolName { skill, tool },
    Model { skill, tick, source },
    NotSubmitted { skill, ticks, last_error },
    NoText { skill, ticks },
});

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSkill { name, known } => {
                write!(
                    f,
                    "cannot run the skill `{}`: there is none of this name; there are {known}",
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
                "cannot run the skill `{}`: its body has the command `{command}`, and nobody has run it: fill the body where there \
                 is a shell (`Run::filled`), or leave commands as text (`Run::commands_as_text`)",
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
            Self::NoTicks { skill } => {
                write!(
                    f,
                    "cannot run the skill `{}`: the model may be asked 0 times; the least is 1",
                    OneLine(skill)
                )
            }
            Self::ToolName { skill, tool } if tool == SUBMIT => write!(
                f,
                "cannot run the skill `{}`: a tool of the agent is called `{SUBMIT}`, which is the one that hands in the result; give \
                 it another name",
                OneLine(skill)
            ),
            Self::ToolName { skill, tool } => {
                write!(
                    f,
                    "cannot run the skill `{}`: two tools are called `{}`",
                    OneLine(skill),
                    OneLine(tool)
                )
            }
            Self::Model { skill, tick, .. } => {
                write!(
                    f,
                    "cannot go on with the skill `{}`: the model has no answer in turn {tick}",
                    OneLine(skill)
                )
            }
            Self::NotSubmitted { skill, ticks, last_error } => {
                write!(
                    f,
                    "the skill `{}` has no result after {ticks} {}: ",
                    OneLine(skill),
                    turns(*ticks)
                )?;
                match last_error {
                    None => write!(
                        f,
                        "the model never called `{SUBMIT}`; allow it more (`maxTicks`, `Run::ticks`)"
                    ),
                    Some(why) => write!(f, "the last one does not fit: {}", OneLine(why)),
                }
            }
            Self::NoText { skill, ticks } => write!(
                f,
                "the skill `{}` has no result after {ticks} {}: the model never ended with a text; allow it more (`maxTicks`, `Run::ticks`)",
                OneLine(skill),
                turns(*ticks)
            ),
        }
    }
}

fn turns(ticks: u32) -> &'static str {
    if ticks == 1 { "turn" } else { "turns" }
}

impl Error for RunError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Provider { source, .. }
            | Self::Body { source, .. }
            | Self::Model { source, .. } => Some(&**source),
            _ => None,
        }
    }
}
