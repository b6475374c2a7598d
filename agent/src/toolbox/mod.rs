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
use core::fmt;
use helix_skills_runtime::{
    __internal::{Excerpt, check_preloads, takes_arguments},
    Call, Hit, LoadedSkill, SearchIndexBuf, SearchOptions, Selection, SkillBuf, SkillSet,
    SkillSetBuf, Toolbox, ToolboxError, normalize_path,
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
    /// Skills as listed. Only preloaded skills have bodies.
    skills: SkillSetBuf,
    /// Names, sorted.
    preloaded: Vec<String>,
    index: SearchIndexBuf,
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
        self.view(|toolbox| {
            let scripts = self
                .options
                .scripts
                .as_ref()
                .filter(|_| !toolbox.view().is_empty())
                .map(|scripts| &*scripts.0);
            let mut is_taken = false;
            let is_scripts = |name| scripts.is_some_and(|scripts| scripts.name() == name);
            let tools = toolbox
                .tools(host_tools.into_iter().inspect(|name| is_taken |= is_scripts(*name)))?;
            match scripts {
                Some(scripts) if is_taken => {
                    Err(ToolboxError::ReservedTool { name: scripts.name() })
                }
                _ => Ok(tools
                    .map(ToolDefinition::from)
                    .chain(scripts.map(|scripts| scripts.tool(toolbox)))
                    .collect()),
            }
        })
    }

    /// Calls `read` with a toolbox over the listed skills, for names and searches. It contains no
    /// bodies except preloaded ones; use [`answer`](Self::answer) for answers.
    pub fn view<R>(&self, read: impl FnOnce(Toolbox<'_>) -> R) -> R {
        self.skills.view(|set| {
            let set = set.with_index(self.index.as_index());
            read(self.options.toolbox(
                set,
                self.options.allowed(),
                Selection::from(&self.preloaded),
            ))
        })
    }

    /// Returns whether the model may load the skill `name`. Creates a view of this skill only.
    fn can_load(&self, name: &str) -> bool {
        self.skills.get(name).is_some_and(|skill| {
            skill.view(|skill| {
                let alone = [skill];
                let toolbox = self.options.toolbox(
                    SkillSet::new(&alone),
                    self.options.allowed(),
                    Selection::NONE,
                );
                toolbox.view().get(name).is_ok()
            })
        })
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
        self.view(|toolbox| {
            let found = toolbox.search(query, options, &mut hits);
            let name = |hit: &Hit| {
                toolbox.set().iter().nth(hit.document).map(|skill| skill.name().to_owned())
            };
            found.iter().filter_map(|hit| Some((name(hit)?, hit.score))).collect()
        })
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
            _ => return self.view(|toolbox| toolbox.answer(call).into()),
        };
        // A skill that was not listed does not exist for this agent, even if the provider has it
        // now.
        if !self.can_load(name) {
            return self.view(|toolbox| toolbox.answer(call).into());
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
                self.options.with_skill(&skill, |toolbox| toolbox.answer(call).into())
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
        let loaded = self.view(|toolbox| {
            toolbox.loaded_skills(calls).into_iter().map(str::to_owned).collect::<Vec<_>>()
        });
        loaded.iter().filter_map(|name| self.skills.get(name)).map(SkillBuf::name).collect()
    }

    /// Returns the skill that the model would load by `name`, with its body.
    ///
    /// # Errors
    /// If this agent has no such skill or the provider fails. The error's text is meant for the
    /// model.
    pub async fn skill(&self, name: &str) -> Result<SkillBuf, ReplyError> {
        self.loadable(name).await.map_err(ReplyError::new)
    }

    /// Returns the skill that the model would load by `name`, with its body.
    ///
    /// # Errors
    /// Returns the answer to the call if the model cannot load the skill.
    async fn loadable(&self, name: &str) -> Result<SkillBuf, ReplyBuf> {
        if !self.can_load(name) {
            let call = Call::LoadSkill { name, arguments: None };
            return Err(self.view(|toolbox| toolbox.answer(call).into()));
        }
        let skill = self
            .fetch(name, None)
            .await
            .map_err(|why| ReplyBuf::failed(&load_error_text(name, &why)))?;
        // The skill may have changed since it was listed, and no longer be for models.
        self.with_loaded(&skill, |_| ())?;
        Ok(skill)
    }

    /// Calls `answer` with a loaded `skill`.
    ///
    /// # Errors
    /// Returns the answer to the call if the model cannot load the skill.
    fn with_loaded<R>(
        &self,
        skill: &SkillBuf,
        answer: impl FnOnce(LoadedSkill<'_>) -> R,
    ) -> Result<R, ReplyBuf> {
        self.options.with_skill(skill, |toolbox| {
            let loaded = toolbox.load_skill(skill.name());
            loaded.map(answer).map_err(|error| ReplyBuf::failed(&error.to_string()))
        })
    }

    /// Answers a call of `tool` with `arguments`, the text of a JSON object. Returns `None` if the
    /// toolbox has no such tool.
    pub async fn call(&self, tool: &str, arguments: &str) -> Option<ReplyBuf> {
        if let Some(scripts) =
            self.options.scripts.as_ref().filter(|scripts| scripts.0.name() == tool)
        {
            return Some(self.run_script(&*scripts.0, arguments).await);
        }
        let read = self.view(|toolbox| toolbox.read_call(tool, arguments))?;
        Some(match read {
            Ok(call) => self.answer(call.as_call()).await,
            Err(error) => ReplyBuf::failed(&error.to_string()),
        })
    }

    /// Returns a skill with its body, and with the content of the file at `path` if it has such a
    /// file.
    async fn fetch(&self, name: &str, path: Option<&str>) -> Result<SkillBuf, String> {
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
    fn needs_directory(&self, skill: &SkillBuf) -> bool {
        let profile = self.options.profile();
        takes_arguments(profile)
            && self.options.live.is_none()
            && self.options.root.is_none()
            && skill.directory().is_none()
            && skill.view(|skill| names_directory(&skill, profile))
    }

    /// Loads the body of a listed skill, if it fits the budget.
    async fn preload(&mut self, name: &str) -> Result<(), ProviderWarning> {
        let not_preloaded =
            |why: String| ProviderWarning::NotPreloaded { name: name.to_owned(), why };
        if self.skills.get(name).is_none() {
            return Err(ProviderWarning::Unknown { name: name.to_owned() });
        }
        self.view(|toolbox| {
            toolbox.view().get(name).map(|_| ()).map_err(|error| not_preloaded(error.to_string()))
        })?;
        let skill = self.fetch(name, None).await.map_err(not_preloaded)?;
        let before = self.skills.replace(skill);
        let at = self.preloaded.partition_point(|preloaded| preloaded.as_str() < name);
        self.preloaded.insert(at, name.to_owned());
        let fits = self.view(|toolbox| {
            // The skill may have changed since it was listed, and no longer be for models.
            toolbox.view().get(name).map_err(|error| error.to_string())?;
            check_preloads(&toolbox).map_err(|error| error.to_string())
        });
        fits.map_err(|why| {
            self.preloaded.remove(at);
            before.map(|before| self.skills.replace(before));
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
            .field("skills", &self.skills)
            .field("preloaded", &self.preloaded)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}
