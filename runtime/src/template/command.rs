//! Commands of a body, for a host that runs them.

use super::{
    CommandForm, FilledTemplate, PartKind, TemplatePart, TemplateParts, bound::Bound,
    pieces::Pieces,
};
use crate::{
    Excerpt,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// How values stand in commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quote {
    /// As one word each, which `sh` and `bash` read literally, inside of quotes that the author wrote, too. What a command does
    /// with its words is its own affair: `eval`, `sh -c "… $0"`, `[[ $0 -eq 1 ]]` and a `-` in front of a word still have a meaning.
    #[default]
    Posix,
    /// As they are, so that a value can be any part of a command. For values that nobody but the owner of the machine chooses.
    Raw,
}

/// The commands of a filled template, in the order of the body.
///
/// The feature `alloc` adds `with_texts`.
#[derive(Clone, Debug)]
#[must_use]
pub struct Commands<'a> {
    filled: FilledTemplate<'a>,
    parts: TemplateParts<'a>,
}

impl<'a> Commands<'a> {
    pub(super) fn of(filled: FilledTemplate<'a>) -> Self {
        Self { filled, parts: filled.template.parts() }
    }

    /// Each with what a shell is to run. The arguments are read once for all: where they are long, `Display` takes long for each.
    ///
    /// ```
    /// use helix_skills::template::{Arguments, Template, Variables};
    /// let template = Template::new("!`date` and !`ls $0`").fill(Arguments::text("'a b'"), Variables::new());
    /// let texts = template.commands()?.with_texts();
    /// assert_eq!((texts[0].1.as_str(), texts[1].1.as_str()), ("date", "ls 'a b'"));
    /// # Ok::<(), helix_skills::template::CommandError>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_texts(self) -> alloc::vec::Vec<(Command<'a>, alloc::string::String)> {
        let bound = Bound::of(self.filled);
        self.map(|command| (command, Pieces::of_command(&bound, &command.part).collect())).collect()
    }
}

impl<'a> Iterator for Commands<'a> {
    type Item = Command<'a>;

    fn next(&mut self) -> Option<Command<'a>> {
        let (part, form) = self.parts.find_map(|part| match part.kind() {
            PartKind::Command(form) => Some((part, form)),
            _ => None,
        })?;
        Some(Command { filled: self.filled, part, form })
    }
}

/// One command. `Display` is what a shell is to run: the text of the body with values in it, not the text for a model.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    filled: FilledTemplate<'a>,
    part: TemplatePart<'a>,
    form: CommandForm,
}

impl<'a> Command<'a> {
    /// Where it begins in the body, in bytes.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.part.at()
    }

    /// How it is written.
    #[must_use]
    pub const fn form(&self) -> CommandForm {
        self.form
    }

    /// The command as it is written in the body.
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.part.command().unwrap_or_default()
    }
}

impl Render for Command<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let bound = Bound::of(self.filled);
        Pieces::of_command(&bound, &self.part).try_for_each(|piece| piece.write(out))
    }
}

rendered!(Command);

/// Why commands cannot be run, or their outputs not be put in.
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
/// let template = Template::new("```!\ncat <<END\n$0\nEND\n```").fill(Arguments::text("x"), Variables::new());
/// assert_eq!(
///     template.commands().unwrap_err().to_string(),
///     "cannot put a value into the command `cat <<END $0 END`, at byte 15 of the body: after a here-document no quotes keep \
///      it from being more than a value; ask for it before that place, or outside of commands",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandError {
    /// A command asks for a value where quotes would not keep it from being part of the command.
    Unquotable {
        /// The command as it is written.
        command: Excerpt,
        /// Where the placeholder or variable begins in the body, in bytes.
        at: usize,
        /// What it stands in, such as "in a comment".
        place: &'static str,
    },
    /// There is not one output for each command.
    Outputs {
        /// How many commands there are.
        expected: usize,
        /// How many outputs were given.
        found: usize,
    },
}

crate::__internal::error_debug!(CommandError { Unquotable { command, at, place }, Outputs { expected, found } });

impl CommandError {
    pub(super) fn unquotable(
        command: &TemplatePart<'_>,
        part: &TemplatePart<'_>,
        place: &'static str,
    ) -> Self {
        Self::Unquotable {
            command: Excerpt::new(command.command().unwrap_or_default()),
            at: part.at(),
            place,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unquotable { command, at, place } => write!(
                f,
                "cannot put a value into the command `{command}`, at byte {at} of the body: {place} no quotes keep it from \
                 being more than a value; ask for it before that place, or outside of commands"
            ),
            Self::Outputs { expected, found } => {
                write!(
                    f,
                    "the body has {expected} commands, and there are {found} outputs: give one for each, in order"
                )
            }
        }
    }
}

impl core::error::Error for CommandError {}
