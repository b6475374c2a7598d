//! The skills of one agent, from any provider.

mod builder;
mod input;
mod shell;
mod slash;

pub use builder::AsyncToolboxBuilder;

use crate::{
    Error, ErrorKind, Provider, ProviderWarning,
    error_text::provider_error_text,
    run::{Run, ToolDefinition, unknown_skill},
    shell::names_directory,
};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};
use builder::ToolboxOptions;
use core::{fmt, mem};
use helix_skills_runtime::{
    __internal::{
        Excerpt, check_preloads, reserved_tool, sorted_set, takes_arguments, tool_names, with_body,
    },
    Call, Hit, OneLine, Reply, SearchIndex, SearchOptions, Selection, Skill, Toolbox,
    normalize_path,
};

/// The skills of one agent, loaded from a [`Provider`]: a fixed catalog and asynchronous answers.
///
/// A [`Toolbox`] over a set of these skills has the same texts.
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
/// assert!(prompt.contains("\n- pdf: ") && reply.to_string().contains("pdftotext"));
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
    /// Whether the provider's list never changes.
    pub(crate) is_fixed: bool,
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
    ) -> Result<Vec<ToolDefinition>, Error> {
        let toolbox = self.listed();
        let scripts = self.options.scripts.as_ref().filter(|_| toolbox.skills().next().is_some());
        let mut is_taken = false;
        let is_scripts = |name| scripts.is_some_and(|scripts| scripts.name() == name);
        let tools =
            toolbox.tools(host_tools.into_iter().inspect(|name| is_taken |= is_scripts(*name)))?;
        // With a shell, loading a skill can run the commands of its body.
        let shell = self.options.shell.as_ref().filter(|shell| shell.runs_commands());
        let runs = shell.and(tool_names(self.options.profile).next());
        match scripts {
            Some(scripts) if is_taken => Err(reserved_tool(scripts.name())),
            _ => Ok(tools
                .map(ToolDefinition::from)
                .map(|tool| ToolDefinition { read_only: runs != Some(&*tool.name), ..tool })
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

    /// Returns the skills that match `query` best, best first. Empty without a search
    /// tool, which needs an index.
    #[must_use]
    pub fn search(&self, query: &str, options: &SearchOptions) -> Vec<Hit<'_>> {
        self.listed().search(query, options)
    }

    /// Answers a call. An error of the provider becomes a text for the model.
    ///
    /// Dropping the future ends a running command, if the shell supports that.
    pub async fn answer(&self, call: Call<'_>) -> Reply<'static> {
        self.try_answer(call).await.unwrap_or_else(Reply::from)
    }

    async fn try_answer(&self, call: Call<'_>) -> Result<Reply<'static>, Error> {
        let (skill, arguments) = match call {
            Call::LoadSkill { name, arguments } => {
                (self.loadable(name, None).await?, arguments.unwrap_or_default())
            }
            Call::ReadSkillFile { skill, path, .. } => {
                let skill = self.loadable(skill, Some(path)).await?;
                return Ok(self.options.only(&skill).answer(call).into_owned());
            }
            // A search uses only the listed skills.
            _ => return Ok(self.listed().answer(call).into_owned()),
        };
        self.check_call(&skill, arguments).await?;
        let toolbox = self.options.only(&skill);
        let Some(shell) = &self.options.shell else { return Ok(toolbox.answer(call).into_owned()) };
        let body = self.fill_in_shell(shell, &skill, arguments).await?;
        let loaded = toolbox.load_skill(skill.name())?;
        Ok(Reply::from(with_body(loaded, &body)).into_owned())
    }

    /// Creates a run of the skill `name`, which the host starts: with the profile, the tools, the
    /// shell and the variables of this toolbox.
    ///
    /// Tools of the host are added with `.tools((&toolbox, tools))`.
    ///
    /// ```
    /// use helix_skills::{AsyncToolbox, Profile, run::Model};
    /// # use helix_skills::{Skill, SkillSet, skill_set};
    /// # const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Label it.").build();
    /// # static SKILLS: SkillSet = skill_set![TRIAGE];
    /// async fn label(model: &impl Model) -> Result<String, helix_skills::Error> {
    ///     // `SKILLS`, directories, or a database
    ///     let builder = AsyncToolbox::builder(SKILLS).profile(Profile::Agentick);
    ///     let toolbox = builder.build().await?;
    ///     toolbox.run("triage").await?.arguments("42").text(model).await
    /// }
    /// ```
    ///
    /// # Errors
    /// If this toolbox has no such skill, or the provider fails.
    pub async fn run(&self, name: &str) -> Result<Run<'_, &Self>, Error> {
        if let Some(allowed) = self.options.allowed()
            && !allowed.names().any(|known| known == name)
        {
            return Err(unknown_skill(name, allowed.names()));
        }
        let run = Run::load(&self.provider, name, self.options.profile).await?;
        let run = run.variables(self.options.variables.clone().unwrap_or_default()).tools(self);
        Ok(match &self.options.shell {
            Some(shell) => run.shell(shell.clone()),
            None => run,
        })
    }

    /// Returns the provider.
    #[must_use]
    pub const fn provider(&self) -> &P {
        &self.provider
    }

    /// Returns the skill that the model would load by `name`, with its body, and with the content
    /// of the file at `path` if it has such a file.
    ///
    /// # Errors
    /// Returns the answer to the call if the model cannot load the skill. A skill that was not
    /// listed does not exist for this agent, even if the provider has it now.
    async fn loadable(&self, name: &str, path: Option<&str>) -> Result<Skill, Error> {
        self.listed().load_skill(name)?;
        let skill = self.fetch(name, path).await.map_err(|why| match path {
            Some(path) => {
                let what = format!("read `{}` of", Excerpt(path));
                Error::cannot(ErrorKind::Failed, &what, name, OneLine(&why))
            }
            None => cannot_load(name, &why),
        })?;
        // The skill may have changed since it was listed, and no longer be for models.
        self.options.only(&skill).load_skill(name)?;
        Ok(skill)
    }

    /// Answers a call of `tool` with `arguments`, the text of a JSON object. Returns `None` if the
    /// toolbox has no such tool.
    pub async fn call(&self, tool: &str, arguments: &str) -> Option<Reply<'static>> {
        if let Some(scripts) =
            self.options.scripts.as_ref().filter(|scripts| scripts.name() == tool)
        {
            let reply = self.run_script(&**scripts, arguments).await;
            return Some(reply.unwrap_or_else(Reply::from));
        }
        let read = self.listed().read_call(tool, arguments)?;
        Some(match read {
            Ok(call) => self.answer(call.as_call()).await,
            Err(error) => error.into(),
        })
    }

    /// Returns a skill with its body, and with the content of the file at `path` if it has such a
    /// file.
    async fn fetch(&self, name: &str, path: Option<&str>) -> Result<Skill, String> {
        let gone = || "it is no longer available".to_owned();
        let profile = self.options.profile;
        let mut skill = self
            .provider
            .load(name, profile)
            .await
            .map_err(provider_error_text)?
            .ok_or_else(gone)?;
        // The requested name takes precedence over the name in the text.
        skill.rename(name).map_err(|error| error.to_string())?;
        if path.is_none() && self.needs_directory(&skill) {
            skill.set_directory(
                self.provider.directory(name, profile).await.map_err(provider_error_text)?,
            );
        }
        let listed = path
            .and_then(|path| normalize_path(path).ok())
            .filter(|path| skill.resource(path).is_some());
        if let Some(path) = listed {
            let content = self
                .provider
                .read(name, path, profile)
                .await
                .map_err(provider_error_text)?
                .ok_or_else(gone)?;
            skill.insert_resource(path, content).map_err(|error| error.to_string())?;
        }
        Ok(skill)
    }

    /// Returns whether a loaded body has a variable for the directory of its files, and may be
    /// filled without the directory being known.
    fn needs_directory(&self, skill: &Skill) -> bool {
        let profile = self.options.profile;
        (self.options.variables.is_some() || takes_arguments(&self.options.only(skill)))
            && self.options.shell.is_none()
            && self.options.root.is_none()
            && skill.directory().is_none()
            && names_directory(skill, profile)
    }

    /// Loads the body of a listed skill, if it fits the budget.
    async fn preload(&mut self, name: &str) -> Result<(), ProviderWarning> {
        let not_preloaded = |why: String| ProviderWarning::not_preloaded(name, &why);
        let Some(place) = self.skills.iter().position(|skill| skill.name() == name) else {
            return Err(ProviderWarning::unknown(name));
        };
        let listed = self.listed().load_skill(name).map(|_| ());
        listed.map_err(|error| not_preloaded(error.to_string()))?;
        let skill = self.fetch(name, None).await.map_err(not_preloaded)?;
        let before = mem::replace(&mut self.skills[place], skill);
        let at = self.preloaded.partition_point(|preloaded| preloaded.as_str() < name);
        self.preloaded.insert(at, name.to_owned());
        let toolbox = self.listed();
        // The skill may have changed since it was listed, and no longer be for models.
        let loads = toolbox.load_skill(name).map_err(|error| error.to_string());
        let fits = loads.and_then(|_| check_preloads(&toolbox).map_err(|error| error.to_string()));
        fits.map_err(|why| {
            self.preloaded.remove(at);
            self.skills[place] = before;
            not_preloaded(why)
        })
    }
}

/// Returns the error that a skill cannot be loaded. The reason may be untrusted text.
fn cannot_load(skill: &str, why: &str) -> Error {
    Error::cannot(ErrorKind::Failed, "load", skill, OneLine(why))
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
