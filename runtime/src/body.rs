//! The body of a skill as an agent gets it.

use crate::{Arguments, FilledTemplate, Neutral, Profile, Skill, Variables, render::Render};
use core::fmt::{self, Write};

/// The body of a skill, with the arguments of a call: filled in the profiles whose tool takes some, and wherever there are
/// any. Otherwise it is what was reviewed, byte for byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    skill: &'a Skill<'a>,
    profile: Profile,
    arguments: Arguments<'a>,
    /// The directory that the skill's directory is in.
    root: Option<&'a str>,
}

impl<'a> Body<'a> {
    pub(crate) const fn of(skill: &'a Skill<'a>) -> Self {
        Self { skill, profile: Profile::Helix, arguments: Arguments::NONE, root: None }
    }

    pub(crate) const fn in_profile(mut self, profile: Profile, root: Option<&'a str>) -> Self {
        (self.profile, self.root) = (profile, root);
        self
    }

    pub(crate) fn with_arguments(mut self, arguments: Arguments<'a>) -> Self {
        self.arguments = arguments.unless_empty();
        self
    }

    pub(crate) const fn skill(&self) -> &'a Skill<'a> {
        self.skill
    }

    pub(crate) const fn has_arguments(&self) -> bool {
        !self.arguments.is_none()
    }

    fn filled(&self) -> FilledTemplate<'a> {
        let known = Variables::new().skill_below(self.root, self.skill.name());
        self.skill.template(self.profile).fill(self.arguments, known)
    }
}

impl Render for Body<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let is_template = matches!(self.profile, Profile::Seed001 | Profile::Agentick | Profile::ClaudeCode);
        if is_template || self.has_arguments() {
            return self.filled().render(out);
        }
        Neutral(self.skill.body()).render(out)
    }
}
