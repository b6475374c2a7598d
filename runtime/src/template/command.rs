//! Commands of a body, for a host that runs them.

use super::{CommandForm, FilledTemplate, PartKind, TemplatePart, bound::Bound, fill, shell};
use crate::{Error, ErrorKind, Excerpt};
use alloc::{format, string::String, vec::Vec};

/// A command of a filled template.
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
/// let template = Template::new("!`date` and !`ls $0`");
/// let filled = template.fill(Arguments::text("'a b'"), Variables::new());
/// let commands = filled.commands()?;
/// assert_eq!(commands[0].text(), "date");
/// assert_eq!(commands[1].source(), "ls $0");
/// assert_eq!(commands[1].text(), "SKILL_VALUE_1='a b'\nls \"${SKILL_VALUE_1}\"");
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    filled: FilledTemplate<'a>,
    part: TemplatePart<'a>,
    form: CommandForm,
}

impl<'a> Command<'a> {
    /// Returns the commands of a template.
    pub(super) fn all(filled: FilledTemplate<'a>) -> impl Iterator<Item = Self> {
        filled.template.parts().filter_map(move |part| match part.kind() {
            PartKind::Command(form) => Some(Self { filled, part, form }),
            _ => None,
        })
    }

    /// Fails if the command uses a value in a place in which it is refused.
    pub(super) fn check(self, bound: &Bound<'a>) -> Result<Self, Error> {
        match fill::refused(bound, &self.part) {
            Some((value, place)) => Err(refused(&self.part, &value, place)),
            None => Ok(self),
        }
    }

    /// Returns the byte offset of the command in the body.
    #[doc(hidden)]
    #[must_use]
    pub const fn at(&self) -> usize {
        self.part.at()
    }

    /// Returns how the command is written.
    #[doc(hidden)]
    #[must_use]
    pub const fn form(&self) -> CommandForm {
        self.form
    }

    /// Returns the command as written in the body.
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.part.command().unwrap_or_default()
    }

    /// Returns the text that a shell is to run, with values as [`Quote`](super::Quote) says and
    /// with line feeds as line ends. It is not for a model.
    #[must_use]
    pub fn text(&self) -> String {
        fill::for_shell(&Bound::new(self.filled), &self.part)
    }
}

impl<'a> FilledTemplate<'a> {
    /// Returns the commands for a host to run, in the order of the body.
    ///
    /// ```
    /// use helix_skills::template::{Arguments, Template, Variables};
    /// let template = Template::new("```!\ncat <<END\n$0\nEND\n```");
    /// let filled = template.fill(Arguments::text("x"), Variables::new());
    /// assert_eq!(
    ///     filled.commands().unwrap_err().to_string(),
    ///     "cannot insert a value into the command `cat <<END $0 END` at byte 15 of the body, \
    ///      in or after a here-document: set a variable in a line before the here-document, `value=$0`, and write `$value` in it; its delimiter must not be quoted",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// If any command uses a value in a place in which it is refused. All commands are checked
    /// before any is returned.
    pub fn commands(&self) -> Result<Vec<Command<'a>>, Error> {
        let bound = Bound::new(*self);
        Command::all(*self).map(|command| command.check(&bound)).collect()
    }

    /// Inserts `outputs` instead of the commands, in order.
    ///
    /// The final line end of an inline command's output is removed, except in
    /// [`Profile::Agentick`](crate::Profile::Agentick).
    ///
    /// # Errors
    ///
    /// If the number of outputs is not the number of commands.
    pub fn with_outputs(mut self, outputs: &'a [&'a str]) -> Result<Self, Error> {
        let expected = self.template.commands().count();
        if outputs.len() != expected {
            let message = format!(
                "each command of the body needs one output: expected {expected}, found {}",
                outputs.len()
            );
            return Err(Error::new(ErrorKind::Command, message));
        }
        self.outputs = Some(outputs);
        Ok(self)
    }
}

/// The error that `command` uses the value of `part` in a place in which it is refused, such as "in
/// arithmetic". The message ends with the hint.
#[cold]
fn refused(command: &TemplatePart<'_>, part: &TemplatePart<'_>, place: &str) -> Error {
    let hint = shell::hint(place);
    let message = format!(
        "cannot insert a value into the command `{}` at byte {} of the body, {place}: {hint}",
        Excerpt(command.command().unwrap_or_default()),
        part.at(),
    );
    Error::new(ErrorKind::Command, message).with_hint(Some(hint))
}
