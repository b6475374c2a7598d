//! The options of a run.

#[cfg(feature = "serde")]
use super::{Mismatch, SchemaValidator};
use super::{
    Shape, Tools, Watcher,
    config::{RunConfig, RunInput},
    error,
};
use crate::{
    Error, Provider,
    shell::{ShellContext, uses_directory},
};
#[cfg(feature = "serde")]
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use helix_skills_runtime::{Arguments, Profile, Skill, Variables};

/// A skill to run, with its input, its tools and its limits. The same run can be started several
/// times, with different models and result types.
///
/// ```
/// use helix_skills::{Skill, run::Run};
/// # use helix_skills::{provider::BoxFuture, run::{Answer, Message, Model, ToolDefinition}};
/// # struct Script;
/// # impl Model for Script {
/// #     fn answer<'m>(
/// #         &'m self,
/// #         _: &'m [Message],
/// #         _: &'m [ToolDefinition],
/// #     ) -> BoxFuture<'m, Answer> {
/// #         Box::pin(async { Ok("The night was long.".into()) })
/// #     }
/// # }
/// const BODY: &str = "Sum this up in one sentence: $ARGUMENTS";
/// const SUMMARIZE: Skill = Skill::define("summarize", "Sums texts up.", BODY).build();
///
/// # pollster::block_on(async {
/// # let model = Script;
/// // Or a skill of `include_skills!`: `skills::SUMMARIZE`.
/// let run = Run::new(SUMMARIZE).arguments("It was a long night, and …");
/// let text = run.text(&model).await?;
/// assert_eq!(text, "The night was long.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
///
/// The feature `serde` adds `input` and `shaped`, the feature `schemars` adds `typed`.
#[derive(Clone)]
#[must_use = "a run does nothing until a model is called"]
pub struct Run<'a, T = ()> {
    pub(super) config: RunConfig<'a>,
    pub(super) tools: T,
}

impl<'a> Run<'a> {
    /// Creates a run of a skill.
    ///
    /// Because the host starts a run, it ignores `disable-model-invocation` and `user-invocable`.
    pub fn new(skill: impl Into<Skill>) -> Self {
        Self { config: RunConfig::new(skill.into()), tools: () }
    }
}

impl Run<'static> {
    /// Loads the skill `name` from a provider, and creates a run by the rules of `profile`.
    ///
    /// `${SKILL_DIR}` is the directory that the provider returns, unless the
    /// [`variables`](Self::variables) have one.
    ///
    /// ```
    /// use helix_skills::{Profile, run::Run};
    /// # use helix_skills::{Skill, SkillSet, skill_set};
    /// # const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Label it.").build();
    /// # static SKILLS: SkillSet = skill_set![TRIAGE];
    /// # pollster::block_on(async {
    /// // `SKILLS`, directories, or a database
    /// let run = Run::load(&SKILLS, "triage", Profile::Helix).await?;
    /// # Ok::<(), helix_skills::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// If there is no such skill, or the provider fails.
    pub async fn load(
        provider: &(impl Provider + ?Sized),
        name: &str,
        profile: Profile,
    ) -> Result<Self, Error> {
        let failed = |source| error::provider(name, source);
        if let Some(skill) = provider.load(name, profile).await.map_err(failed)? {
            let contract = provider.input(name, profile).await.map_err(failed)?;
            let reads_directory = uses_directory(&skill, Profile::Helix);
            let mut run = Self::new(skill).profile(profile).with_contract(contract);
            if reads_directory {
                run.config.directory = provider.directory(name, profile).await.map_err(failed)?;
            }
            return Ok(run);
        }
        let listed = provider.list(profile).await.map_err(failed)?.skills;
        let mut names: Vec<&str> = listed.iter().map(Skill::name).collect();
        names.sort_unstable();
        names.dedup();
        Err(error::unknown_skill(name, names.into_iter()))
    }
}

impl<'a, T> Run<'a, T> {
    /// Returns the skill.
    #[must_use]
    pub const fn skill(&self) -> &Skill {
        &self.config.skill
    }

    /// Sets the arguments of the skill. They fill the body in every profile.
    ///
    /// A run with a typed result needs a value for each argument that the skill declares, or that
    /// its [contract](crate::RegistryEntry::input) requires. If the result is a text, a missing
    /// argument is not an error; [`Skill::fill`](helix_skills_runtime::Skill::fill) says what
    /// replaces it.
    pub fn arguments(mut self, arguments: impl Into<Arguments<'a>>) -> Self {
        self.config.input = RunInput::Arguments(arguments.into());
        self
    }

    /// Sets the arguments of the skill to a value: `$name` is its field `name`, `$ARGUMENTS` the
    /// whole value as JSON.
    ///
    /// ```
    /// # use helix_skills::{Skill, run::Run};
    /// # const TRIAGE: Skill =
    /// #     Skill::define("triage", "Sorts issues.", "Look into issue $number.").build();
    /// #[derive(serde::Serialize)]
    /// struct Issue {
    ///     number: u32,
    /// }
    /// let run = Run::new(TRIAGE).input(&Issue { number: 42 })?;
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the value cannot be serialized to JSON, or has no value for an argument that the skill
    /// declares. An object has a value for each of its keys, and an array for each of its items;
    /// `null` does not count as a value. If the skill has a
    /// [contract](crate::RegistryEntry::input), only the arguments that the contract requires need
    /// a value.
    #[cfg(feature = "serde")]
    pub fn input(self, input: &(impl serde::Serialize + ?Sized)) -> Result<Self, Error> {
        self.with_input(input, RunInput::Json)
    }

    #[cfg(feature = "serde")]
    pub(super) fn with_input(
        mut self,
        input: &(impl serde::Serialize + ?Sized),
        as_input: impl FnOnce(String) -> RunInput<'a>,
    ) -> Result<Self, Error> {
        let refused = |why| error::input(self.config.skill.name(), Mismatch::whole(why));
        let json = serde_json::to_string(input).map_err(|error| refused(error.to_string()))?;
        Arguments::json(&json).map_err(|error| refused(error.to_string()))?;
        self.config.input = as_input(json);
        self.config.check_declared()?;
        Ok(self)
    }

    /// Checks the result of [`shaped`](Self::shaped) and `typed` against its whole schema. For the
    /// input, see [`RegistryEntry::input`](crate::RegistryEntry::input) and
    /// `TypedSkill::validator`.
    ///
    /// ```
    /// use helix_skills::{Error, Skill, run::{Model, Run, SchemaValidator}};
    /// use {schemars::JsonSchema, serde::Deserialize};
    ///
    /// # const REVIEW: Skill = Skill::define("review", "Reviews.", "Review $file.").build();
    /// #[derive(Deserialize, JsonSchema)]
    /// # #[allow(dead_code)]
    /// struct Review {
    ///     #[schemars(range(min = 1, max = 5))]
    ///     stars: u8,
    /// }
    ///
    /// // `validator` is `json_schema` of `helix-skills-host`, or your own.
    /// async fn review(
    ///     model: &impl Model,
    ///     validator: SchemaValidator,
    /// ) -> Result<Review, Error> {
    ///     Run::new(REVIEW).validator(validator).typed(model).await
    /// }
    /// ```
    #[cfg(feature = "serde")]
    pub const fn validator(mut self, validator: SchemaValidator) -> Self {
        self.config.validator = Some(validator);
        self
    }

    /// Checks the input against the contract of the skill, which a [`Registry`](crate::Registry) or
    /// another provider sets. A run does this itself before it runs commands and calls a model.
    ///
    /// # Errors
    /// If the input does not satisfy the contract.
    pub fn check_input(&self) -> Result<(), Error> {
        self.config.check_input()
    }

    pub(crate) fn with_contract(mut self, contract: Option<Shape>) -> Self {
        self.config.contract = contract;
        self
    }

    /// Sets the variables of the host, for `${…}` in the body.
    pub fn variables(mut self, variables: Variables) -> Self {
        self.config.variables = variables;
        self
    }

    /// Runs the commands of the body in a shell, or by the settings of a [`ShellContext`], when the
    /// run starts: after its input was checked, and before a model is called. The variables of the
    /// context replace the variables of the run.
    ///
    /// ```
    /// use helix_skills::{Skill, run::{Run, TypedSkill}};
    /// # use helix_skills::provider::BoxFuture;
    /// # use helix_skills::shell::{ExitStatus, ProcessOutput, Shell, ShellCommand};
    /// # use std::time::Duration;
    /// # use helix_skills::run::{Answer, Message, Model, ToolDefinition};
    /// # struct SystemShell;
    /// # impl SystemShell { fn new() -> Self { Self } }
    /// # impl Shell for SystemShell {
    /// #     fn run<'s>(&'s self, command: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput> {
    /// #         Box::pin(async move {
    /// #             let text = format!("<{}>", command.text);
    /// #             Ok(ProcessOutput::new(text, ExitStatus::Code(0), Duration::ZERO))
    /// #         })
    /// #     }
    /// # }
    /// # struct Parrot;
    /// # impl Model for Parrot {
    /// #     fn answer<'m>(
    /// #         &'m self,
    /// #         messages: &'m [Message],
    /// #         _: &'m [ToolDefinition],
    /// #     ) -> BoxFuture<'m, Answer> {
    /// #         let Some(Message::User(text)) = messages.get(1) else { unreachable!() };
    /// #         Box::pin(async { Ok(text.clone().into()) })
    /// #     }
    /// # }
    /// # const LOG: Skill = Skill::define("log", "Sums up.", "Sum up: !`git log -- $file`")
    /// #     .arguments(&["file"])
    /// #     .build();
    /// #[derive(serde::Serialize)]
    /// struct Log {
    ///     file: String,
    /// }
    /// # use helix_skills::shell::ShellContext;
    /// # let (model, shell) = (Parrot, ShellContext::new(SystemShell::new()).directory("/project"));
    /// # pollster::block_on(async {
    /// let log = TypedSkill::<Log>::new(LOG);
    /// let run = log.run(&Log { file: "a.rs".into() })?.shell(shell);
    /// let text = run.text(&model).await?;
    /// # assert!(text.contains("<SKILL_VALUE_1='a.rs'\ngit log -- "), "{text}");
    /// # Ok::<(), helix_skills::Error>(())
    /// # }).unwrap();
    /// ```
    pub fn shell(mut self, shell: impl Into<ShellContext>) -> Self {
        self.config.shell = Some(shell.into());
        self
    }

    /// Fills the body and limits the tools by the rules of another system.
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.config.profile = profile;
        self
    }

    /// Keeps commands of the body as text, for bodies that only show commands. Without this, a run
    /// of a body with a command is an error, because the command has not been run.
    pub const fn commands_as_text(mut self) -> Self {
        self.config.commands_as_text = true;
        self
    }

    /// Sets the start of the system prompt, before the text of the run: who the agent is, and what
    /// it must not do.
    pub const fn system(mut self, text: &'a str) -> Self {
        self.config.system = Some(text);
        self
    }

    /// Sets the maximum number of model turns [default: 10]. Overrides the `maxTicks` of the skill,
    /// which is capped at 100.
    pub const fn max_turns(mut self, turns: u32) -> Self {
        self.config.max_turns = Some(turns);
        self
    }

    /// Allows tools of the host in addition to those that the skill allows, for example to read its
    /// files.
    pub const fn also_allow(mut self, tools: &'a [&'a str]) -> Self {
        self.config.also_allowed = tools;
        self
    }

    /// Sets the tools of the host. The skill gets only those that it may use.
    pub fn tools<U: Tools>(self, tools: U) -> Run<'a, U> {
        Run { config: self.config, tools }
    }

    /// Calls `watcher` with each event of the run.
    pub const fn watch(mut self, watcher: &'a Watcher<'a>) -> Self {
        self.config.watcher = Some(watcher);
        self
    }
}

impl<T> fmt::Debug for Run<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("skill", &self.config.skill.name())
            .field("max_turns", &self.config.max_turns)
            .finish_non_exhaustive()
    }
}
