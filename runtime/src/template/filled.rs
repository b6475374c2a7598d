//! Templates filled with arguments and variables.

use super::{
    Arguments, Command, CommandError, MAX_FILLED_BYTES, Quote, Template, Variables, bound::Bound,
    fill,
};
use crate::{
    Neutral,
    escape::neutral_pieces,
    piece::Piece,
    render::{Render, SizeLimit, rendered},
};
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// A filled template, as [`Template::fill`] returns it. `Display` is the text for a model.
///
/// Inserted values are text and are not parsed again: an argument `$0` or `` !`date` `` has no
/// effect. Nothing in the text can pass for a tag that this crate writes, wherever it comes from:
/// as in [`Neutral`](crate::Neutral), the `<` in front of one becomes `&lt;`.
///
/// # Commands
///
/// Nothing here runs a command. Without outputs, the text shows the commands, each after the
/// assignments of its values (see [`Quote::Posix`]). A host that runs commands gets them from
/// [`commands`](Self::commands), runs them in order, and inserts their outputs:
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
/// # fn run(command: &str) -> String { format!("[{command}]\n") }
/// let template = Template::new("Log of $0: !`git log -1 -- $0`");
/// let filled = template.fill(Arguments::text("'a b.rs'"), Variables::new());
/// let outputs: Vec<String> =
///     filled.commands()?.iter().map(|command| run(&command.text())).collect();
/// let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
/// assert_eq!(
///     filled.with_outputs(&outputs)?.to_string(),
///     "Log of a b.rs: [SKILL_VALUE_1='a b.rs'\ngit log -1 -- \"${SKILL_VALUE_1}\"]",
/// );
/// # Ok::<(), helix_skills::template::CommandError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FilledTemplate<'a> {
    pub(super) template: Template<'a>,
    pub(super) arguments: Arguments<'a>,
    pub(super) variables: Variables<'a>,
    pub(super) quote: Quote,
    pub(super) outputs: Option<&'a [&'a str]>,
}

impl<'a> FilledTemplate<'a> {
    pub(super) const fn new(
        template: Template<'a>,
        arguments: Arguments<'a>,
        variables: Variables<'a>,
    ) -> Self {
        Self { template, arguments, variables, quote: Quote::Posix, outputs: None }
    }

    /// Sets how values are inserted into commands.
    #[must_use]
    pub const fn quoted(mut self, quote: Quote) -> Self {
        self.quote = quote;
        self
    }

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

    /// Returns whether the text, with its commands as written, exceeds [`MAX_FILLED_BYTES`].
    ///
    /// Writes nothing, and stops counting at the limit.
    ///
    /// ```
    /// use helix_skills::template::{Arguments, Template, Variables};
    /// let (body, long) = ("$ARGUMENTS\n".repeat(20), "x".repeat(1_000_000));
    /// let template = Template::new(&body);
    /// assert!(template.fill(Arguments::text(&long), Variables::new()).is_too_long());
    /// assert!(!template.fill(Arguments::text("x"), Variables::new()).is_too_long());
    /// ```
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        Self { outputs: None, ..*self }.render(&mut SizeLimit(MAX_FILLED_BYTES)).is_err()
    }

    /// Inserts outputs whose number has been checked; `None` leaves the commands as text.
    pub(crate) const fn with_counted_outputs(mut self, outputs: Option<&'a [&'a str]>) -> Self {
        self.outputs = outputs;
        self
    }
}

impl Render for FilledTemplate<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if self.arguments.is_empty() && self.template.parts().all(|part| part.is_text()) {
            return Neutral(self.template.body).render(out);
        }
        let bound = Bound::new(*self);
        neutral_pieces(fill::whole(&bound).iter().map(|piece| Piece::Text(piece)), out)
    }
}

rendered!(FilledTemplate);
