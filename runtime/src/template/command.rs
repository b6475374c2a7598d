//! Commands of a body, for a host that runs them.

use super::{CommandForm, FilledTemplate, PartKind, TemplatePart, bound::Bound, fill, shell};
use crate::{Error, ErrorKind, Excerpt};
use alloc::{format, string::String, vec::Vec};

/// A command of a filled template.
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
    #[must_use]
    pub const fn at(&self) -> usize {
        self.part.at()
    }

    /// Returns how the command is written.
    #[must_use]
    pub const fn form(&self) -> CommandForm {
        self.form
    }

    /// Returns the command as written in the body.
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.part.command().unwrap_or_default()
    }

    /// Returns the text that a shell is to run, with line feeds as line ends. It is not for a
    /// model.
    #[must_use]
    pub fn text(&self) -> String {
        fill::for_shell(&Bound::new(self.filled), &self.part)
    }
}

impl<'a> FilledTemplate<'a> {
    /// Returns the commands for a host to run, in the order of the body.
    ///
    /// # Errors
    ///
    /// If any command uses a value in a place in which it is refused. All commands are checked
    /// before any is returned.
    pub fn commands(&self) -> Result<Vec<Command<'a>>, Error> {
        let bound = Bound::new(*self);
        Command::all(*self).map(|command| command.check(&bound)).collect()
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
