//! Items that the crates of this project share and users do not need. Exempt from semver.

pub use crate::{
    catalog::has_names,
    error_chain::ErrorChain,
    excerpt::Excerpt,
    json::{Json, JsonError, JsonKind, MAX_DEPTH},
    json_text::write_string,
    known::known_names,
    load::{file_list, with_body},
    name::{NameError, check_name},
    parts::Parts,
    path::{PathError, check_path, is_git_name},
    resource::{ResourceError, check_resource_path},
    scalars::floor,
    similar::{closest, did_you_mean, typos},
    skill::skill,
    skill_set::sorted_set,
    template::{GivenArguments, TokenMode, given, token_mode, tokenize},
    toolbox::{
        build_unchecked, check_commands, check_preloads, duplicate_skill, fills_bodies, invoked,
        line_of, plainly_loaded, reads_files, reserved_tool, takes_arguments, text_reply,
        tool_json, tool_names,
    },
};

use crate::{JsonText, Skill, Toolbox};
use alloc::string::String;

/// Maximum number of model turns that a skill can request with `maxTicks`. The limit exists because
/// the skill's author does not pay for the turns.
pub const MAX_TICKS: u32 = 100;

/// Makes a value of the text of a JSON document.
///
/// # Errors
/// If it is not JSON.
pub fn json_text(text: String) -> Result<JsonText, JsonError> {
    Json::parse(&text)?;
    Ok(JsonText::new(text))
}

/// Returns the path of a skill's directory, if the toolbox has one.
#[must_use]
pub fn directory_of(toolbox: &Toolbox<'_>, skill: &Skill) -> Option<String> {
    toolbox.directory_of(skill).map(|directory| directory.path().concat())
}
