//! All texts of a run for a model. A snapshot test checks them.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};
use helix_skills_runtime::{
    __internal::{Excerpt, file_list},
    Attribute, OneLine, Skill,
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

// The answers to calls that are refused.

/// There is no such tool; `tools` are the available ones.
pub(super) fn unknown_tool(tool: &str, tools: &[&str]) -> String {
    format!("there is no tool `{}`; {}", Excerpt(tool), tool_list(tools))
}

/// The skill may not use the tool; `tools` are those that it may use.
pub(super) fn not_allowed(tool: &str, tools: &[&str]) -> String {
    format!("this skill may not use the tool `{}`; {}", OneLine(tool), tool_list(tools))
}

/// The call meets none of the conditions under which the skill may use the tool.
pub(super) fn allowed_only(tool: &str, conditions: Vec<&str>) -> String {
    let conditions = quoted(conditions.into_iter());
    format!("this skill may use the tool `{}` for nothing but {conditions}", OneLine(tool))
}

/// The call meets a condition under which the skill may not use the tool.
pub(super) fn not_allowed_for(tool: &str, condition: &str) -> String {
    let (tool, condition) = (OneLine(tool), OneLine(condition));
    format!("this skill may not use the tool `{tool}` for `{condition}`")
}

/// No turn is left in which the model would see the result.
pub(super) fn too_late(tool: &str) -> String {
    format!("the tool `{}` was not called: no turn is left for its result", OneLine(tool))
}

/// The result was not accepted.
pub(super) fn not_accepted(why: &str) -> String {
    format!("the result was not accepted: {}", OneLine(why))
}

fn tool_list(tools: &[&str]) -> String {
    match tools {
        [] => "there are no tools".to_owned(),
        tools => format!("the tools are {}", quoted(tools.iter().copied())),
    }
}

fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.map(|name| format!("`{}`", OneLine(name))).collect();
    names.join(", ")
}
