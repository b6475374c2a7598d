//! Skills that are defined in code.

mod error;
mod rules;
#[cfg(test)]
mod tests;

pub use error::DefinitionError;

use crate::{
    Excerpt, Resource, Skill, Value,
    message::Message,
    parts::Parts,
    scalars::{trim, trim_body},
};
use core::fmt;

/// The most characters that the name of a skill has whose author can choose it.
const MAX_NAME_CHARS: usize = 64;

/// The most characters of a description, Unicode scalar values.
const MAX_DESCRIPTION_CHARS: usize = 1024;

/// The most characters of a compatibility note.
const MAX_COMPATIBILITY_CHARS: usize = 500;

impl<'a> Skill<'a> {
    /// Begins a skill in code: to be finished with [`build`](Definition::build) in a constant, with
    /// [`try_build`](Definition::try_build) at run time.
    ///
    /// ```
    /// use helix_skills::{Skill, skill_set, SkillSet};
    ///
    /// const RUNBOOK: Skill = Skill::define("deploy-runbook", "Deploys the service. Use when asked to release.", "Run `make deploy`.")
    ///     .allowed_tools(&["Bash(make *)"])
    ///     .build();
    /// static SKILLS: SkillSet = skill_set![RUNBOOK];
    /// assert!(SKILLS.load_skill("deploy-runbook").is_ok());
    /// ```
    ///
    /// In a constant, what breaks a rule does not compile:
    ///
    /// ```compile_fail
    /// # use helix_skills::Skill;
    /// // error: cannot define the skill `Deploy_Runbook`: the name `Deploy_Runbook` cannot hold `D`: write a to z, 0 to 9 and single hyphens
    /// const RUNBOOK: Skill = Skill::define("Deploy_Runbook", "Deploys the service.", "Run `make deploy`.").build();
    /// ```
    pub const fn define(name: &'a str, description: &'a str, body: &'a str) -> Definition<'a> {
        Definition(Parts {
            name,
            description: trim(description),
            body: trim_body(body),
            ..Parts::EMPTY
        })
    }
}

/// A skill in the making, which [`Skill::define`] begins: every field of a `SKILL.md`, none of them checked yet.
///
/// The rules are those for authors, stricter than what loads:
///
/// - The name has 1 to 64 characters: lower-case ASCII letters, digits, and single hyphens inside. It is not the name of
///   a device on Windows. The tools that agents have for skills hold a `_`, so no skill can have the name of one.
/// - The description has 1 to 1024 characters (Unicode scalar values), `compatibility` at most 500.
/// - There is a body.
/// - No text, item of a list or key is blank; keys and arguments are there once. [`max_ticks`](Self::max_ticks) is not 0.
/// - Resources have paths that [`check_path`](crate::check_path) takes, are sorted by them, each is there once, and none
///   is the `SKILL.md`.
///
/// White space around texts is dropped, as it is from those of a file: blank lines before the body, and what follows it.
///
/// A skill that is defined has no file: `read_skill_file` answers `SKILL.md` with its name and description as frontmatter,
/// and its body.
///
/// ```
/// use helix_skills::{define::DefinitionError, Skill};
///
/// let (name, body) = ("pdf".to_owned(), "Use `pdftotext`.".to_owned()); // as a user typed them
/// let pdf = Skill::define(&name, "Reads PDF files.", &body).license("MIT").try_build()?;
/// assert_eq!(pdf.license(), Some("MIT"));
/// assert_eq!(Skill::define(&name, " ", &body).try_build().unwrap_err(), DefinitionError::BlankDescription);
/// # Ok::<(), DefinitionError>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "a definition is no skill before `build` or `try_build`"]
pub struct Definition<'a>(Parts<'a>);

impl<'a> Definition<'a> {
    /// The skill.
    ///
    /// # Panics
    /// When a rule is broken, with the text of the [`DefinitionError`]. In a `const` or `static` that is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn build(self) -> Skill<'a> {
        match self.try_build() {
            Ok(skill) => skill,
            Err(error) => {
                let prefix = Message::new("cannot define the skill ")
                    .quoted(&Excerpt::new(self.0.name))
                    .text(": ");
                panic!("{}", error.message(prefix).as_str())
            }
        }
    }

    /// The skill, from values that are not known before the program runs.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub const fn try_build(self) -> Result<Skill<'a>, DefinitionError> {
        match rules::check(&self.0) {
            Ok(()) => Ok(Skill(self.0)),
            Err(error) => Err(error),
        }
    }

    /// `license`.
    pub const fn license(mut self, license: &'a str) -> Self {
        self.0.license = Some(trim(license));
        self
    }

    /// `compatibility`: what the skill needs around it, for people and models.
    pub const fn compatibility(mut self, compatibility: &'a str) -> Self {
        self.0.compatibility = Some(trim(compatibility));
        self
    }

    /// `metadata`: texts by key, in an order of your own.
    pub const fn metadata(mut self, metadata: &'a [(&'a str, &'a str)]) -> Self {
        self.0.metadata = metadata;
        self
    }

    /// `allowed-tools`: the tools that the skill may use, each a rule of its own such as `Bash(git add *)`. Not called: all;
    /// called with no items: none.
    pub const fn allowed_tools(mut self, rules: &'a [&'a str]) -> Self {
        self.0.allowed_tools = Some(rules);
        self
    }

    /// `disallowed-tools`: the tools that the skill may not use.
    pub const fn disallowed_tools(mut self, rules: &'a [&'a str]) -> Self {
        self.0.disallowed_tools = Some(rules);
        self
    }

    /// `when_to_use`: more triggers, listed after the description.
    pub const fn when_to_use(mut self, when: &'a str) -> Self {
        self.0.when_to_use = Some(trim(when));
        self
    }

    /// `argument-hint`: what a person is shown after the skill's name.
    pub const fn argument_hint(mut self, hint: &'a str) -> Self {
        self.0.argument_hint = Some(trim(hint));
        self
    }

    /// `arguments`: the names of positional arguments, in order.
    pub const fn arguments(mut self, names: &'a [&'a str]) -> Self {
        self.0.arguments = names;
        self
    }

    /// `disable-model-invocation`: whether the skill is hidden from models.
    pub const fn disable_model_invocation(mut self, disable: bool) -> Self {
        self.0.disable_model_invocation = disable;
        self
    }

    /// `user-invocable`: whether lists for people show the skill. They do unless this says otherwise.
    pub const fn user_invocable(mut self, invocable: bool) -> Self {
        self.0.user_invocable = invocable;
        self
    }

    /// `model`.
    pub const fn model(mut self, model: &'a str) -> Self {
        self.0.model = Some(trim(model));
        self
    }

    /// `effort`.
    pub const fn effort(mut self, effort: &'a str) -> Self {
        self.0.effort = Some(trim(effort));
        self
    }

    /// `context`: `fork` asks for a context of its own.
    pub const fn context(mut self, context: &'a str) -> Self {
        self.0.context = Some(trim(context));
        self
    }

    /// `agent`: which agent a forked context runs.
    pub const fn agent(mut self, agent: &'a str) -> Self {
        self.0.agent = Some(trim(agent));
        self
    }

    /// `background`.
    pub const fn background(mut self, background: &'a str) -> Self {
        self.0.background = Some(trim(background));
        self
    }

    /// `shell`: `bash` or `powershell`.
    pub const fn shell(mut self, shell: &'a str) -> Self {
        self.0.shell = Some(trim(shell));
        self
    }

    /// `hooks`.
    pub const fn hooks(mut self, hooks: Value<'a>) -> Self {
        self.0.hooks = Some(hooks);
        self
    }

    /// `paths`: globs of files that the skill is about.
    pub const fn paths(mut self, globs: &'a [&'a str]) -> Self {
        self.0.paths = globs;
        self
    }

    /// `maxTicks`: how many turns an execution of the skill may take, at least 1.
    pub const fn max_ticks(mut self, ticks: u32) -> Self {
        self.0.max_ticks = Some(ticks);
        self
    }

    /// Keys of your own, for [`Skill::extra`].
    pub const fn extra(mut self, extra: &'a [(&'a str, Value<'a>)]) -> Self {
        self.0.extra = extra;
        self
    }

    /// The other files of the skill, sorted by path: [`Resource::sorted`] sorts an array.
    pub const fn resources(mut self, resources: &'a [Resource<'a>]) -> Self {
        self.0.resources = resources;
        self
    }
}

impl fmt::Debug for Definition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Definition").field(&Skill(self.0)).finish()
    }
}
