//! Items that the crates of this project share and users do not need. Exempt from semver.

pub use crate::{
    error_chain::ErrorChain,
    excerpt::Excerpt,
    json::{Json, JsonError, JsonKind, MAX_DEPTH},
    json_text::write_string,
    known::known_names,
    load::file_list,
    name::{NameError, check_name},
    parts::Parts,
    path::{PathError, check_path, is_git_name},
    resource::{ResourceError, check_resource_path},
    similar::{closest, did_you_mean, typos},
    skill::skill,
    skill_set::sorted_set,
    template::{GivenArguments, TokenMode, token_mode, tokenize},
    toolbox::{
        check_commands, duplicate_skill, fills_bodies, line_of, reads_files, reserved_tool,
        tool_json,
    },
};

use crate::{
    Arguments, Error, JsonText, LoadedSkill, Profile, Reply, Skill, Toolbox, ToolboxBuilder,
};
use alloc::string::String;

/// Maximum number of model turns that a skill can request with `maxTicks`. The limit exists because
/// the skill's author does not pay for the turns.
pub const MAX_TICKS: u32 = 100;

/// Returns the source that arguments were made from.
#[must_use]
pub const fn given<'a>(arguments: &Arguments<'a>) -> GivenArguments<'a> {
    arguments.given()
}

/// Makes a value of the text of a JSON document.
///
/// # Errors
/// If it is not JSON.
pub fn json_text(text: String) -> Result<JsonText, JsonError> {
    Json::parse(&text)?;
    Ok(JsonText::new(text))
}

/// Builds a toolbox without checking its names: names that no skill has are ignored.
#[must_use]
pub const fn build_unchecked(builder: ToolboxBuilder<'_>) -> Toolbox<'_> {
    builder.unchecked()
}

/// Returns whether the load tool has a parameter for arguments.
#[must_use]
pub fn takes_arguments(toolbox: &Toolbox<'_>) -> bool {
    toolbox.takes_arguments()
}

/// Returns whether the names of the skills are in the parameters of a tool.
#[must_use]
pub fn has_names(toolbox: &Toolbox<'_>) -> bool {
    toolbox.has_names(None)
}

/// Returns the names of the tools for skills in `profile`, whether or not a toolbox has them.
pub fn tool_names(profile: Profile) -> impl Iterator<Item = &'static str> {
    crate::toolbox::tool_names(profile)
}

/// Checks that the preloaded bodies are within their budget.
///
/// # Errors
/// If they exceed it.
pub fn check_preloads(toolbox: &Toolbox<'_>) -> Result<(), Error> {
    toolbox.check_preloads()
}

/// Creates a reply with this text.
#[must_use]
pub const fn text_reply(text: String, is_error: bool) -> Reply<'static> {
    Reply::text(text, is_error)
}

/// Returns the name of the loaded skill if the reply is its unmodified body: without arguments and
/// not filled by a host.
#[must_use]
pub fn plainly_loaded<'r>(reply: &'r Reply<'_>) -> Option<&'r str> {
    reply.plainly_loaded()
}

/// Returns the instructions of a skill that a user invokes, as [`Toolbox::invoke`] does.
#[must_use]
pub fn invoked<'m>(
    toolbox: &Toolbox<'m>,
    name: &str,
    arguments: Arguments<'m>,
) -> Option<LoadedSkill<'m>> {
    toolbox.invoked(name, arguments)
}

/// Sets the text of a body that a host has filled.
#[must_use]
pub const fn with_body<'a>(loaded: LoadedSkill<'a>, text: &'a str) -> LoadedSkill<'a> {
    loaded.with_body(text)
}

/// Returns the path of a skill's directory, if the toolbox has one.
#[must_use]
pub fn directory_of(toolbox: &Toolbox<'_>, skill: &Skill) -> Option<String> {
    toolbox.directory_of(skill).map(|directory| directory.path().concat())
}
