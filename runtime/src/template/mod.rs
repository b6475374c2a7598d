//! Skill bodies as templates: placeholders for arguments, host variables, and command outputs.
//!
//! A body is parsed once, as written ([`part`]). Inserted values ([`values`], [`fill`]) are never
//! parsed again, so they cannot become a placeholder, a command, or one of the tags that this crate
//! writes.
//!
//! Filling has two steps, so that a host can wait for its shell between them:
//! [`FilledTemplate::commands`], then [`FilledTemplate::with_outputs`]. If nothing runs the
//! commands, they remain text, each after the assignments of its values ([`shell`]): a toolbox has
//! no shell, and treating this as an error would keep skills that only show commands from loading.
//! A host that runs commands gets an error for a value in a place in which it is refused.
//!
//! `runtime/tests/runtime/template/conformance.rs` lists where the recorded behavior of other
//! systems differs on purpose: they parse inserted values again, and insert values into commands as
//! syntax.

mod arguments;
mod bound;
mod command;
mod describe;
mod fill;
mod filled;
mod part;
mod quote;
mod shell;
mod syntax;
mod tokens;
mod values;
mod variables;

pub use arguments::{Arguments, GivenArguments};
pub use command::Command;
pub use describe::TemplateNeeds;
pub use filled::FilledTemplate;
pub use part::{CommandForm, PartKind, TemplatePart, TemplateParts};
pub use quote::Quote;
pub use tokens::{TokenMode, tokenize};
pub use variables::Variables;

use crate::{Profile, Skill, Texts};
use core::iter;
use syntax::Syntax;

/// Returns how bodies of `profile` split a text into arguments.
#[must_use]
pub const fn token_mode(profile: Profile) -> TokenMode {
    Syntax::for_profile(profile).tokens
}

/// The maximum length of a body filled with its values, in bytes (16 MiB).
///
/// A body of 8 MiB can refer to the arguments almost a million times. [`Toolbox`](crate::Toolbox),
/// `Run` and the hosts of `helix-skills-host` refuse a longer text before they write any of it.
/// Command outputs are not counted; they have their own limits.
pub const MAX_FILLED_BYTES: usize = 16 * 1024 * 1024;

/// A skill body with placeholders for arguments, variables of the host, and commands.
///
/// | in a body | becomes |
/// |---|---|
/// | `$ARGUMENTS` | all arguments as typed; JSON without white space between values |
/// | `$0`, `$ARGUMENTS[0]` | the first argument; unchanged if there are too few |
/// | `$name` | the argument declared with that name; for a JSON object, the value of any key |
/// | `\$0`, `\$ARGUMENTS`, `\$name` | the text without the backslash; nothing is inserted |
/// | `${SKILL_DIR}` and others | the value in [`Variables`]; unchanged if it is not set |
/// | `` !`command` ``, ` ```! ` | the output, if the host runs commands; see [`FilledTemplate`] |
///
/// A declared name without a value becomes empty, or is unchanged without any arguments. Every
/// other `$word` is unchanged, as are `$1st`, `$01` and `$ARGUMENTS_X`. The longest known name
/// wins: `$issue-id` is `issue-id` if that is a name, else `issue`. In a run of backslashes the
/// last one escapes if their number is odd. If no `$ARGUMENTS` and no index uses the arguments,
/// they follow the body after `ARGUMENTS: `.
///
/// Names are declared by the frontmatter's `arguments`; at most 64 are used, of at most 64 bytes.
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
/// let body = "Fix issue $issue on $1. It costs \\$1.50, see $HOME.";
/// let template = Template::new(body).named(&["issue"]);
/// let filled = template.fill(Arguments::text("42 'my branch'"), Variables::new());
/// assert_eq!(filled.to_string(), "Fix issue 42 on my branch. It costs $1.50, see $HOME.");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Template<'a> {
    body: &'a str,
    names: Texts<'a>,
    profile: Profile,
}

impl<'a> Template<'a> {
    /// Creates a template without declared names, in [`Profile::Helix`].
    #[must_use]
    pub const fn new(body: &'a str) -> Self {
        Self { body, names: Texts::EMPTY, profile: Profile::Helix }
    }

    /// Sets the names of the arguments, in order.
    #[must_use]
    pub const fn named(mut self, names: &'a [&'a str]) -> Self {
        self.names = Texts::borrowed(names);
        self
    }

    /// Parses and fills the body by the rules of another system.
    ///
    /// `ClaudeCode`:
    ///
    /// - Keys of a JSON object are not names.
    /// - A declared name without a value always becomes empty.
    /// - Unless `$ARGUMENTS` is used, the arguments follow the body.
    ///
    /// `Agentick`:
    ///
    /// - Backslashes do not escape, and `$01` is `$1`.
    /// - `$ARGUMENTS[9]` without a tenth argument is `$ARGUMENTS` followed by `[9]`.
    /// - A name extends over all name characters, and is unchanged if it has no value.
    /// - Arguments are split at any white space, backslashes are ordinary characters, empty ones
    ///   are dropped, and an unclosed quote extends to the end.
    /// - Command outputs keep their final line end.
    ///
    /// Agentick itself parses inserted values again, so that an argument can become a command. No
    /// profile does that here.
    #[must_use]
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Returns the parts of the body in order: text, placeholders, variables and commands.
    #[doc(hidden)]
    pub const fn parts(&self) -> TemplateParts<'a> {
        TemplateParts::new(self.body, 0, self.syntax())
    }

    /// Returns what the body needs to be filled.
    #[doc(hidden)]
    #[must_use]
    pub const fn describe(&self) -> TemplateNeeds<'a> {
        TemplateNeeds(*self)
    }

    /// Fills the template.
    #[must_use]
    pub const fn fill(
        self,
        arguments: Arguments<'a>,
        variables: Variables<'a>,
    ) -> FilledTemplate<'a> {
        FilledTemplate::new(self, arguments, variables)
    }

    const fn syntax(&self) -> Syntax {
        Syntax::for_profile(self.profile)
    }

    /// Returns all parts, each command followed by its own parts.
    fn all_parts(&self) -> impl Iterator<Item = TemplatePart<'a>> + use<'a> {
        self.parts().flat_map(|part| iter::once(part).chain(part.parts()))
    }

    fn commands(&self) -> impl Iterator<Item = TemplatePart<'a>> + use<'a> {
        self.parts().filter(|part| matches!(part.kind(), PartKind::Command(_)))
    }

    /// Returns the declared names within the limit.
    fn counted_names(
        &self,
    ) -> impl ExactSizeIterator<Item = &'a str> + DoubleEndedIterator + Clone + use<'a> {
        self.names.iter().take(bound::MAX_NAMES)
    }

    /// Returns the longest declared name that `run`, the characters after a `$`, starts with.
    fn declared(&self, run: &str) -> Option<&'a str> {
        bound::prefixes(run, self.syntax())
            .find_map(|prefix| self.counted_names().find(|name| *name == prefix))
    }
}

impl Skill {
    /// Returns the body as a template with the skill's `arguments`, parsed by the rules of
    /// `profile`.
    #[must_use]
    pub fn template(&self, profile: Profile) -> Template<'_> {
        let template = Template::new(self.body()).profile(profile);
        Template { names: self.arguments(), ..template }
    }
}
