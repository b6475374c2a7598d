//! The body of a skill, as a model receives it.

use crate::{
    Arguments, MAX_FILLED_BYTES, Neutral, Profile, Skill, Variables,
    directory::SkillDirectory,
    render::{Render, SizeLimit},
};
use core::fmt::{self, Write};

/// The body of a skill, with the arguments of a call.
///
/// In profiles whose tool takes arguments, the body is a template and is filled. In the others it
/// is the reviewed text, byte for byte, with the arguments appended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    skill: &'a Skill,
    arguments: Arguments<'a>,
    /// The skill's directory.
    directory: Option<SkillDirectory<'a>>,
    profile: Profile,
    fill: Option<Fill>,
    /// The body as a host has filled it.
    text: Option<&'a str>,
    /// Whether the length has been checked since the last change.
    fits: bool,
}

/// A function that fills a body.
///
/// A toolbox stores a pointer to it only if its profile fills bodies, so that other programs do not
/// link the code that fills. It is a plain function pointer: if it were stored next to another
/// value in an `Option`, the compiler could treat the pointer as the only possible value and keep
/// the code that it points to.
pub(crate) type Fill = for<'s> fn(&Body<'s>, &mut dyn Write) -> fmt::Result;

/// Returns how a profile fills bodies; `None` if its tool takes no arguments.
pub(crate) const fn fill_for(profile: Profile) -> Option<Fill> {
    match profile {
        Profile::SkillUse | Profile::Agentick | Profile::ClaudeCode => Some(filled),
        Profile::Helix | Profile::DeerFlow | Profile::DeepAgents => None,
    }
}

fn filled(body: &Body<'_>, out: &mut dyn Write) -> fmt::Result {
    let variables = Variables::new();
    let filled = body.skill.template(body.profile).bind(body.arguments, &variables);
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
            directory: None,
            profile: Profile::Helix,
            fill: None,
            text: None,
            fits: false,
        }
    }

    pub(crate) const fn profile(
        mut self,
        profile: Profile,
        fill: Option<Fill>,
        directory: Option<SkillDirectory<'a>>,
    ) -> Self {
        (self.profile, self.fill, self.directory, self.fits) = (profile, fill, directory, false);
        self
    }

    pub(crate) fn with_arguments(mut self, arguments: Arguments<'a>) -> Self {
        (self.arguments, self.fits) = (arguments.unless_empty(), false);
        self
    }

    /// Sets the text of the body, which a host has filled. It is not escaped again.
    pub(crate) const fn with_text(mut self, text: &'a str) -> Self {
        (self.text, self.fill) = (Some(text), None);
        self
    }

    /// Returns the body if it does not exceed [`MAX_FILLED_BYTES`] with its values.
    ///
    /// The text is counted without being stored. A body that is not filled always fits: only its
    /// arguments are appended.
    pub(crate) fn bounded(mut self) -> Option<Self> {
        if let (Some(fill), false) = (self.fill, self.fits) {
            fill(&self, &mut SizeLimit(MAX_FILLED_BYTES)).ok()?;
        }
        self.fits = true;
        Some(self)
    }

    pub(crate) const fn skill(&self) -> &'a Skill {
        self.skill
    }

    /// Returns whether the body is the reviewed text: without arguments, and not filled by a host.
    pub(crate) const fn is_unmodified(&self) -> bool {
        self.arguments.is_none() && self.text.is_none()
    }
}

impl Render for Body<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if let Some(text) = self.text {
            return out.write_str(text);
        }
        if let Some(fill) = self.fill {
            return match self.bounded() {
                Some(_) => fill(self, out),
                None => write!(
                    out,
                    "The instructions of this skill are left out: with its arguments and variables, its body has more \
                     than {MAX_FILLED_BYTES} bytes."
                ),
            };
        }
        Neutral(self.skill.body()).render(out)?;
        if !self.arguments.is_none() {
            out.write_str("\n\nARGUMENTS: ")?;
            self.arguments.render(out)?;
        }
        Ok(())
    }
}
