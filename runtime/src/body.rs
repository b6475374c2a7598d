//! The body of a skill, as a model receives it.

use crate::{
    Arguments, MAX_FILLED_BYTES, Neutral, Profile, Skill, Variables,
    directory::SkillDirectory,
    render::{Render, SizeLimit},
};
use core::fmt::{self, Write};

/// The body of a skill, with the arguments of a call.
///
/// In profiles whose tool takes arguments, and if the host has variables, the body is a template
/// and is filled. Otherwise it is filled only with arguments that the skill declares; other
/// arguments follow the reviewed text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    skill: &'a Skill,
    arguments: Arguments<'a>,
    /// The variables of the host, if it has set any.
    variables: Option<&'a Variables>,
    /// The skill's directory.
    directory: Option<SkillDirectory<'a>>,
    profile: Profile,
    write: Fill,
    /// Whether the length of the text depends on values, and is limited.
    is_filled: bool,
    /// The body as a host has filled it.
    text: Option<&'a str>,
    /// Whether the length has been checked since the last change.
    fits: bool,
}

/// A function that writes a body.
///
/// A body refers only to the function that it needs, so that other programs do not link the code
/// that fills. It is a plain function pointer: if it were stored next to another value in an
/// `Option`, the compiler could treat the pointer as the only possible value and keep the code that
/// it points to.
pub(crate) type Fill = for<'s> fn(&Body<'s>, &mut dyn Write) -> fmt::Result;

/// Writes the reviewed text.
fn plain(body: &Body<'_>, out: &mut dyn Write) -> fmt::Result {
    Neutral(body.skill.body()).render(out)
}

/// Writes the reviewed text, with the arguments after it.
fn appended(body: &Body<'_>, out: &mut dyn Write) -> fmt::Result {
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

impl<'a> Body<'a> {
    pub(crate) const fn new(skill: &'a Skill) -> Self {
        Self {
            skill,
            arguments: Arguments::NONE,
            variables: None,
            directory: None,
            profile: Profile::Helix,
            write: plain,
            is_filled: false,
            text: None,
            fits: false,
        }
    }

    pub(crate) const fn profile(
        mut self,
        profile: Profile,
        fill: Option<Fill>,
        directory: Option<SkillDirectory<'a>>,
        variables: Option<&'a Variables>,
    ) -> Self {
        (self.profile, self.directory, self.fits) = (profile, directory, false);
        self.variables = variables;
        if let Some(fill) = fill {
            (self.write, self.is_filled) = (fill, true);
        }
        self
    }

    /// Sets the arguments. `fill` fills them in if the skill declares some.
    pub(crate) fn with_arguments(mut self, arguments: Arguments<'a>, fill: Option<Fill>) -> Self {
        (self.arguments, self.fits) = (arguments.unless_empty(), false);
        if !self.is_filled && !self.arguments.is_none() {
            let fill = fill.filter(|_| self.skill.declares_arguments());
            (self.write, self.is_filled) = (fill.unwrap_or(appended), fill.is_some());
        }
        self
    }

    /// Sets the text of the body, which a host has filled. It is not escaped again.
    pub(crate) const fn with_text(mut self, text: &'a str) -> Self {
        (self.text, self.is_filled) = (Some(text), false);
        self
    }

    /// Returns the body if it does not exceed [`MAX_FILLED_BYTES`] with its values.
    ///
    /// The text is counted without being stored. A body that is not filled always fits: only its
    /// arguments are appended.
    pub(crate) fn bounded(mut self) -> Option<Self> {
        if self.is_filled && !self.fits {
            (self.write)(&self, &mut SizeLimit(MAX_FILLED_BYTES)).ok()?;
        }
        self.fits = true;
        Some(self)
    }

    /// Returns whether commands are an error, unless a host has filled the body.
    pub(crate) const fn refuses_commands(&self) -> bool {
        self.text.is_none() && matches!(self.profile, Profile::Agentick)
    }

    pub(crate) const fn skill(&self) -> &'a Skill {
        self.skill
    }

    /// Returns whether the body is the reviewed text: without arguments, and not filled by a host.
    pub(crate) const fn is_unmodified(&self) -> bool {
        self.arguments.is_none() && self.variables.is_none() && self.text.is_none()
    }
}

impl Render for Body<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if let Some(text) = self.text {
            return out.write_str(text);
        }
        match self.bounded() {
            Some(_) => (self.write)(self, out),
            None => write!(
                out,
                "The instructions of this skill are left out: with its arguments and variables, its body has more \
                 than {MAX_FILLED_BYTES} bytes."
            ),
        }
    }
}
