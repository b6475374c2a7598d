//! What a host chooses of a run.

#[cfg(feature = "serde")]
use super::mismatch::{Mismatch, object};
use super::{
    InputContract, RunError, RunSkill, Tools, Watcher,
    config::{RunConfig, RunInput},
};
use crate::{Provider, ProviderRequest, live::uses_directory};
#[cfg(feature = "serde")]
use alloc::string::ToString;
use alloc::{borrow::ToOwned, string::String};
use core::fmt;
use helix_skills_runtime::{
    __internal::{first_of_each_name, known_names},
    Arguments, Profile, Skill, SkillSet, Variables,
};

/// A skill that is about to be run: what it works on, with which tools, and how long at most. One can be run several times, by
/// several models, and for results of several types.
///
/// ```
/// use helix_skills::{Skill, SkillSet, run::Run, skill_set};
/// # use helix_skills::{provider::Pending, run::{Answer, Message, Model, ToolDefinition}};
/// # struct Script;
/// # impl Model for Script {
/// #     fn answer<'m>(&'m self, _: &'m [Message], _: &'m [ToolDefinition]) -> Pending<'m, Answer> {
/// #         Box::pin(async { Ok("Nobody slept.".into()) })
/// #     }
/// # }
/// # const SUMMARIZE: Skill = Skill::define("summarize", "Sums texts up.", "Sum this up in one sentence: $ARGUMENTS").build();
/// static SKILLS: SkillSet = skill_set![SUMMARIZE]; // or `include_skills!()`
///
/// # pollster::block_on(async {
/// # let model = Script;
/// let text = Run::named(&SKILLS, "summarize")?.arguments("It was a long night, and …").text(&model).await?;
/// assert_eq!(text, "Nobody slept.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
///
/// The feature `serde` adds `input` and `shaped`, the feature `schemars` adds `typed`.
#[derive(Clone)]
#[must_use = "a run does nothing before a model is asked"]
pub struct Run<'a, T = ()> {
    pub(super) config: RunConfig<'a>,
    pub(super) tools: T,
}

impl<'a> Run<'a> {
    /// A run of this skill: a [`Skill`], or a [`SkillBuf`](helix_skills_runtime::SkillBuf), owned, lent, or shared by a registry. It is the host who runs it: a skill that is
    /// not for models can be run, too.
    pub fn new(skill: impl Into<RunSkill<'a>>) -> Self {
        Self { config: RunConfig::new(skill.into()), tools: () }
    }

    /// A run of the skill of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(skills: &SkillSet<'a>, name: &str) -> Result<Self, RunError> {
        let unknown = || RunError::UnknownSkill {
            name: name.to_owned(),
            known: known_names(name, skills.names()),
        };
        skills.get(name).map(Self::new).ok_or_else(unknown)
    }
}

impl Run<'static> {
    /// A run of the skill that a provider has by this name now, read and filled as `profile` does.
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
    /// let run = Run::load(&SKILLS, "triage", Profile::Helix).await?; // SKILLS, directories, or a database
    /// # Ok::<(), helix_skills::run::RunError>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// When there is none, or the provider fails.
    pub async fn load(
        provider: &(impl Provider + ?Sized),
        name: &str,
        profile: Profile,
    ) -> Result<Self, RunError> {
        let request = ProviderRequest::new(profile);
        let failed = |source| RunError::Provider { skill: name.to_owned(), source };
        if let Some(skill) = provider.load(name, &request).await.map_err(failed)? {
            let contract = provider.input(name, &request).await.map_err(failed)?;
            let mut run = Self::new(skill).in_profile(profile).expecting(contract);
            if run.view(|skill| uses_directory(&skill, Profile::Helix)) {
                run.config.directory = provider.directory(name, &request).await.map_err(failed)?;
            }
            return Ok(run);
        }
        let (skills, _) = first_of_each_name(provider.list(&request).await.map_err(failed)?.skills);
        Err(RunError::UnknownSkill {
            name: name.to_owned(),
            known: known_names(name, skills.names()),
        })
    }
}

impl<'a, T> Run<'a, T> {
    /// Calls `read` with the skill.
    pub fn view<R>(&self, read: impl FnOnce(Skill<'_>) -> R) -> R {
        self.config.skill.view(read)
    }

    /// The absolute path of the directory that has the files of the skill, if its provider or the skill
    /// itself knows one.
    #[must_use]
    pub fn directory(&self) -> Option<&str> {
        self.config.directory()
    }

    /// What the skill works on.
    pub fn arguments(mut self, arguments: impl Into<Arguments<'a>>) -> Self {
        self.config.input = RunInput::Arguments(arguments.into());
        self
    }

    /// What the skill works on, as a value: `$name` is its field of this name, `$ARGUMENTS` all of it as JSON.
    ///
    /// ```
    /// # use helix_skills::{Skill, run::Run};
    /// # const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Look into issue $number.").build();
    /// #[derive(serde::Serialize)]
    /// struct Issue {
    ///     number: u32,
    /// }
    /// let run = Run::new(TRIAGE).input(&Issue { number: 42 })?;
    /// # Ok::<(), helix_skills::run::RunError>(())
    /// ```
    ///
    /// # Errors
    /// If the value has no form in JSON, or is an object without one of the arguments that the skill
    /// declares.
    #[cfg(feature = "serde")]
    pub fn input(
        mut self,
        input: &(impl serde_core::Serialize + ?Sized),
    ) -> Result<Self, RunError> {
        let json = serde_json::to_string(input).map_err(|error| error.to_string());
        let json = json.and_then(|json| match Arguments::json(&json) {
            Ok(_) => Ok(json),
            Err(error) => Err(error.to_string()),
        });
        let json =
            json.map_err(Mismatch::whole).and_then(|json| match self.missing_argument(&json) {
                Some(field) => Err(Mismatch {
                    field,
                    why: "the skill declares this argument, and it is missing".into(),
                }),
                None => Ok(json),
            });
        match json {
            Ok(json) => self.config.input = RunInput::Json(json),
            Err(mismatch) => return Err(mismatch.into_run_error(self.config.skill.name())),
        }
        Ok(self)
    }

    /// The first declared argument that an object does not have.
    #[cfg(feature = "serde")]
    fn missing_argument(&self, json: &str) -> Option<String> {
        let members = object(json)?;
        self.view(|skill| {
            skill
                .arguments()
                .iter()
                .find(|name| !members.contains_key(**name))
                .map(|name| (*name).into())
        })
    }

    /// Checks the input by the contract of the skill, which a [`Registry`](crate::Registry) or another
    /// provider has. A run does so before it asks a model, unless its body was [filled](Self::filled)
    /// by the host: then the host checks the input before it fills the body.
    ///
    /// # Errors
    /// If the input does not fit.
    pub fn check_input(&self) -> Result<(), RunError> {
        self.view(|skill| self.config.check_input(&skill))
    }

    pub(crate) fn expecting(mut self, contract: Option<InputContract>) -> Self {
        self.config.contract = contract;
        self
    }

    /// What the host knows of itself, for `${…}` in the body.
    pub const fn variables(mut self, variables: Variables<'a>) -> Self {
        self.config.variables = variables;
        self
    }

    /// Filled, and limited to tools, as another system does it.
    pub const fn in_profile(mut self, profile: Profile) -> Self {
        self.config.profile = profile;
        self
    }

    /// The body as the host has filled it, where a shell runs its commands. Arguments and variables are in it: what the run has of
    /// them is not looked at.
    pub fn filled(mut self, body: impl Into<String>) -> Self {
        self.config.body = Some(body.into());
        self
    }

    /// Leaves commands of the body as they are written, for the model to read: a body that only shows some. Otherwise a body with
    /// a command that nobody has run is an error.
    pub const fn commands_as_text(mut self) -> Self {
        self.config.commands_as_text = true;
        self
    }

    /// What stands above the conversation before our own words: who the agent is, and what it must not do.
    pub const fn system(mut self, text: &'a str) -> Self {
        self.config.system = Some(text);
        self
    }

    /// How often the model may be asked, whatever the skill says: `maxTicks`, of which 100 count, or else 10.
    pub const fn ticks(mut self, ticks: u32) -> Self {
        self.config.ticks = Some(ticks);
        self
    }

    /// Tools of the host that the skill may use, whatever it says itself: to read its files, for example.
    pub const fn also_allow(mut self, tools: &'a [&'a str]) -> Self {
        self.config.also_allowed = tools;
        self
    }

    /// The tools that there are. The skill gets those of them that it may use.
    pub fn tools<U: Tools>(self, tools: U) -> Run<'a, U> {
        Run { config: self.config, tools }
    }

    /// Tells `watcher` what happens.
    pub const fn watch(mut self, watcher: &'a Watcher<'a>) -> Self {
        self.config.watcher = Some(watcher);
        self
    }
}

impl<T> fmt::Debug for Run<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("skill", &self.config.skill.name())
            .field("ticks", &self.config.ticks)
            .finish_non_exhaustive()
    }
}
