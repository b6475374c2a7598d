//! The method that adds skills to an agent.

use crate::{Skills, hook::SkillsHook};
use rig::agent::AgentBuilder;

/// Adds skills to rig's [`AgentBuilder`].
pub trait AgentBuilderExt {
    /// Adds skills: their catalog at the end of the system prompt, and the tools to load them. See
    /// the [documentation of the crate](crate) for what that includes.
    ///
    /// `skills` is a `Toolbox<'static>`, an `AsyncToolbox`, or [`Skills`]. An agent can have one
    /// toolbox; to combine providers, build it over `helix_skills::Providers`.
    ///
    /// ```
    /// use helix_skills::AsyncToolbox;
    /// use helix_skills_host::Directories;
    /// use helix_skills_rig::AgentBuilderExt;
    /// use rig::agent::{Agent, AgentBuilder};
    /// use rig::{DynModel, operation::Completion};
    ///
    /// async fn agent(
    ///     model: DynModel<Completion>,
    /// ) -> Result<Agent, Box<dyn std::error::Error>> {
    ///     let directories = Directories::new().root("~/.claude/skills");
    ///     let toolbox = AsyncToolbox::builder(directories).build().await?;
    ///     for warning in toolbox.warnings() {
    ///         eprintln!("warning: {warning}");
    ///     }
    ///     Ok(AgentBuilder::new(model).skills(toolbox).default_max_turns(10).build())
    /// }
    /// ```
    #[must_use = "the returned builder has the skills"]
    fn skills(self, skills: impl Into<Skills>) -> Self;
}

impl AgentBuilderExt for AgentBuilder {
    fn skills(self, skills: impl Into<Skills>) -> Self {
        let skills = skills.into();
        self.dynamic_tools(skills.tools()).add_hook(SkillsHook(skills))
    }
}
