//! Commands of a body, before they run.

use super::MAX_COMMANDS;
use alloc::{borrow::ToOwned, string::String, vec::Vec};
use helix_skills_runtime::{
    Arguments, CommandError, CommandForm, PartKind, Profile, Quote, Skill, TemplatePart, Variables,
};

/// A command of a body that the host may inspect before it runs.
#[derive(Clone, Debug)]
pub struct LiveCommand {
    skill: String,
    text: String,
    source: String,
    line: usize,
    form: CommandForm,
    pub(super) directory: Option<String>,
}

impl LiveCommand {
    /// Returns the name of the skill.
    #[must_use]
    pub fn skill(&self) -> &str {
        &self.skill
    }

    /// Returns the text for the shell: the assignments of the values, then the command (see
    /// [`Quote`]). To decide about a command, look at its [`source`](Self::source).
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the command as the author wrote it, with its placeholders.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the line of `SKILL.md` in which the command starts, counted from 1; the line of the
    /// body if the skill has no file.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the syntax in which the command is written.
    #[must_use]
    pub const fn form(&self) -> CommandForm {
        self.form
    }

    /// Returns the directory to run it in; `None` is the shell's own directory.
    #[must_use]
    pub fn directory(&self) -> Option<&str> {
        self.directory.as_deref()
    }

    /// Returns the commands of a skill with their values, in the order of the body.
    pub(super) fn all(
        skill: &Skill,
        profile: Profile,
        quote: Quote,
        arguments: Arguments<'_>,
        variables: Variables<'_>,
    ) -> Result<Vec<Self>, CommandError> {
        let mut lines = LineFinder::new(skill);
        let filled = skill.template(profile).fill(arguments, variables).quoted(quote);
        let commands = filled.commands()?.into_iter().map(|command| Self {
            skill: skill.name().to_owned(),
            text: command.text(),
            source: command.source().to_owned(),
            line: lines.line_at(command.at()),
            form: command.form(),
            directory: None,
        });
        Ok(commands.collect())
    }
}

/// A command as the author of the skill wrote it.
#[derive(Clone, Debug)]
pub(super) struct AuthoredCommand {
    pub(super) source: String,
    pub(super) line: usize,
    /// Names of the variables in the command.
    pub(super) variables: Vec<String>,
}

impl AuthoredCommand {
    /// Returns the commands of a skill in the order of the body, at most one more than the limit.
    pub(super) fn all(skill: &Skill, profile: Profile) -> Vec<Self> {
        let mut lines = LineFinder::new(skill);
        let variable = |part: TemplatePart<'_>| match part.kind() {
            PartKind::Variable(name) => Some(name.to_owned()),
            _ => None,
        };
        let commands = skill.template(profile).parts().filter_map(|part| {
            let source = part.command()?.to_owned();
            let variables = part.parts().filter_map(variable).collect();
            Some(Self { source, line: lines.line_at(part.at()), variables })
        });
        commands.take(MAX_COMMANDS + 1).collect()
    }
}

/// Converts ascending byte offsets in a body to line numbers.
struct LineFinder<'a> {
    body: &'a str,
    at: usize,
    line: usize,
}

impl<'a> LineFinder<'a> {
    fn new(skill: &'a Skill) -> Self {
        let [before, body, _] = skill.skill_md();
        Self { body, at: 0, line: 1 + before.matches('\n').count() }
    }

    fn line_at(&mut self, at: usize) -> usize {
        self.line +=
            self.body.as_bytes()[self.at..at].iter().filter(|byte| **byte == b'\n').count();
        self.at = at;
        self.line
    }
}
