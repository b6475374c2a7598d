//! Commands of a body.

use super::MAX_COMMANDS;
use alloc::{borrow::ToOwned, string::String, vec::Vec};
use helix_skills_runtime::{__internal::line_of, PartKind, Profile, Skill, TemplatePart};

/// A command as the author of the skill wrote it.
pub(super) struct BodyCommand {
    pub(super) source: String,
    /// The line of `SKILL.md` or of the body.
    pub(super) line: usize,
    /// Names of the variables in the command.
    pub(super) variables: Vec<String>,
}

impl BodyCommand {
    /// Returns the commands of a skill in the order of the body, at most one more than the limit.
    pub(super) fn all(skill: &Skill, profile: Profile) -> Vec<Self> {
        let variable = |part: TemplatePart<'_>| match part.kind() {
            PartKind::Variable(name) => Some(name.to_owned()),
            _ => None,
        };
        let commands = skill.template(profile).parts().filter_map(|part| {
            let source = part.command()?.to_owned();
            let variables = part.parts().filter_map(variable).collect();
            Some(Self { source, line: line_of(skill, part.at()), variables })
        });
        commands.take(MAX_COMMANDS + 1).collect()
    }
}
