//! Bodies with places for arguments, for what the host knows, and for what commands say.
//!
//! A body is read once, as it was written ([`part`]): what is inserted ([`source`], [`pieces`]) cannot become a placeholder,
//! a command, or a tag of ours. All of it is borrowed; only JSON needs a heap.

mod arguments;
mod bound;
mod command;
mod describe;
mod filled;
mod json;
mod part;
mod pieces;
mod shell;
mod source;
mod syntax;
mod tokens;
mod variables;

pub use arguments::{Arguments, GivenArguments};
pub use command::{Command, CommandError, Commands, Quote};
pub use describe::TemplateNeeds;
pub use filled::FilledTemplate;
pub use part::{CommandForm, PartKind, TemplatePart, TemplateParts};
pub use tokens::{Token, TokenMode, Tokens, tokenize};
pub use variables::Variables;

use crate::{Profile, Skill};
use core::iter;
use syntax::Syntax;

/// How the bodies of a profile split a text into arguments.
#[must_use]
pub const fn token_mode(profile: Profile) -> TokenMode {
    Syntax::of(profile).tokens
}

/// The maximum length of a body filled with its values, in bytes (16 MiB).
///
/// A body of 8 MiB can ask for the arguments almost a million times. [`Toolbox`](crate::Toolbox),
/// `Run` and the hosts of `helix-skills-host` refuse a longer text before they write any of it.
/// What commands print is not counted; it has limits of its own.
pub const MAX_FILLED_BYTES: usize = 16 * 1024 * 1024;

/// A body that can be filled: with arguments, with what the host knows of itself, and with what commands say.
///
/// | in a body | becomes |
/// |---|---|
/// | `$ARGUMENTS` | all arguments, as they were typed; those in JSON without white space |
/// | `$0`, `$ARGUMENTS[0]` | the first of them; stays where there are not so many |
/// | `$name` | the one that `arguments` names in the frontmatter; of an object in JSON the value of any key |
/// | `\$0`, `\$ARGUMENTS`, `\$name` | the same without the backslash, and nothing inserted |
/// | `${SKILL_DIR}` and the like | what [`Variables`] has of that name; stays otherwise |
/// | `` !`command` ``, ` ```! ` | what the command says, if the host runs it: [`FilledTemplate`] |
///
/// A declared name without a value becomes nothing, and stays if there are no arguments at all. Every other `$word` stays, as do
/// `$1st`, `$01` and `$ARGUMENTS_X`. At a place where several names begin, the longest counts: `$issue-id` is `issue-id` if that is
/// one, else `issue`. Arguments that no `$ARGUMENTS` and no index takes follow the text, after `ARGUMENTS: `.
///
/// Of the declared names 64 count, of 64 characters at most.
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
/// let template = Template::new("Mend issue $issue on $1. It costs \\$1.50, see $HOME.").named(&["issue"]);
/// let filled = template.fill(Arguments::text("42 'my branch'"), Variables::new());
/// assert_eq!(filled.to_string(), "Mend issue 42 on my branch. It costs $1.50, see $HOME.");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Template<'a> {
    body: &'a str,
    names: &'a [&'a str],
    profile: Profile,
}

impl<'a> Template<'a> {
    /// A body without declared names, in [`Profile::Helix`].
    #[must_use]
    pub const fn new(body: &'a str) -> Self {
        Self { body, names: &[], profile: Profile::Helix }
    }

    /// With the names of its arguments, in order.
    #[must_use]
    pub const fn named(mut self, names: &'a [&'a str]) -> Self {
        self.names = names;
        self
    }

    /// Read and filled as another system does.
    ///
    /// | profile | does otherwise |
    /// |---|---|
    /// | `Agentick` | no backslash escapes; `$01` is `$1`; `$ARGUMENTS[9]` that is not there is `$ARGUMENTS`, and `[9]`; a name reaches as far as it can; without a value it stays; arguments are split by [`TokenMode::Agentick`]; outputs keep their line ends |
    /// | `ClaudeCode` | keys of an object are no names; a declared name without a value is always nothing; without `$ARGUMENTS` arguments follow the text |
    ///
    /// No profile reads again what was inserted, though Agentick does: there an argument can become a command.
    #[must_use]
    pub const fn in_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// What it is made of: text, placeholders, variables and commands, in order.
    pub const fn parts(&self) -> TemplateParts<'a> {
        TemplateParts::new(self.body, 0, self.syntax())
    }

    /// What it expects.
    #[must_use]
    pub const fn describe(&self) -> TemplateNeeds<'a> {
        TemplateNeeds(*self)
    }

    /// Whether there is `$ARGUMENTS` or an index, also in a command.
    #[must_use]
    pub fn uses_arguments(&self) -> bool {
        self.describe().uses_arguments()
    }

    /// Fills it.
    #[must_use]
    pub const fn fill(
        self,
        arguments: Arguments<'a>,
        variables: Variables<'a>,
    ) -> FilledTemplate<'a> {
        FilledTemplate::new(self, arguments, variables)
    }

    const fn syntax(&self) -> Syntax {
        Syntax::of(self.profile)
    }

    /// Every part, and those of commands after them.
    fn all_parts(&self) -> impl Iterator<Item = TemplatePart<'a>> + use<'a> {
        self.parts().flat_map(|part| iter::once(part).chain(part.parts()))
    }

    fn commands(&self) -> impl Iterator<Item = TemplatePart<'a>> + use<'a> {
        self.parts().filter(|part| matches!(part.kind(), PartKind::Command(_)))
    }

    /// The declared names that count.
    fn counted_names(&self) -> &'a [&'a str] {
        &self.names[..self.names.len().min(bound::MAX_NAMES)]
    }

    /// The declared name that the characters after a `$` begin with.
    fn declared(&self, run: &str) -> Option<&'a str> {
        let names = self.counted_names();
        bound::prefixes(run, self.syntax())
            .find_map(|prefix| names.iter().find(|name| **name == prefix).copied())
    }
}

impl<'a> Skill<'a> {
    /// The body as a template with the skill's `arguments`, as `profile` reads it.
    #[must_use]
    pub const fn template(&self, profile: Profile) -> Template<'a> {
        Template::new(self.body()).named(self.arguments()).in_profile(profile)
    }
}
