//! The options of a toolbox over a provider.

use super::AsyncToolbox;
use crate::{
    Error, ErrorKind, Provided, Provider, ProviderWarning,
    provider::first_of_each_name,
    shell::{ShellContext, scripts::Scripts},
};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::slice;
use helix_skills_runtime::{
    __internal::{build_unchecked, duplicate_skill, sorted_set, tool_names},
    Budget, IndexOptions, Profile, SearchIndex, SearchMode, Selection, Skill, SkillSet, Toolbox,
    Variables,
};

/// The options of an [`AsyncToolbox`]. Call [`build`](Self::build) once for each conversation.
///
/// If no skill has an allowed name, that is a [warning](AsyncToolbox::warnings) and not an error:
/// lists of names are often configured elsewhere, and the provider may have lost the skill since.
/// The same applies to a preloaded name, unless the skills are a set.
///
/// ```
/// use helix_skills::{AsyncToolbox, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// # pollster::block_on(async {
/// let configured = ["pdf", "retired"];
/// // `SKILLS`, or a database
/// let toolbox = AsyncToolbox::builder(SKILLS).allow(&configured).build().await?;
/// assert_eq!(
///     toolbox.warnings()[0].to_string(),
///     "there is no skill `retired`: the name has no effect"
/// );
/// # Ok::<(), helix_skills::Error>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use = "a toolbox has no skills before it is built"]
pub struct AsyncToolboxBuilder<P> {
    provider: P,
    options: ToolboxOptions,
    preloaded: Vec<String>,
}

/// The options that a toolbox keeps.
#[derive(Clone, Debug, Default)]
pub(super) struct ToolboxOptions {
    pub(super) profile: Profile,
    allowed: Option<Vec<String>>,
    budget: Budget,
    pub(super) root: Option<String>,
    pub(super) variables: Option<Variables>,
    search: Option<SearchMode>,
    pub(super) shell: Option<ShellContext>,
    pub(super) scripts: Option<Arc<dyn Scripts>>,
}

impl<P: Provider> AsyncToolbox<P> {
    /// Returns a builder for a toolbox with all skills of `provider`, in [`Profile::Helix`].
    pub fn builder(provider: P) -> AsyncToolboxBuilder<P> {
        AsyncToolboxBuilder { provider, options: ToolboxOptions::default(), preloaded: Vec::new() }
    }
}

impl<P: Provider> AsyncToolboxBuilder<P> {
    pub(crate) fn shared(self) -> AsyncToolboxBuilder<Arc<dyn Provider>>
    where
        P: 'static,
    {
        AsyncToolboxBuilder {
            provider: Arc::new(self.provider),
            options: self.options,
            preloaded: self.preloaded,
        }
    }

    /// Follows the conventions of another system. Requests to the provider carry this profile.
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.options.profile = profile;
        self
    }

    /// Allows only these skills. [`Selection::NONE`] allows no skill.
    pub fn allow<'n>(mut self, skills: impl Into<Selection<'n>>) -> Self {
        self.options.allowed = Some(to_names(skills.into()));
        self
    }

    /// Puts the bodies of these skills into the catalog.
    pub fn preload<'n>(mut self, skills: impl Into<Selection<'n>>) -> Self {
        self.preloaded = to_names(skills.into());
        self
    }

    /// Limits the size of the catalog and of the preloaded bodies.
    ///
    /// Preloads over their budget are left out from the end, with a warning.
    pub const fn budget(mut self, budget: Budget) -> Self {
        self.options.budget = budget;
        self
    }

    /// Offers the model a tool to search for skills, over an index of the listed fields.
    pub const fn search(mut self, mode: SearchMode) -> Self {
        self.options.search = Some(mode);
        self
    }

    /// Sets the directory that contains the skills as files, `root/NAME/SKILL.md`. NAME is the name
    /// of the directory from which the provider reads the skill, or the name of the skill if there
    /// is no such directory.
    ///
    /// Some profiles show the path to the model. By default [`Profile::DeepAgents`] shows the
    /// directory from which the provider reads the skill, or `/skills/NAME` if there is none.
    pub fn at(mut self, root: impl Into<String>) -> Self {
        self.options.root = Some(root.into());
        self
    }

    /// Sets the variables of the host, for `${…}` in loaded bodies, which are then filled in every
    /// profile, and for the environment of their commands. They take precedence over the directory
    /// of the skill, and replace the variables of a [`ShellContext`].
    pub fn variables(mut self, variables: Variables) -> Self {
        self.options.variables = Some(variables);
        self
    }

    /// Fills the bodies of loaded skills, and runs their commands in a shell: a
    /// [`Shell`](crate::shell::Shell), or a [`ShellContext`] with limits and approvals.
    ///
    /// Bodies are filled in every profile. `${SKILL_DIR}` is the directory that the provider
    /// [returns](Provider::directory), and commands run there. If a command fails, is denied or
    /// cannot be run, the call fails, and the model reads the error instead of the body. Preloaded
    /// bodies and files of skills are text: nothing in them runs.
    ///
    /// ```
    /// use helix_skills::{AsyncToolbox, Profile, shell::ShellContext};
    /// # use helix_skills::shell::{ExitStatus, ProcessOutput, Shell, ShellCommand};
    /// # use std::time::Duration;
    /// # use helix_skills::{Skill, SkillSet, provider::BoxFuture, skill_set};
    /// # const LOG: Skill =
    /// #     Skill::define("log", "Sums up changes.", "Sum up: !`git log -- $0`").build();
    /// # static SKILLS: SkillSet = skill_set![LOG];
    /// # struct SystemShell;
    /// # impl SystemShell { fn new() -> Self { Self } }
    /// # impl Shell for SystemShell {
    /// #     fn run<'s>(&'s self, command: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput> {
    /// #         Box::pin(async move {
    /// #             let text = format!("<{}>\n", command.text);
    /// #             Ok(ProcessOutput::new(text, ExitStatus::Code(0), Duration::ZERO))
    /// #         })
    /// #     }
    /// # }
    /// # pollster::block_on(async {
    /// let shell = ShellContext::new(SystemShell::new()).directory("/project");
    /// let builder = AsyncToolbox::builder(SKILLS).profile(Profile::Agentick);
    /// let toolbox = builder.shell(shell).build().await?;
    /// let arguments = r#"{"name": "log", "args": "a b"}"#;
    /// let reply = toolbox.call("skill", arguments).await.expect("the tool exists");
    /// assert_eq!(reply.to_string(), "Sum up: <SKILL_VALUE_1='a'\ngit log -- \"${SKILL_VALUE_1}\">\n");
    /// # Ok::<(), helix_skills::Error>(())
    /// # }).unwrap();
    /// ```
    pub fn shell(mut self, shell: impl Into<ShellContext>) -> Self {
        self.options.shell = Some(shell.into());
        self
    }

    /// Offers the model a tool that runs scripts of its skills, in every profile. `scripts` is the
    /// `ScriptRunner` of the crate `helix-skills-host`.
    pub fn scripts(mut self, scripts: impl Scripts + 'static) -> Self {
        self.options.scripts = Some(Arc::new(scripts));
        self
    }

    /// Lists the skills of the provider, loads the preloaded bodies, and builds the toolbox. Its
    /// catalog does not change afterwards.
    ///
    /// # Errors
    /// - If the provider fails to list its skills; the error of the provider is the source.
    /// - If a preload is repeated.
    /// - If the skills are a set, for a preload that is unknown or not for models, as in
    ///   [`Toolbox`]. For other providers, whose skills can change, that is a warning.
    ///
    /// All other problems are [warnings](AsyncToolbox::warnings).
    pub async fn build(self) -> Result<AsyncToolbox<P>, Error> {
        let listed = self.provider.list(self.options.profile).await;
        let Provided { mut skills, mut warnings, is_fixed } = listed.map_err(|source| {
            Error::new(ErrorKind::Failed, "failed to list the skills of the provider")
                .with_source(source)
        })?;
        let repeated = first_of_each_name(&mut skills);
        let describe = |at: usize| format!("number {} of the list", at + 1);
        warnings.extend(repeated.iter().map(|pair| ProviderWarning::duplicate(pair, describe)));
        let scripts = self.options.scripts.as_ref();
        if scripts.is_none() {
            warnings.retain(|warning| !warning.is_about_scripts());
        }
        let tools: Vec<_> =
            tool_names(self.options.profile).chain(scripts.map(|scripts| scripts.name())).collect();
        let taken = skills.extract_if(.., |skill| tools.contains(&skill.name()));
        let why = "a tool for skills has this name";
        let left_out = |name: &str| ProviderWarning::left_out(Some(name), name, why);
        warnings.extend(taken.map(|skill| left_out(skill.name())));
        let preloaded = Selection::from(&self.preloaded);
        if is_fixed {
            let builder = Toolbox::builder(sorted_set(&skills)).profile(self.options.profile);
            builder.preload(preloaded).build()?;
        } else if let Some(name) = repeated_name(&self.preloaded) {
            return Err(duplicate_skill(name));
        }
        let set = sorted_set(&skills);
        let unknown = self.options.allowed.iter().flatten().filter(|name| set.get(name).is_none());
        let unknown: Vec<_> = unknown.map(|name| ProviderWarning::unknown(name)).collect();
        let mut options = self.options;
        if let Some(known) = &options.variables {
            options.shell = options.shell.map(|shell| shell.variables(known.clone()));
        }
        // Sorted names allow a binary search.
        if let Some(allowed) = &mut options.allowed {
            allowed.sort_unstable();
            allowed.dedup();
            // A warning about another skill may say why an allowed one is missing.
            let is_about =
                |name: &String| !unknown.is_empty() || allowed.binary_search(name).is_ok();
            warnings.retain(|warning| warning.skill.as_ref().is_none_or(is_about));
        }
        warnings.extend(unknown);

        let index = match options.search {
            Some(_) => sorted_set(&skills).index(&IndexOptions::new()),
            None => SearchIndex::default(),
        };
        let mut toolbox = AsyncToolbox {
            provider: self.provider,
            options,
            skills,
            preloaded: Vec::new(),
            index,
            catalog: String::new(),
            warnings,
            is_fixed,
        };
        for name in self.preloaded {
            if let Err(warning) = toolbox.preload(&name).await {
                toolbox.warnings.push(warning);
            }
        }
        toolbox.warn_if_unusable();
        if toolbox.options.shell.is_none() {
            let warnings = toolbox.listed().warnings();
            toolbox.warnings.extend(warnings.iter().map(|text| text.as_str().into()));
        }
        toolbox.catalog = toolbox.listed().catalog().to_string();
        Ok(toolbox)
    }
}

impl<P: Provider> AsyncToolbox<P> {
    /// Warns about each allowed skill that models may not load, if the profile is `SkillUse`, whose
    /// agents list exactly the skills that they load, or if models may load no skill at all.
    fn warn_if_unusable(&mut self) {
        let toolbox = self.listed();
        let warns = self.options.profile == Profile::SkillUse || toolbox.skills().next().is_none();
        let is_unusable = |name: &str| {
            let error = toolbox.load_skill(name).err();
            error.is_some_and(|error| error.kind() == ErrorKind::NotForModels)
        };
        let allowed = self.options.allowed.iter().flatten();
        let unusable: Vec<_> = allowed
            .filter(|name| warns && is_unusable(name))
            .map(|name| ProviderWarning::left_out(None, name, "models may not load it"))
            .collect();
        self.warnings.extend(unusable);
    }
}

fn repeated_name(names: &[String]) -> Option<&String> {
    names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)).map(|(_, name)| name)
}

fn to_names(skills: Selection<'_>) -> Vec<String> {
    skills.names().map(str::to_owned).collect()
}

impl ToolboxOptions {
    pub(super) fn allowed(&self) -> Option<Selection<'_>> {
        self.allowed.as_ref().map(Selection::from)
    }

    /// Returns a toolbox that contains only `skill`. The caller has checked that the
    /// model may load it.
    pub(super) fn only<'s>(&'s self, skill: &'s Skill) -> Toolbox<'s> {
        self.toolbox(SkillSet::new(slice::from_ref(skill)), None, Selection::NONE)
    }

    pub(super) fn toolbox<'a>(
        &'a self,
        set: SkillSet<'a>,
        allowed: Option<Selection<'a>>,
        preloaded: Selection<'a>,
    ) -> Toolbox<'a> {
        let mut builder =
            Toolbox::builder(set).profile(self.profile).preload(preloaded).budget(self.budget);
        if let Some(allowed) = allowed {
            builder = builder.allow(allowed);
        }
        if let Some(root) = &self.root {
            builder = builder.at(root);
        }
        if let Some(variables) = &self.variables {
            builder = builder.variables(variables);
        }
        if let Some(mode) = self.search {
            builder = builder.search(mode);
        }
        build_unchecked(builder)
    }
}
