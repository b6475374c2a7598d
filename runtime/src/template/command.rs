//! Commands of a body, for a host that runs them.

use super::{CommandForm, FilledTemplate, PartKind, TemplatePart, bound::Bound, fill, shell};
use crate::Excerpt;
use alloc::{string::String, vec::Vec};
use core::fmt;

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
/// # Ok::<(), helix_skills::template::CommandError>(())
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
    pub(super) fn check(self, bound: &Bound<'a>) -> Result<Self, CommandError> {
        match fill::refused(bound, &self.part) {
            Some((value, place)) => Err(CommandError::refused(&self.part, &value, place)),
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
    /// # Errors
    ///
    /// If any command uses a value in a place in which it is refused. All commands are checked
    /// before any is returned.
    pub fn commands(&self) -> Result<Vec<Command<'a>>, CommandError> {
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
    pub fn with_outputs(mut self, outputs: &'a [&'a str]) -> Result<Self, CommandError> {
        let expected = self.template.commands().count();
        if outputs.len() != expected {
            return Err(CommandError::Outputs { expected, found: outputs.len() });
        }
        self.outputs = Some(outputs);
        Ok(self)
    }
}

/// An error of preparing commands or inserting their outputs.
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
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandError {
    /// A command uses a value in a place in which it is refused.
    Refused {
        /// The command as written.
        command: Excerpt,
        /// The byte offset of the placeholder or variable in the body.
        at: usize,
        /// The place, such as "in arithmetic".
        context: &'static str,
    },
    /// The number of outputs is not the number of commands.
    Outputs {
        /// The number of commands.
        expected: usize,
        /// The number of outputs.
        found: usize,
    },
}

crate::__error_debug!(CommandError { Refused { command, at, context }, Outputs { expected, found } });

impl CommandError {
    /// Returns how to write the command, if the error is in the text of the skill. The message ends
    /// with it.
    ///
    /// ```
    /// use helix_skills::template::{Arguments, Template, Variables};
    /// let filled = Template::new("!`make >&$0`").fill(Arguments::text("x"), Variables::new());
    /// let error = filled.commands().unwrap_err();
    /// assert_eq!(error.hint(), Some("write `>$0 2>&1` instead of `>&$0`"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Refused { context, .. } => Some(shell::hint(context)),
            Self::Outputs { .. } => None,
        }
    }

    pub(super) fn refused(
        command: &TemplatePart<'_>,
        part: &TemplatePart<'_>,
        context: &'static str,
    ) -> Self {
        Self::Refused {
            command: Excerpt::new(command.command().unwrap_or_default()),
            at: part.at(),
            context,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { command, at, context } => write!(
                f,
                "cannot insert a value into the command `{command}` at byte {at} of the body, \
                 {context}: {}",
                shell::hint(context)
            ),
            Self::Outputs { expected, found } => {
                write!(
                    f,
                    "each command of the body needs one output: expected {expected}, found {found}"
                )
            }
        }
    }
}

impl core::error::Error for CommandError {}
