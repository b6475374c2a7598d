//! Errors of runs.

use super::{Mismatch, prompt::SUBMIT};
use crate::{Error, ErrorKind, ProviderError};
use alloc::{borrow::Cow, format, string::ToString};
use core::fmt::Display;
use helix_skills_runtime::{
    __internal::{ErrorChain, Excerpt, known_names},
    OneLine,
};

fn cannot_run(kind: ErrorKind, skill: &str, why: impl Display) -> Error {
    Error::cannot(kind, "run", skill, why)
}

/// No skill has this name; `names` are those of all skills.
pub(crate) fn unknown_skill<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Error {
    let known = known_names(name, names);
    let name = Excerpt(name);
    let why = format!("cannot run the skill `{name}`: no skill has this name; there are {known}");
    Error::new(ErrorKind::UnknownSkill, why)
}

/// The provider failed to load the skill.
pub(super) fn provider(skill: &str, source: ProviderError) -> Error {
    let message = format!("cannot load the skill `{}`", Excerpt(skill));
    Error::new(ErrorKind::Failed, message).with_source(source)
}

/// The input does not have the required type.
pub(super) fn input(skill: &str, mismatch: Mismatch) -> Error {
    let why = format!("its input does not fit: {mismatch}");
    cannot_run(ErrorKind::Input, skill, why).with_field(mismatch.field)
}

/// The body has a command that has not been run.
pub(super) fn command(skill: &str, command: &str) -> Error {
    let why = format!(
        "its body has the command `{}`, which has not been run: run it in a shell (`Run::shell`), or keep commands as text (`Run::commands_as_text`)",
        Excerpt(command)
    );
    cannot_run(ErrorKind::Command, skill, why)
}

/// The filled body has more than `limit` bytes.
pub(super) fn too_long(skill: &str, limit: usize) -> Error {
    let why = format!("with its input and variables, its body has more than {limit} bytes");
    cannot_run(ErrorKind::Limit, skill, why)
}

/// The host failed to fill the body.
pub(super) fn body(skill: &str, source: Error) -> Error {
    let message = format!("cannot fill the body of the skill `{}`", OneLine(skill));
    Error::new(source.kind(), message).with_hint(source.hint()).with_source(source)
}

/// The run's validator does not support the schema of the result.
#[cfg(feature = "serde")]
pub(super) fn schema(skill: &str, source: Error) -> Error {
    cannot_run(ErrorKind::Setup, skill, "its result cannot be validated").with_source(source)
}

/// The limit is 0 turns.
pub(super) fn no_turns(skill: &str) -> Error {
    cannot_run(ErrorKind::Setup, skill, "the limit is 0 turns; the minimum is 1")
}

/// Two tools have the same name, or one has the name of the tool `submit`.
pub(super) fn tool_name(skill: &str, tool: &str) -> Error {
    let why = match tool {
        SUBMIT => Cow::Owned(format!(
            "a tool of the agent is named `{SUBMIT}`, which is reserved for the result; rename the tool"
        )),
        _ => format!("two tools are named `{}`", OneLine(tool)).into(),
    };
    cannot_run(ErrorKind::Setup, skill, why)
}

/// The model failed in a turn, counted from 1.
pub(super) fn model(skill: &str, turn: u32, source: ProviderError) -> Error {
    let (skill, cause) = (OneLine(skill), ErrorChain(&*source).to_string());
    let message = format!(
        "cannot continue the skill `{skill}`: the model failed in turn {turn}: {}",
        OneLine(&cause)
    );
    Error::new(ErrorKind::Failed, message).with_source(source)
}

/// The model never submitted a result that was accepted. It called other tools `calls` times, and
/// `refused` of these calls were refused. `last_error` is why the last result was not accepted, if
/// there was one.
pub(super) fn not_submitted(
    skill: &str,
    turns: u32,
    (calls, refused): (usize, usize),
    last_error: Option<&str>,
) -> Error {
    if let Some(why) = last_error {
        let why = format!("the last one was not accepted: {}", OneLine(why));
        return no_result(skill, turns, why);
    }
    let called = match calls {
        0 => "the model called no tool, not even".into(),
        1 => Cow::Borrowed("the model called another tool once"),
        _ => format!("the model called other tools {calls} times").into(),
    };
    let never = match (calls, refused) {
        (0, _) => "".into(),
        (_, 0) => Cow::Borrowed(", and never called"),
        _ => format!(" ({refused} refused), and never called").into(),
    };
    no_result(
        skill,
        turns,
        format_args!("{called}{never} `{SUBMIT}`; allow more turns (`maxTicks`, `Run::max_turns`)"),
    )
}

/// The model never ended with a text.
pub(super) fn no_text(skill: &str, turns: u32) -> Error {
    no_result(
        skill,
        turns,
        "the model never ended with a text; allow more turns (`maxTicks`, `Run::max_turns`)",
    )
}

fn no_result(skill: &str, turns: u32, why: impl Display) -> Error {
    let (skill, noun) = (OneLine(skill), if turns == 1 { "turn" } else { "turns" });
    let message = format!("the skill `{skill}` has no result after {turns} {noun}: {why}");
    Error::new(ErrorKind::NoResult, message)
}
