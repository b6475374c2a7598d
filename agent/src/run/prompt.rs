//! All texts of a run for a model. A snapshot test checks them.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::{self, Display};
use helix_skills_runtime::{
    __internal::{Excerpt, file_list},
    Attribute, Neutral, OneLine, Skill,
};

/// The name of the tool that submits a result.
pub(super) const SUBMIT: &str = "submit";

#[cfg(feature = "serde")]
pub(super) const SUBMIT_DESCRIPTION: &str = "Submits the result of the task, which ends it. Call it once, after \
    everything else is done. If the result is not accepted, the answer says why: fix it, and call the tool again with the whole \
    result.";

/// Returns the system prompt. It starts with the text of the host, if any.
pub(super) fn system(host_text: Option<&str>, submits: bool, turns: u32) -> String {
    let mut text =
        host_text.map(|host_text| format!("{}\n\n", host_text.trim_end())).unwrap_or_default();
    text += "You carry out one skill as a separate task. The first message has its instructions, between <skill> and \
             </skill>. No user is available to answer questions: decide for yourself, with the information and the tools that you have.";
    text += if submits {
        "\n\nThe result of the task is what you pass to the tool `submit`: text that you only write is discarded."
    } else {
        "\n\nThe result of the task is the text of your last message, in which you call no tool."
    };
    text += &match turns {
        1 => " You have one message for all of it.".to_string(),
        _ => format!(" You have {turns} messages at most, counting those that call tools."),
    };
    text
}

/// Returns the message with the instructions.
pub(super) fn instructions(skill: &Skill, body: &str, with_files: bool) -> String {
    let mut text = format!("<skill name=\"{}\">\n{body}\n</skill>", Attribute(skill.name()));
    if with_files {
        // Writing to a `String` does not fail.
        let _ = file_list(skill, &mut text);
    }
    text
}

/// Neutralizes a body that the host has filled.
pub(super) fn neutral_body(body: &str) -> String {
    Neutral(body.trim_end()).to_string()
}

/// Returns the message of the user before the next turn, if one is needed. `has_no_call` is set if
/// the last answer was neither a result nor a call.
pub(super) fn reminder(has_no_call: bool, submits: bool, is_last: bool) -> Option<String> {
    let missing = has_no_call.then_some(match submits {
        true => "There is no result yet: call the tool `submit` with it.",
        false => "That message was empty: write the result.",
    });
    let last = is_last.then_some(match submits {
        true => "This is your last message: call `submit` now, and nothing else.",
        false => "This is your last message: write the result now, and call no tool.",
    });
    let parts: Vec<_> = missing.into_iter().chain(last).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The answer to a refused call.
pub(super) enum Refusal<'r> {
    /// There is no such tool; `tools` are the available ones.
    Unknown { tool: &'r str, tools: Vec<&'r str> },
    /// The skill may not use the tool; `tools` are those that it may use.
    NotAllowed { tool: &'r str, tools: Vec<&'r str> },
    /// The call meets none of the conditions under which the skill may use the tool.
    Only { tool: &'r str, conditions: &'r [String] },
    /// The call meets a condition under which the skill may not use the tool.
    Not { tool: &'r str, condition: &'r str },
    /// The result was not accepted.
    Mismatch { why: &'r str },
    /// No turn is left in which the model would see the result.
    TooLate { tool: &'r str },
}

impl Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { tool, tools } => {
                write!(f, "there is no tool `{}`; ", Excerpt(tool))?;
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
                write!(
                    f,
                    "this skill may not use the tool `{}` for `{}`",
                    OneLine(tool),
                    OneLine(condition)
                )
            }
            Self::TooLate { tool } => {
                write!(
                    f,
                    "the tool `{}` was not called: no turn is left for its result",
                    OneLine(tool)
                )
            }
            Self::Mismatch { why } => write!(f, "the result was not accepted: {}", OneLine(why)),
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
