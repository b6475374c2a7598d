//! Templates filled with arguments and variables.

use super::{Arguments, Quote, Template, Variables};

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
/// # Ok::<(), helix_skills::Error>(())
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

    /// Inserts outputs whose number has been checked; `None` leaves the commands as text.
    pub(crate) const fn with_counted_outputs(mut self, outputs: Option<&'a [&'a str]>) -> Self {
        self.outputs = outputs;
        self
    }
}
