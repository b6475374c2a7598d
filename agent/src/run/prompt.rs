//! Everything that a run tells a model in words of ours.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::{self, Display};
use helix_skills_runtime::{__internal::file_list, Attribute, Excerpt, Neutral, OneLine, Skill};

/// The tool that hands in a result.
pub(super) const SUBMIT: &str = "submit";

#[cfg(feature = "serde")]
pub(super) const SUBMIT_DESCRIPTION: &str = "Hand in the result of the task, which ends it. Call it alone, once all the rest \
    is done. A result that does not fit is answered with what is wrong; call it again then, with the whole result.";

/// What stands above the conversation, after what the host has to say itself.
pub(super) fn system(own: Option<&str>, submits: bool, ticks: u32) -> String {
    let mut text = own.map(|own| format!("{}\n\n", own.trim_end())).unwrap_or_default();
    text += "You carry out one skill, as a task of its own. The first message has its instructions, between <skill> and \
             </skill>. Nobody is there to answer questions: decide for yourself, with what you are told and with the tools you have.";
    text += if submits {
        "\n\nThe result of the task is what you call the tool `submit` with: nothing that you only write is seen by anyone."
    } else {
        "\n\nThe result of the task is the text of your last message, in which you call no tool."
    };
    text += &match ticks {
        1 => " You have one message for all of it.".to_string(),
        _ => format!(" You have {ticks} messages at most, counting those that call tools."),
    };
    text
}

/// The message with the instructions.
pub(super) fn instructions(skill: &Skill<'_>, body: &str, with_files: bool) -> String {
    let mut text = format!("<skill name=\"{}\">\n{body}\n</skill>", Attribute(skill.name()));
    if with_files {
        // A string takes all there is.
        let _ = file_list(skill, &mut text);
    }
    text
}

/// A body that somebody else filled.
pub(super) fn neutral_body(body: &str) -> String {
    Neutral(body.trim_end()).to_string()
}

/// What is said before the model is asked again; nothing if there is nothing to say. `needs_reminder`: whether its last message was
/// neither a result nor a call.
pub(super) fn reminder(needs_reminder: bool, submits: bool, is_last: bool) -> Option<String> {
    let needs_reminder = needs_reminder.then_some(match submits {
        true => "There is no result yet: call the tool `submit` with it.",
        false => "That message was empty: write the result.",
    });
    let last = is_last.then_some(match submits {
        true => "This is your last message: call `submit` now, and nothing else.",
        false => "This is your last message: write the result now, and call no tool.",
    });
    let all: Vec<_> = needs_reminder.into_iter().chain(last).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// The answer to a call that is refused.
pub(super) enum Refusal<'r> {
    /// There is no such tool; the names of those there are.
    Unknown { tool: &'r str, tools: Vec<&'r str> },
    /// The skill may not use it; the names of those that it may.
    NotAllowed { tool: &'r str, tools: Vec<&'r str> },
    /// It may be used for something else.
    Only { tool: &'r str, conditions: &'r [String] },
    /// It may be used, but not for this.
    Not { tool: &'r str, condition: &'r str },
    /// `submit` was called together with other tools.
    NotAlone,
    /// `submit` was called several times in one message.
    Twice { times: usize },
    /// The result does not fit.
    Mismatch { why: &'r str },
    /// There is no turn in which its answer would be seen.
    TooLate { tool: &'r str },
}

impl Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { tool, tools } => {
                write!(f, "there is no tool `{}`; ", Excerpt::new(tool))?;
                write_tools(tools, f)
            }
            Self::NotAllowed { tool, tools } => {
                write!(f, "this skill may not use the tool `{}`; ", OneLine(tool))?;
                write_tools(tools, f)
            }
            Self::Only { tool, conditions } => {
                write!(f, "this skill may use the tool `{}` for nothing but ", OneLine(tool))?;
                write_names(conditions.iter().map(String::as_str), f)
            }
            Self::Not { tool, condition } => {
                write!(f, "this skill may not use the tool `{}` for `{}`", OneLine(tool), OneLine(condition))
            }
            Self::NotAlone => f.write_str(
                "the result is not taken: `submit` ends the task, so call it alone, after the results of all other calls",
            ),
            Self::Twice { times } => {
                write!(f, "the result is not taken: `submit` was called {times} times in one message, call it once")
            }
            Self::TooLate { tool } => {
                write!(f, "the tool `{}` is not called: no turn is left for its answer", OneLine(tool))
            }
            Self::Mismatch { why } => write!(f, "the result is not taken: {}", OneLine(why)),
        }
    }
}

fn write_tools(tools: &[&str], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if tools.is_empty() {
        return f.write_str("there are no tools");
    }
    f.write_str("the tools are ")?;
    write_names(tools.iter().copied(), f)
}

fn write_names<'n>(
    names: impl Iterator<Item = &'n str>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    names.enumerate().try_for_each(|(at, name)| {
        write!(f, "{}`{}`", if at == 0 { "" } else { ", " }, OneLine(name))
    })
}
