//! The body of a skill as an agent gets it.

use crate::{
    Arguments, CommandError, MAX_FILLED_BYTES, Neutral, Profile, Skill, Variables,
    place::Place,
    render::{Render, Room},
};
use core::fmt::{self, Write};

/// The body of a skill, with the arguments of a call: filled in the profiles whose tool takes some. In the others it is what
/// was reviewed, byte for byte, and arguments follow it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    skill: &'a Skill<'a>,
    arguments: Arguments<'a>,
    /// The skill's directory.
    place: Option<Place<'a>>,
    profile: Profile,
    fill: Option<Fill>,
    live: Option<Live<'a>>,
    /// Whether its length was checked since it last changed.
    fits: bool,
}

/// What a host knows, and has run.
#[derive(Clone, Copy, Debug)]
struct Live<'a> {
    known: Variables<'a>,
    /// One for each command; none leave the commands as text.
    outputs: Option<&'a [&'a str]>,
}

/// How a body is filled: known to those toolboxes alone that do it, so that the others' programs need not hold it.
///
/// A pointer and nothing beside it: beside a value that is never there, a compiler may take the pointer for the only one
/// there is, and keep what it points to.
pub(crate) type Fill = for<'s> fn(&Body<'s>, &mut dyn Write) -> fmt::Result;

/// None for a profile whose tool takes no arguments.
pub(crate) const fn fill_of(profile: Profile) -> Option<Fill> {
    match profile {
        Profile::SkillUse | Profile::Agentick | Profile::ClaudeCode => Some(filled),
        Profile::Helix | Profile::DeerFlow | Profile::DeepAgents => None,
    }
}

fn filled(body: &Body<'_>, out: &mut dyn Write) -> fmt::Result {
    let known = body.live.map_or_else(Variables::new, |live| live.known);
    let known = known.skill_at(body.place);
    let filled = body.skill.template(body.profile).fill(body.arguments, known);
    filled.with_counted_outputs(body.live.and_then(|live| live.outputs)).render(out)
}

impl<'a> Body<'a> {
    pub(crate) const fn of(skill: &'a Skill<'a>) -> Self {
        Self {
            skill,
            arguments: Arguments::NONE,
            place: None,
            profile: Profile::Helix,
            fill: None,
            live: None,
            fits: false,
        }
    }

    pub(crate) const fn in_profile(
        mut self,
        profile: Profile,
        fill: Option<Fill>,
        place: Option<Place<'a>>,
    ) -> Self {
        (self.profile, self.fill, self.place, self.fits) = (profile, fill, place, false);
        self
    }

    pub(crate) fn with_arguments(mut self, arguments: Arguments<'a>) -> Self {
        (self.arguments, self.fits) = (arguments.unless_empty(), false);
        self
    }

    /// Filled in every profile, by a host.
    pub(crate) fn live(
        mut self,
        known: Variables<'a>,
        outputs: &'a [&'a str],
    ) -> Result<Self, CommandError> {
        self.skill.template(self.profile).fill(self.arguments, known).with_outputs(outputs)?;
        (self.live, self.fits) = (Some(Live { known, outputs: Some(outputs) }), false);
        self.fill = Some(filled);
        Ok(self)
    }

    /// The same body, checked not to exceed [`MAX_FILLED_BYTES`] with its values; `None` if it does.
    ///
    /// It is counted, and written nowhere. A body that is not filled only has its arguments after it.
    pub(crate) fn bounded(mut self) -> Option<Self> {
        if let (Some(fill), false) = (self.fill, self.fits) {
            let live = self.live.map(|live| Live { outputs: None, ..live });
            fill(&Self { live, ..self }, &mut Room(MAX_FILLED_BYTES)).ok()?;
        }
        self.fits = true;
        Some(self)
    }

    pub(crate) const fn skill(&self) -> &'a Skill<'a> {
        self.skill
    }

    /// Whether it is what was reviewed.
    pub(crate) const fn is_plain(&self) -> bool {
        self.arguments.is_none() && self.live.is_none()
    }
}

impl Render for Body<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
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
