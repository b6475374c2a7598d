//! Skills defined in code.

mod rules;
#[cfg(test)]
mod tests;

use crate::{
    Error, ErrorKind, Resource, Skill, Value,
    message::Message,
    parts::Parts,
    scalars::{trim, trim_body},
    skill::skill,
};
use alloc::borrow::Cow;
use core::fmt;

/// Maximum number of characters of a name in a definition. Loading accepts longer names.
const MAX_NAME_CHARS: usize = 64;

/// Maximum number of Unicode scalar values in a description.
const MAX_DESCRIPTION_CHARS: usize = 1024;

/// Maximum number of characters of a compatibility note.
const MAX_COMPATIBILITY_CHARS: usize = 500;

impl Skill {
    /// Starts the definition of a skill in code.
    ///
    /// Finish it with [`build`](Definition::build) in a constant, or with
    /// [`try_build`](Definition::try_build) at run time.
    ///
    /// ```
    /// use helix_skills::{Skill, skill_set, SkillSet};
    ///
    /// const RUNBOOK: Skill = Skill::define("deploy", "Deploys the service.", "Run `make deploy`.")
    ///     .allowed_tools(&["Bash(make *)"])
    ///     .build();
    /// static SKILLS: SkillSet = skill_set![RUNBOOK];
    /// assert!(SKILLS.load_skill("deploy").is_ok());
    /// ```
    ///
    /// In a constant, a definition that breaks a rule does not compile:
    ///
    /// ```compile_fail
    /// # use helix_skills::Skill;
    /// // error: cannot define the skill `Deploy`: the name `Deploy` cannot contain `D`: …
    /// const RUNBOOK: Skill =
    ///     Skill::define("Deploy", "Deploys the service.", "Run `make deploy`.").build();
    /// ```
    pub const fn define<'a>(name: &'a str, description: &'a str, body: &'a str) -> Definition<'a> {
        Definition(Parts {
            name,
            description: trim(description),
            body: trim_body(body),
            ..Parts::EMPTY
        })
    }
}

/// A builder of a skill, started by [`Skill::define`], with a method for each field of a
/// `SKILL.md`.
///
/// [`build`](Self::build) and [`try_build`](Self::try_build) check the rules for authors, which are
/// stricter than those for loading:
///
/// - The name has 1 to 64 characters: lower-case ASCII letters, digits, and single hyphens inside.
///   It is not the name of a device on Windows. Names of toolbox tools contain a `_`, so no skill
///   can have the same name.
/// - The description has 1 to 1024 characters (Unicode scalar values), and `compatibility` at most
///   500.
/// - The body is not empty.
/// - Texts, items of lists and keys are not blank. Keys and names of arguments are unique.
///   [`max_ticks`](Self::max_ticks) is not 0.
/// - The paths of resources are valid for [`check_path`](crate::check_path), unique, and not
///   `SKILL.md`.
///
/// White space around texts is dropped, as for a file. Blank lines before the body and white space
/// after it are dropped, too.
///
/// A skill defined in code has no file. For `SKILL.md`, `read_skill_file` returns frontmatter with
/// its name and description, and its body.
///
/// ```
/// use helix_skills::Skill;
///
/// let (name, body) = ("pdf".to_owned(), "Use `pdftotext`.".to_owned()); // from a user
/// let pdf = Skill::define(&name, "Reads PDF files.", &body).license("MIT").try_build()?;
/// assert_eq!(pdf.license(), Some("MIT"));
/// let blank = Skill::define(&name, " ", &body).try_build();
/// assert_eq!(
///     blank.unwrap_err().to_string(),
///     "the description is blank: say what the skill does and when to use it",
/// );
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "call `build` or `try_build` to get the skill"]
pub struct Definition<'a>(Parts<'a>);

impl Definition<'static> {
    /// Builds a skill of constants.
    ///
    /// # Panics
    /// If the definition breaks a rule, with the message of the error of
    /// [`try_build`](Definition::try_build). In a `const` or `static`, this is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn build(self) -> Skill {
        match rules::check(&self.0) {
            None => skill(self.0),
            Some(message) => {
                let prefix = Message::new("cannot define the skill ").quoted(self.0.name);
                panic!("{}", prefix.text(": ").text(message.as_str()).as_str())
            }
        }
    }
}

impl<'a> Definition<'a> {
    /// Builds a skill from values that are known only at run time, which are copied.
    ///
    /// # Errors
    /// The first rule that the definition breaks.
    pub fn try_build(self) -> Result<Skill, Error> {
        match rules::check(&self.0) {
            None => Ok(self.0.into()),
            Some(message) => Err(Error::new(ErrorKind::Definition, message.as_str())),
        }
    }

    /// Sets `license`.
    pub const fn license(mut self, license: &'a str) -> Self {
        self.0.license = Some(trim(license));
        self
    }

    /// Sets `compatibility`: the environment that the skill needs, for users and models.
    pub const fn compatibility(mut self, compatibility: &'a str) -> Self {
        self.0.compatibility = Some(trim(compatibility));
        self
    }

    /// Sets `metadata`: keys and texts, in any order.
    pub const fn metadata(mut self, metadata: &'a [(&'a str, &'a str)]) -> Self {
        self.0.metadata = metadata;
        self
    }

    /// Sets `allowed-tools`: the tools that the skill may use. Each item is a rule such as
    /// `Bash(git add *)`. If not set, all tools are allowed; with an empty list, none.
    pub const fn allowed_tools(mut self, rules: &'a [&'a str]) -> Self {
        self.0.allowed_tools = Some(rules);
        self
    }

    /// Sets `disallowed-tools`: the tools that the skill may not use.
    pub const fn disallowed_tools(mut self, rules: &'a [&'a str]) -> Self {
        self.0.disallowed_tools = Some(rules);
        self
    }

    /// Sets `when_to_use`: more triggers, listed after the description.
    pub const fn when_to_use(mut self, when: &'a str) -> Self {
        self.0.when_to_use = Some(trim(when));
        self
    }

    /// Sets `argument-hint`, which user interfaces show after the skill's name.
    pub const fn argument_hint(mut self, hint: &'a str) -> Self {
        self.0.argument_hint = Some(trim(hint));
        self
    }

    /// Sets `arguments`: the names of positional arguments, in order.
    pub const fn arguments(mut self, names: &'a [&'a str]) -> Self {
        self.0.arguments = names;
        self
    }

    /// Sets `disable-model-invocation`: whether the skill is hidden from models.
    pub const fn disable_model_invocation(mut self, disable: bool) -> Self {
        self.0.disable_model_invocation = disable;
        self
    }

    /// Sets `user-invocable`: whether lists for users contain the skill [default: true].
    pub const fn user_invocable(mut self, invocable: bool) -> Self {
        self.0.user_invocable = invocable;
        self
    }

    /// Sets `shell`: `bash` or `powershell`.
    pub const fn shell(mut self, shell: &'a str) -> Self {
        self.0.shell = Some(trim(shell));
        self
    }

    /// Sets `maxTicks`: the maximum number of turns of a run, at least 1.
    pub const fn max_ticks(mut self, ticks: u32) -> Self {
        self.0.max_ticks = Some(ticks);
        self
    }

    /// Sets all other keys, such as `model`, for [`Skill::extra`].
    pub const fn extra(mut self, extra: &'a [(Cow<'static, str>, Value)]) -> Self {
        self.0.extra = extra;
        self
    }

    /// Sets the other files of the skill, in any order. A model gets their paths sorted.
    ///
    /// In a constant, the list has to be a constant itself, because a [`Resource`] can own its
    /// text:
    ///
    /// ```
    /// use helix_skills::{Resource, Skill};
    /// const FILES: &[Resource] = &[Resource::from_text("forms.md", "# Forms\n")];
    /// const PDF: Skill =
    ///     Skill::define("pdf", "Reads PDF files.", "See `forms.md`.").resources(FILES).build();
    /// assert_eq!(PDF.resources().len(), 1);
    /// ```
    ///
    /// ```compile_fail,E0716
    /// # use helix_skills::{Resource, Skill};
    /// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "See `forms.md`.")
    ///     .resources(&[Resource::from_text("forms.md", "# Forms\n")]) // error
    ///     .build();
    /// ```
    pub const fn resources(mut self, resources: &'a [Resource]) -> Self {
        self.0.resources = resources;
        self
    }
}

impl fmt::Debug for Definition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Definition").field(&Skill::from(self.0)).finish()
    }
}
