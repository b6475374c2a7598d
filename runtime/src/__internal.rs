//! What the crates of this project share and no user needs. It changes without notice and is exempt
//! from semver.

#[cfg(feature = "alloc")]
pub use crate::owned::{first_of_each_name, view_all};
pub use crate::{
    __error_debug as error_debug,
    error_chain::{ErrorChain, write_chain},
    json::{Json, JsonItems, JsonKind, JsonMembers, MAX_DEPTH, Text, TextPieces},
    load::file_list,
    parts::{Parts, skill},
    piece::Piece,
    resource::check_resource_path,
    template::{GivenArguments, token_mode},
    toolbox::{reads_files, takes_arguments},
};

use crate::{
    Arguments, InvokedSkill, KnownNames, LoadError, Reply, Skill, Toolbox, ToolboxBuilder,
    ToolboxError, Variables,
};

/// The fields of a skill.
#[must_use]
pub const fn parts<'a>(skill: &Skill<'a>) -> Parts<'a> {
    skill.0
}

/// The source that arguments were made from.
#[must_use]
pub const fn given<'a>(arguments: &Arguments<'a>) -> GivenArguments<'a> {
    arguments.given()
}

/// The names that an error about the unknown `name` lists: those nearest to it.
#[must_use]
pub fn known_names<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> KnownNames {
    KnownNames::near(name, names)
}

/// The toolbox of a builder whose names are not checked: those that no skill has are ignored.
#[must_use]
pub const fn build_unchecked(builder: ToolboxBuilder<'_>) -> Toolbox<'_> {
    builder.unchecked()
}

/// Checks that the preloaded bodies are within their budget.
///
/// # Errors
/// If they are not.
pub fn check_preloads(toolbox: &Toolbox<'_>) -> Result<(), ToolboxError> {
    toolbox.check_preloads()
}

/// The reply to a load of a skill whose body the conversation already has.
#[must_use]
pub const fn loaded_again(name: &str) -> Reply<'_> {
    Reply::again(name)
}

/// The name of the skill if the reply is its unchanged body: without arguments, not filled by a host.
#[must_use]
pub const fn plainly_loaded<'a>(reply: &Reply<'a>) -> Option<&'a str> {
    reply.plainly_loaded()
}

/// The invoked skill, unless its filled body is too long.
///
/// # Errors
/// If the body exceeds [`MAX_FILLED_BYTES`](crate::MAX_FILLED_BYTES).
pub fn bounded(invoked: InvokedSkill<'_>) -> Result<InvokedSkill<'_>, LoadError<'_>> {
    invoked.bounded()
}

/// The variables with `directory` as the skill's directory, unless they already have one.
#[must_use]
pub fn or_skill_directory<'a>(
    variables: Variables<'a>,
    directory: Option<&'a str>,
) -> Variables<'a> {
    variables.or_skill_directory(directory)
}
