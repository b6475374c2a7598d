//! The skills of one agent, from any provider.

mod builder;
mod event_buf;
mod input;
mod live;
mod reply_buf;
mod reply_error;
mod slash;

pub use builder::AsyncToolboxBuilder;
pub use event_buf::EventBuf;
pub use reply_buf::ReplyBuf;
pub use reply_error::ReplyError;

use crate::{
    Provider, ProviderError, ProviderWarning, Tracker, error_text::provider_error_text,
    run::ToolDefinition, shell::names_directory,
};
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};
use builder::ToolboxOptions;
use core::{fmt, mem};
use helix_skills_runtime::{
    __internal::{Excerpt, check_preloads, sorted_set, takes_arguments},
    Call, Hit, LoadedSkill, SearchIndex, SearchOptions, Selection, Skill, Toolbox, ToolboxError,
    normalize_path,
};

/// The skills of one agent, loaded from a [`Provider`]: a fixed catalog and asynchronous answers.
///
/// All texts are the same as those of a [`Toolbox`] over a set of these skills.
///
/// ```
/// use helix_skills::{AsyncToolbox, Call, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// # pollster::block_on(async {
/// let toolbox = AsyncToolbox::builder(SKILLS).build().await?; // SKILLS, or a database
/// let prompt = format!("You are an agent.\n\n{}", toolbox.catalog());
/// let tools = toolbox.tools(["get_weather"])?; // the agent's own tools
/// let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
/// let reply = toolbox.answer(Call::LoadSkill { name: "pdf", arguments: None }).await;
/// assert_eq!(names, ["load_skill", "read_skill_file"]);
/// assert!(prompt.contains("\n- pdf: ") && reply.as_str().contains("pdftotext"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct AsyncToolbox<P> {
    provider: P,
    options: ToolboxOptions,
    /// The skills as listed, and the preloaded ones as loaded. Sorted by name, each name once.
    skills: Vec<Skill>,
    /// Names, sorted.
    preloaded: Vec<String>,
    index: SearchIndex,
    catalog: String,
    warnings: Vec<ProviderWarning>,
}

impl<P: Provider> AsyncToolbox<P> {
    /// Returns the catalog, level 1: the text for the system prompt.
    #[must_use]
    pub fn catalog(&self) -> &str {
        &self.catalog
    }

    /// Returns the problems that did not prevent building the toolbox.
    #[must_use]
    pub fn warnings(&self) -> &[ProviderWarning] {
        &self.warnings
    }

    /// Returns the tools to offer to the model; none if there is no skill. `host_tools` are the
    /// names of the agent's own tools.
    ///
    /// # Errors
    /// If one of them has the name of a tool for skills.
    pub fn tools<'n>(
        &self,
        host_tools: impl IntoIterator<Item = &'n str>,
    ) -> Result<Vec<ToolDefinition>, ToolboxError> {
        let toolbox = self.listed();
        let scripts = self
            .options
            .scripts
            .as_ref()
            .filter(|_| !toolbox.view().is_empty())
            .map(|scripts| &*scripts.0);
        let mut is_taken = false;
        let is_scripts = |name| scripts.is_some_and(|scripts| scripts.name() == name);
        let tools =
            toolbox.tools(host_tools.into_iter().inspect(|name| is_taken |= is_scripts(*name)))?;
        match scripts {
            Some(scripts) if is_taken => Err(ToolboxError::ReservedTool { name: scripts.name() }),
            _ => Ok(tools
                .map(ToolDefinition::from)
                .chain(scripts.map(|scripts| scripts.tool(toolbox)))
                .collect()),
        }
    }

    /// Returns a toolbox over the skills as listed, for names and searches. A provider may list
    /// skills without their bodies; use [`answer`](Self::answer) for answers.
    #[must_use]
    pub fn listed(&self) -> Toolbox<'_> {
        let set = sorted_set(&self.skills).with_index(&self.index);
        self.options.toolbox(set, self.options.allowed(), Selection::from(&self.preloaded))
    }

    /// Returns the listed skill `name`.
    fn listed_skill(&self, name: &str) -> Option<&Skill> {
        sorted_set(&self.skills).get(name)
    }

    /// Returns whether the model may load the skill `name`.
    fn can_load(&self, name: &str) -> bool {
        self.listed().view().get(name).is_ok()
    }

    /// Returns the names and scores of up to `limit` skills that match `query`, best first. Empty
    /// without a search tool or an [index](AsyncToolboxBuilder::indexed).
    #[must_use]
    pub fn search(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        limit: usize,
    ) -> Vec<(String, f64)> {
        let mut hits = alloc::vec![Hit::default(); limit.min(self.skills.len())];
        let found = self.listed().search(query, options, &mut hits).iter();
        found
            .filter_map(|hit| Some((self.skills.get(hit.document)?.name().to_owned(), hit.score)))
            .collect()
    }

    /// Answers a call. An error of the provider becomes a text for the model.
    ///
    /// Dropping the future ends a running command, if the shell supports that.
    pub async fn answer(&self, call: Call<'_>) -> ReplyBuf {
        match (&self.options.live, call) {
            (Some(live), Call::LoadSkill { name, arguments }) => self
                .load_live(live, name, arguments.unwrap_or_default())
                .await
                .unwrap_or_else(|reply| reply),
            _ => self.answer_as_text(call).await,
        }
    }

    /// Answers a call without running commands.
    async fn answer_as_text(&self, call: Call<'_>) -> ReplyBuf {
        let (name, path) = match call {
            Call::LoadSkill { name, .. } => (name, None),
            Call::ReadSkillFile { skill, path, .. } => (skill, Some(path)),
            // A search uses only the listed skills.
            _ => return self.listed().answer(call).into(),
        };
        // A skill that was not listed does not exist for this agent, even if the provider has it
        // now.
        if !self.can_load(name) {
            return self.listed().answer(call).into();
        }
        match self.fetch(name, path).await {
            Ok(skill) => {
                if let Call::LoadSkill { arguments, .. } = call {
                    let checked = match arguments {
                        Some(arguments) => self.check_call(&skill, arguments).await,
                        None => Ok(()),
                    };
                    if let Err(reply) = checked.and_then(|()| self.check_commands(&skill)) {
                        return reply;
                    }
                }
                self.options.only(&skill).answer(call).into()
            }
            Err(why) => ReplyBuf::failed(&match path {
                Some(path) => alloc::format!(
                    "cannot read `{}` of the skill `{name}`: {why}",
                    Excerpt::new(path)
                ),
                None => load_error_text(name, &why),
            }),
        }
    }

    /// Like [`answer`](Self::answer), with a short note instead of a body that `tracker` has
    /// recorded.
    pub async fn answer_tracked(&self, call: Call<'_>, tracker: &mut Tracker) -> ReplyBuf {
        tracker.track_buf(self.answer(call).await)
    }

    /// Returns the absolute path of the directory that contains the files of the skill `name`, if
    /// the provider [has one](Provider::directory).
    ///
    /// # Errors
    /// If the provider fails.
    pub async fn directory(&self, name: &str) -> Result<Option<String>, ProviderError> {
        self.provider.directory(name, &self.options.request()).await
    }

    /// Returns the provider.
    #[must_use]
    pub const fn provider(&self) -> &P {
        &self.provider
    }

    /// Returns the body of the skill `name` (level 2), as [`answer`](Self::answer) does for a call
    /// without arguments.
    ///
    /// # Errors
    /// If this agent has no such skill, the provider fails, or a command of the body fails. The
    /// error's text is meant for the model.
    pub async fn load_skill(&self, name: &str) -> Result<ReplyBuf, ReplyError> {
        ReplyError::check(self.answer(Call::LoadSkill { name, arguments: None }).await)
    }

    /// Returns a text file of the skill `skill` (level 3), as [`answer`](Self::answer) does for a
    /// call without lines.
    ///
    /// # Errors
    /// If this agent has no such skill, if `path` leaves the skill or is not one of its files, if
    /// the file is not text, or if the provider fails. The error's text is meant for the model.
    pub async fn read_skill_file(&self, skill: &str, path: &str) -> Result<ReplyBuf, ReplyError> {
        let call = Call::ReadSkillFile { skill, path, start_line: None, end_line: None };
        ReplyError::check(self.answer(call).await)
    }

    /// Returns the names of the skills that `calls`, pairs of tool and arguments, have loaded, in
    /// the order of their first load. See [`Toolbox::loaded_skills`].
    #[must_use]
    pub fn loaded_skills<'c>(
        &self,
        calls: impl IntoIterator<Item = (&'c str, &'c str)>,
    ) -> Vec<&str> {
        self.listed().loaded_skills(calls)
    }

    /// Returns the skill that the model would load by `name`, with its body.
    ///
    /// # Errors
    /// If this agent has no such skill or the provider fails. The error's text is meant for the
    /// model.
    pub async fn skill(&self, name: &str) -> Result<Skill, ReplyError> {
        self.loadable(name).await.map_err(ReplyError::new)
    }

    /// Returns the skill that the model would load by `name`, with its body.
    ///
    /// # Errors
    /// Returns the answer to the call if the model cannot load the skill.
    async fn loadable(&self, name: &str) -> Result<Skill, ReplyBuf> {
        if !self.can_load(name) {
            let call = Call::LoadSkill { name, arguments: None };
            return Err(self.listed().answer(call).into());
        }
        let skill = self
            .fetch(name, None)
            .await
            .map_err(|why| ReplyBuf::failed(&load_error_text(name, &why)))?;
        // The skill may have changed since it was listed, and no longer be for models.
        self.loaded(&skill)?;
        Ok(skill)
    }

    /// Returns the body of a loaded `skill`.
    ///
    /// # Errors
    /// Returns the answer to the call if the model cannot load the skill.
    fn loaded<'s>(&'s self, skill: &'s Skill) -> Result<LoadedSkill<'s>, ReplyBuf> {
        let loaded = self.options.only(skill).load_skill(skill.name());
        loaded.map_err(|error| ReplyBuf::failed(&error.to_string()))
    }

    /// Answers a call of `tool` with `arguments`, the text of a JSON object. Returns `None` if the
    /// toolbox has no such tool.
    pub async fn call(&self, tool: &str, arguments: &str) -> Option<ReplyBuf> {
        if let Some(scripts) =
            self.options.scripts.as_ref().filter(|scripts| scripts.0.name() == tool)
        {
            return Some(self.run_script(&*scripts.0, arguments).await);
        }
        let read = self.listed().read_call(tool, arguments)?;
        Some(match read {
            Ok(call) => self.answer(call.as_call()).await,
            Err(error) => ReplyBuf::failed(&error.to_string()),
        })
    }

    /// Returns a skill with its body, and with the content of the file at `path` if it has such a
    /// file.
    async fn fetch(&self, name: &str, path: Option<&str>) -> Result<Skill, String> {
        let gone = || "it is no longer available".to_owned();
        let request = self.options.request();
        let mut skill = self
            .provider
            .load(name, &request)
            .await
            .map_err(provider_error_text)?
            .ok_or_else(gone)?;
        // The requested name takes precedence over the name in the text.
        skill.rename(name).map_err(|error| error.to_string())?;
        if path.is_none() && self.needs_directory(&skill) {
            skill.set_directory(self.directory(name).await.map_err(provider_error_text)?);
        }
        let listed = path
            .and_then(|path| normalize_path(path).ok())
            .filter(|path| skill.resource(path).is_some());
        if let Some(path) = listed {
            let content = self
                .provider
                .read(name, path, &request)
                .await
                .map_err(provider_error_text)?
                .ok_or_else(gone)?;
            skill.insert_resource(path, content).map_err(|error| error.to_string())?;
        }
        Ok(skill)
    }

    /// Returns whether a loaded body has a variable for the directory of its files, and is filled
    /// without the directory being known.
    fn needs_directory(&self, skill: &Skill) -> bool {
        let profile = self.options.profile();
        takes_arguments(profile)
            && self.options.live.is_none()
            && self.options.root.is_none()
            && skill.directory().is_none()
            && names_directory(skill, profile)
    }

    /// Loads the body of a listed skill, if it fits the budget.
    async fn preload(&mut self, name: &str) -> Result<(), ProviderWarning> {
        let not_preloaded =
            |why: String| ProviderWarning::NotPreloaded { name: name.to_owned(), why };
        let Some(place) = self.skills.iter().position(|skill| skill.name() == name) else {
            return Err(ProviderWarning::Unknown { name: name.to_owned() });
        };
        let listed = self.listed().view().get(name).map(|_| ());
        listed.map_err(|error| not_preloaded(error.to_string()))?;
        let skill = self.fetch(name, None).await.map_err(not_preloaded)?;
        let before = mem::replace(&mut self.skills[place], skill);
        let at = self.preloaded.partition_point(|preloaded| preloaded.as_str() < name);
        self.preloaded.insert(at, name.to_owned());
        let toolbox = self.listed();
        // The skill may have changed since it was listed, and no longer be for models.
        let loads = toolbox.view().get(name).map_err(|error| error.to_string());
        let fits = loads.and_then(|_| check_preloads(&toolbox).map_err(|error| error.to_string()));
        fits.map_err(|why| {
            self.preloaded.remove(at);
            self.skills[place] = before;
            not_preloaded(why)
        })
    }
}

fn load_error_text(name: &str, why: &str) -> String {
    alloc::format!("cannot load the skill `{name}`: {why}")
}

impl<P> fmt::Debug for AsyncToolbox<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncToolbox")
            .field("skills", &sorted_set(&self.skills))
            .field("preloaded", &self.preloaded)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}
