//! Skill bodies as templates: placeholders for arguments, host variables, and command outputs.
//!
//! A body is parsed once, as written ([`part`]), and bound to its values ([`bound`]) in a
//! [`FilledTemplate`]. Inserted values are never parsed again, so they cannot become a placeholder,
//! a command, or one of the tags that this crate writes.
//!
//! A host fills a body in two steps, and waits for its shell between them:
//! [`FilledTemplate::command_texts`], then [`FilledTemplate::with_outputs`]. If nothing runs the
//! commands, they remain text, each after the assignments of its values: a toolbox has no shell,
//! and treating this as an error would keep skills that only show commands from loading. A host
//! that runs commands gets an error for a command with a value that is not of the [`grammar`].
//!
//! `runtime/tests/runtime/template/conformance.rs` lists where the recorded behavior of other
//! systems differs on purpose: they parse inserted values again, and insert values into commands as
//! syntax.

mod arguments;
mod bound;
mod command;
mod filled;
mod grammar;
mod part;
mod syntax;
mod tokens;
mod values;
mod variables;

pub use arguments::{Arguments, GivenArguments, given};
pub use bound::Command;
pub use filled::FilledTemplate;
pub(crate) use part::TemplateParts;
pub use part::{CommandForm, PartKind, TemplatePart};
pub use tokens::{TokenMode, tokenize};
pub use variables::Variables;

use crate::{Profile, Skill, Texts};
use alloc::string::{String, ToString};
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

/// A body with placeholders for arguments, variables of the host, and commands; see
/// [`Skill::fill`].
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
    #[must_use]
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Returns the parts of the body in order: text, placeholders, variables and commands.
    pub const fn parts(&self) -> TemplateParts<'a> {
        TemplateParts::new(self.body, 0, self.syntax())
    }

    /// Returns the commands as written, in the order of the body.
    pub fn commands(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.parts().filter_map(|part| part.command())
    }

    /// Returns the name of each `${VARIABLE}`, including those in commands.
    pub fn variables(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let all = self.parts().flat_map(|part| iter::once(part).chain(part.parts()));
        all.filter_map(|part| match part.kind() {
            PartKind::Variable(name) => Some(name),
            _ => None,
        })
    }

    /// Fills the template, and keeps its commands as text.
    #[must_use]
    pub fn fill(self, arguments: Arguments<'_>, variables: &Variables) -> String {
        Template::<'_>::bind(self, arguments, variables).to_string()
    }

    /// Returns the template with its values, to run its commands.
    #[must_use]
    pub fn bind(self, arguments: Arguments<'a>, variables: &'a Variables) -> FilledTemplate<'a> {
        FilledTemplate::new(&self, arguments, variables)
    }

    const fn syntax(&self) -> Syntax {
        Syntax::for_profile(self.profile)
    }
}

impl Skill {
    /// Returns the body with its placeholders, variables and commands filled by the rules of
    /// `profile`, as text for a model. Commands stay text; `ShellContext::fill` of
    /// `helix-skills-agent` runs them.
    ///
    /// | in a body | becomes |
    /// |---|---|
    /// | `$ARGUMENTS` | all arguments as typed; JSON without white space between values |
    /// | `$0`, `$ARGUMENTS[0]` | the first argument; unchanged if there are too few |
    /// | `$name` | the argument declared with that name; for a JSON object, the value of any key |
    /// | `\$0`, `\$ARGUMENTS`, `\$name` | the text without the backslash; nothing is inserted |
    /// | `${SKILL_DIR}` and others | the value in [`Variables`]; unchanged if it is not set |
    /// | `` !`command` ``, ` ```! ` | the output, if a `ShellContext` runs commands, or else the text |
    ///
    /// A declared name without a value becomes empty, or is unchanged without any arguments. Every
    /// other `$word` is unchanged, as are `$1st`, `$01` and `$ARGUMENTS_X`. The longest known name
    /// wins: `$issue-id` is `issue-id` if that is a name, else `issue`. In a run of backslashes the
    /// last one escapes if their number is odd. If no `$ARGUMENTS` and no index uses the arguments,
    /// they follow the body after `ARGUMENTS: `.
    ///
    /// Inserted values are text and are not parsed again: an argument `$0` or `` !`date` `` has no
    /// effect. Nothing in the text can pass for a tag that this crate writes, wherever it comes
    /// from: as in [`Neutral`](crate::Neutral), the `<` in front of one becomes `&lt;`.
    ///
    /// # Values in commands
    ///
    /// Each value is assigned to a shell variable before the command, which refers to it as one
    /// word: `ls $0` becomes `SKILL_VALUE_1='a b'`, a line feed, and `ls "${SKILL_VALUE_1}"`. No
    /// value can become syntax of the command. `$ARGUMENTS` is one word as well, or none without
    /// arguments; use `$0 $1` for several words.
    ///
    /// A command with a value has to be of a small grammar, or is an error whose
    /// [hint](crate::Error::hint) says what to write instead:
    ///
    /// - Simple commands are joined by `|`, `&&`, `||`, `;` or line ends. Each begins with the name
    ///   of a program, without a value, or with `echo`, `cd`, `pwd`, `true`, `false`, `:`, `printf`
    ///   with a fixed format, or `test` and `[` in a few forms.
    /// - Words have letters, digits, `_-./:,+@%=`, values, `'…'` without values, and `"…"` with
    ///   text, values, `$NAME`, `${NAME}`, `$?` and `$(…)`. Words without a value can have
    ///   wildcards. Redirections lead to such words.
    /// - `name=$0` is a command of its own, with a name in lower case.
    ///
    /// A value that begins with `-` is an error where a program could read it as an option: write
    /// `--` before it. What a program does with its words is not controlled: `sh -c "… $0"` runs
    /// them.
    ///
    /// `${…}` variables are text of the host, not values. An absolute path of letters, digits and
    /// `/._-`, such as `${SKILL_DIR}`, is inserted as it is; other texts are one word in a command
    /// of the grammar, and elsewhere the shell reads them from its environment.
    ///
    /// Names are declared by the frontmatter's `arguments`; at most 64 are used, of at most 64
    /// bytes.
    ///
    /// # Profiles
    ///
    /// The rules of `ClaudeCode` differ:
    ///
    /// - Keys of a JSON object are not names.
    /// - A declared name without a value always becomes empty.
    /// - Unless `$ARGUMENTS` is used, the arguments follow the body.
    ///
    /// So do those of `Agentick`:
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
    ///
    /// ```
    /// use helix_skills::template::{Arguments, Variables};
    /// use helix_skills::{Profile, Skill};
    /// # const BODY: &str = "Fix issue $issue on $1. It costs \\$1.50, see $HOME.";
    /// let fix = Skill::define("fix", "Fixes an issue.", BODY).arguments(&["issue"]).build();
    /// let arguments = Arguments::text("42 'my branch'");
    /// let filled = fix.fill(Profile::Helix, arguments, &Variables::new());
    /// assert_eq!(filled, "Fix issue 42 on my branch. It costs $1.50, see $HOME.");
    /// ```
    #[must_use]
    pub fn fill(
        &self,
        profile: Profile,
        arguments: Arguments<'_>,
        variables: &Variables,
    ) -> String {
        self.template(profile).fill(arguments, variables)
    }

    /// Returns the body as a template with the skill's `arguments`, parsed by the rules of
    /// `profile`.
    #[doc(hidden)]
    #[must_use]
    pub fn template(&self, profile: Profile) -> Template<'_> {
        let template = Template::new(self.body()).profile(profile);
        Template { names: self.arguments(), ..template }
    }
}
