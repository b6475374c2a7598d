//! The body of a skill, as a model receives it.

use crate::{
    Arguments, Neutral, Profile, Skill, Variables, directory::SkillDirectory, render::Render,
};
use core::fmt::{self, Write};

/// The body of a skill, with the arguments of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    pub(crate) skill: &'a Skill,
    pub(crate) arguments: Arguments<'a>,
    /// The variables of the host, if it has set any.
    pub(crate) variables: Option<&'a Variables>,
    /// The skill's directory.
    pub(crate) directory: Option<SkillDirectory<'a>>,
    pub(crate) profile: Profile,
}

/// A function that writes a body.
///
/// A body refers only to the function that it needs, so that other programs do not link the code
/// that fills. It is a plain function pointer: if it were stored next to another value in an
/// `Option`, the compiler could treat the pointer as the only possible value and keep the code that
/// it points to.
pub(crate) type Fill = for<'s> fn(&Body<'s>, &mut dyn Write) -> fmt::Result;

/// Writes the reviewed text.
pub(crate) fn plain(body: &Body<'_>, out: &mut dyn Write) -> fmt::Result {
    Neutral(body.skill.body()).render(out)
}

/// Writes the reviewed text, with the arguments after it.
pub(crate) fn appended(body: &Body<'_>, out: &mut dyn Write) -> fmt::Result {
    plain(body, out)?;
    out.write_str("\n\nARGUMENTS: ")?;
    body.arguments.render(out)
}

static NO_VARIABLES: Variables = Variables::new();

/// Writes the text with its placeholders replaced.
pub(crate) const FILLED: Fill = filled;

fn filled(body: &Body<'_>, out: &mut dyn Write) -> fmt::Result {
    let variables = body.variables.unwrap_or(&NO_VARIABLES);
    let filled = body.skill.template(body.profile).bind(body.arguments, variables);
    match body.directory {
        Some(directory) => filled.at(directory),
        None => filled.in_directory(body.skill.directory()),
    }
    .render(out)
}
