//! Templates filled with arguments and variables.

use super::{
    Arguments, CommandForm, MAX_FILLED_BYTES, Template, Variables,
    bound::{Binder, Command, Piece, variable_name},
    values::{ArgumentValues, Value},
    variables::SKILL_DIRECTORY,
};
use crate::{
    Neutral,
    directory::SkillDirectory,
    escape::neutral,
    render::{Render, SizeLimit, rendered},
};
use alloc::{borrow::Cow, vec::Vec};
use core::fmt::{self, Write};

/// A template and its values, parsed once. `Display` is the text for a model.
///
/// Nothing here runs a command. Without outputs, the text shows the commands, each after the
/// assignments of its values. A host that runs commands gets them from
/// [`command_texts`](Self::command_texts), runs them in order, and inserts their outputs.
#[derive(Clone, Debug)]
pub struct FilledTemplate<'a> {
    body: &'a str,
    /// The pieces of the body; empty if it is only text.
    pieces: Vec<Piece<'a>>,
    pub(super) commands: Vec<Command<'a>>,
    pub(super) values: ArgumentValues<'a>,
    /// Whether the arguments follow the body, because nothing in it uses them.
    falls_back: bool,
    trims_output: bool,
    variables: &'a Variables,
    /// The path of the skill's directory, in pieces. The variables take precedence over it.
    directory: Option<[&'a str; 3]>,
    /// Whether values are inserted into commands as they are.
    pub(super) is_unquoted: bool,
    outputs: Option<&'a [&'a str]>,
}

impl<'a> FilledTemplate<'a> {
    pub(super) fn new(
        template: &Template<'a>,
        arguments: Arguments<'a>,
        variables: &'a Variables,
    ) -> Self {
        let (body, syntax) = (template.body, template.syntax());
        let values = ArgumentValues::new(arguments, syntax);
        let mut binder = Binder::new(template, &values);
        let mut parts = template.parts();
        // A body without syntax does not allocate.
        let pieces = match parts.next() {
            Some(first) if first.source().len() < body.len() || !first.is_text() => {
                binder.bind(template.parts())
            }
            _ => Vec::new(),
        };
        Self {
            body,
            pieces,
            falls_back: values.are_given() && !binder.uses_arguments,
            commands: binder.commands,
            values,
            trims_output: syntax.trims_output,
            variables,
            directory: None,
            is_unquoted: false,
            outputs: None,
        }
    }

    /// Sets the path of the skill's directory, unless it is one of the variables.
    #[must_use]
    pub fn in_directory(mut self, path: Option<&'a str>) -> Self {
        self.directory = path.map(|path| [path, "", ""]);
        self
    }

    pub(crate) fn at(mut self, directory: SkillDirectory<'a>) -> Self {
        self.directory = Some(directory.path());
        self
    }

    /// Inserts values into commands as they are, so that they can become syntax.
    #[must_use]
    pub const fn unquoted(mut self, is_unquoted: bool) -> Self {
        self.is_unquoted = is_unquoted;
        self
    }

    /// Inserts `outputs` instead of the commands, in order.
    ///
    /// The final line end of an inline command's output is removed, except in
    /// [`Profile::Agentick`](crate::Profile::Agentick).
    #[must_use]
    pub const fn with_outputs(mut self, outputs: &'a [&'a str]) -> Self {
        self.outputs = Some(outputs);
        self
    }

    /// Returns whether the text, with its commands as written, exceeds [`MAX_FILLED_BYTES`].
    ///
    /// Stores no text, and stops counting at the limit.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.write(None, &mut SizeLimit(MAX_FILLED_BYTES)).is_err()
    }

    /// Returns whether the body uses the directory of the skill's files: in its text, or to run
    /// commands there.
    #[must_use]
    pub fn uses_directory(&self) -> bool {
        let names = |piece: &Piece<'_>| matches!(piece, Piece::Variable(source) if source.ends_with("SKILL_DIR}"));
        !self.commands.is_empty() || self.pieces.iter().any(names)
    }

    /// Returns the value of `${NAME}`.
    pub(super) fn variable(&self, source: &str) -> Option<Cow<'a, str>> {
        let name = variable_name(source);
        let directory = || self.directory.filter(|_| SKILL_DIRECTORY.contains(&name));
        self.variables.get(name).map(Cow::from).or_else(|| Some(directory()?.concat().into()))
    }

    /// Removes the final line end of an inline command's output, because the command is within a
    /// line.
    fn trimmed<'x>(&self, output: &'x str, form: CommandForm) -> &'x str {
        match output.strip_suffix('\n') {
            Some(line) if self.trims_output && form == CommandForm::Inline => {
                line.strip_suffix('\r').unwrap_or(line)
            }
            _ => output,
        }
    }

    /// Writes the text, with its commands as written if there are no outputs.
    fn write(&self, outputs: Option<&[&str]>, out: &mut dyn Write) -> fmt::Result {
        if self.pieces.is_empty() && !self.falls_back {
            return Neutral(self.body).render(out);
        }
        // They are borrowed from body and values.
        let mut texts: Vec<Cow<'_, str>> = Vec::new();
        for piece in &self.pieces {
            match *piece {
                Piece::Text(text) => texts.push(text.into()),
                Piece::Value(value) => texts.push(self.values.text(value).into()),
                Piece::Variable(source) => {
                    texts.push(self.variable(source).unwrap_or_else(|| source.into()));
                }
                Piece::Command(at) => match outputs.map(|all| all.get(at).copied()) {
                    Some(output) => {
                        let form = self.commands[at].form;
                        texts.push(self.trimmed(output.unwrap_or_default(), form).into());
                    }
                    None => self.show(&self.commands[at], &mut texts),
                },
            }
        }
        if self.pieces.is_empty() {
            texts.push(self.body.into());
        }
        if self.falls_back {
            texts.extend(["\n\nARGUMENTS: ".into(), self.values.text(Value::All).into()]);
        }
        neutral(&texts.iter().map(|text| &**text).collect::<Vec<_>>(), out)
    }
}

impl Render for FilledTemplate<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        self.write(self.outputs, out)
    }
}

rendered!(FilledTemplate);
