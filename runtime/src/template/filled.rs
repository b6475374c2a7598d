//! A template with arguments and variables.

use super::{
    Arguments, CommandError, Commands, MAX_FILLED_BYTES, Quote, Template, Variables,
    bound::Bound,
    pieces::{Pieces, unquotable},
};
use crate::{
    escape::neutral_pieces,
    render::{Render, SizeLimit, rendered},
};
use core::fmt::{self, Write};

/// A body with everything in its place: what [`Template::fill`] returns. `Display` is the text for a model, in which nothing can
/// pass for a tag of ours, wherever it comes from: `<` in front of one is `&lt;`, as in [`Neutral`](crate::Neutral).
///
/// What is inserted is text, and is not looked at again: an argument `$0` or `` !`date` `` means nothing.
///
/// # Commands
///
/// Nothing here runs a command. Without outputs the text has the commands as they are written, with their values in quotes, for
/// a model to read. A host that runs them asks for the [`commands`](Self::commands), runs one after the other, in its own time
/// and where it likes, and puts in what they said:
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
/// # fn run(command: &str) -> String { format!("[{command}]\n") }
/// let template = Template::new("Log of $0: !`git log -1 -- $0`").fill(Arguments::text("'a b.rs'"), Variables::new());
/// let outputs: Vec<String> = template.commands()?.map(|command| run(&command.to_string())).collect();
/// let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
/// assert_eq!(template.with_outputs(&outputs)?.to_string(), "Log of a b.rs: [git log -1 -- 'a b.rs']");
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

    /// How values stand in commands.
    #[must_use]
    pub const fn quoted(mut self, quote: Quote) -> Self {
        self.quote = quote;
        self
    }

    /// The commands, in the order of the body, for a host to run in this order.
    ///
    /// # Errors
    /// When a command asks for a value where no quotes keep it from being more than that. All commands are looked at before
    /// the first is handed out.
    pub fn commands(&self) -> Result<Commands<'a>, CommandError> {
        if self.quote == Quote::Posix {
            let bound = Bound::of(*self);
            for command in self.template.parts() {
                if let Some((part, why)) = unquotable(&bound, &command) {
                    return Err(CommandError::unquotable(&command, &part, why));
                }
            }
        }
        Ok(Commands::of(*self))
    }

    /// The text with `outputs` in the place of the commands, in their order. Where a command stands in a line, the line end
    /// after its output is dropped (not in the profile Agentick).
    ///
    /// # Errors
    /// When there are more outputs than commands, or fewer.
    pub fn with_outputs(mut self, outputs: &'a [&'a str]) -> Result<Self, CommandError> {
        let expected = self.template.commands().count();
        if outputs.len() != expected {
            return Err(CommandError::Outputs { expected, found: outputs.len() });
        }
        self.outputs = Some(outputs);
        Ok(self)
    }

    /// Whether the text, with its commands as they are written, has more than
    /// [`MAX_FILLED_BYTES`] bytes.
    ///
    /// Counts without writing or allocating, and stops at the limit.
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

    /// The same for outputs whose number was proved; none leave the commands as text.
    pub(crate) const fn with_counted_outputs(mut self, outputs: Option<&'a [&'a str]>) -> Self {
        self.outputs = outputs;
        self
    }
}

impl Render for FilledTemplate<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let bound = Bound::of(*self);
        neutral_pieces(Pieces::of(&bound), out)
    }
}

rendered!(FilledTemplate);
