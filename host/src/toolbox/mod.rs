//! What one agent with an operating system has: a toolbox whose bodies are filled with what commands say, and that runs scripts.

mod run;
mod slash;
mod tool;

use crate::{ScriptRunner, ScriptTool};
use helix_skills_agent::{AsyncToolbox, Provider, ProviderWarning, ReplyBuf, live::LiveContext, run::ToolDefinition};
use helix_skills_runtime::{Arguments, Call, OneLine, SkillBuf, ToolboxError};
use std::{fmt::Display, sync::Arc};

/// How many bytes of a provider's error a model is shown.
const MAX_SAID: usize = 500;

/// An [`AsyncToolbox`] that runs the commands of bodies as a [`LiveContext`] says: the same catalog, tools and texts, and in each
/// profile the way that its system hands out a body.
///
/// | profile | call | the filled body arrives |
/// |---|---|---|
/// | `Seed001` | `skill_use {"skill_name", "arguments"}` | in the [message](ReplyBuf::message) after a short confirmation, between `<skill-context>` tags |
/// | `Agentick` | `skill {"name", "args"}` | as the result |
/// | `ClaudeCode` | `Skill {"skill", "args"}` | as the result |
/// | `Helix`, `DeerFlow` | `load_skill {"name"}` | as the result, between tags |
///
/// - Bodies are filled in every profile, also in those that take no arguments.
/// - `${SKILL_DIR}` is the directory that the provider [says](Provider::directory), and where commands run. Skills that lie in none,
///   baked ones and those of a database, get one by [`Materialized`](crate::Materialized).
/// - A command that fails, is denied or cannot be run makes the call fail: the model reads why, and gets nothing of the body. With
///   [`OnFailure::Inline`](helix_skills_agent::live::OnFailure::Inline) it gets the body, and reads it there.
/// - Scripts run by a tool of their own, [if the host wants it](Self::with_scripts).
/// - Preloaded bodies and files are texts as they are: what stands in a prompt or in a file is not run.
///
/// ```
/// use helix_skills::live::LiveContext;
/// use helix_skills_host::{Directories, LiveToolbox, SystemShell};
/// use helix_skills::{AsyncToolbox, Profile};
/// # fn ready<T>(future: impl Future<Output = T>) -> T {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     match std::pin::pin!(future).poll(&mut context) { std::task::Poll::Ready(ready) => ready, _ => unreachable!() }
/// # }
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # std::fs::create_dir(path.join("greet")).unwrap();
/// # std::fs::write(path.join("greet/SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nSay hello to $0.\n").unwrap();
/// # ready(async {
///
/// let skills = AsyncToolbox::builder(Directories::new().root(path)).profile(Profile::Agentick).build().await?;
/// let toolbox = LiveToolbox::new(skills, LiveContext::new(SystemShell::new()).session("s-1"));
/// let names: Vec<_> = toolbox.tools([])?.into_iter().map(|tool| tool.name).collect();
/// assert_eq!(names, ["skill"]);
/// let reply = toolbox.call("skill", r#"{"name": "greet", "args": "Ada"}"#).await.expect("a tool of ours");
/// assert_eq!(reply.as_str(), "Say hello to Ada.");
/// # Ok::<(), helix_skills::ToolboxError>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct LiveToolbox<P> {
    skills: AsyncToolbox<P>,
    live: Arc<LiveContext>,
    scripts: Option<ScriptRunner>,
}

impl<P: Provider> LiveToolbox<P> {
    /// The skills of one conversation, and what fills them: a [`LiveContext`], or an [`Arc`] of one that several conversations share.
    #[must_use]
    pub fn new(skills: AsyncToolbox<P>, live: impl Into<Arc<LiveContext>>) -> Self {
        Self { skills, live: live.into(), scripts: None }
    }

    /// Gives the model a tool that runs scripts of its skills, `skill_run_script`: the third one of seed 001, for agents of any other
    /// profile, too.
    #[must_use]
    pub fn with_scripts(mut self, scripts: ScriptRunner) -> Self {
        self.scripts = Some(scripts);
        self
    }

    /// Level 1: the text for the system prompt. It stays the same.
    #[must_use]
    pub fn catalog(&self) -> &str {
        self.skills.catalog()
    }

    /// What was wrong, and did not keep the rest from working.
    #[must_use]
    pub fn warnings(&self) -> &[ProviderWarning] {
        self.skills.warnings()
    }

    /// The toolbox below, for all that has nothing to do with commands.
    #[must_use]
    pub const fn skills(&self) -> &AsyncToolbox<P> {
        &self.skills
    }

    /// The tools that the model gets; none if there is no skill. `host_tools` are the names of the
    /// agent's own tools.
    ///
    /// # Errors
    /// If one of them has the name of a tool for skills.
    pub fn tools<'n>(
        &self,
        host_tools: impl IntoIterator<Item = &'n str>,
    ) -> Result<Vec<ToolDefinition>, ToolboxError> {
        self.skills.view(|toolbox| {
            let scripts = self.scripts.as_ref().map(|scripts| scripts.tool(toolbox)).filter(ScriptTool::is_needed);
            let mut is_taken = false;
            let host_tools =
                host_tools.into_iter().inspect(|name| is_taken |= scripts.is_some() && *name == ScriptTool::NAME);
            let tools = toolbox.tools(host_tools)?;
            if is_taken {
                return Err(ToolboxError::ReservedTool { name: ScriptTool::NAME });
            }
            Ok(tools.map(ToolDefinition::from).chain(scripts.map(ToolDefinition::from)).collect())
        })
    }

    /// Answers the call of `tool` with `arguments`, the text of a JSON object; `None` if the tool is none of ours. When the future is
    /// dropped, the command that runs is ended, as far as the shell does that.
    pub async fn call(&self, tool: &str, arguments: &str) -> Option<ReplyBuf> {
        if let Some(scripts) = &self.scripts
            && let Some(reply) = scripts.call(&self.skills, tool, arguments).await
        {
            return Some(reply);
        }
        let read = self.skills.view(|toolbox| toolbox.read_call(tool, arguments))?;
        Some(match read {
            Ok(call) => self.answer(call.as_call()).await,
            Err(error) => ReplyBuf::failed(&error.to_string()),
        })
    }

    /// Answers a call that was read.
    pub async fn answer(&self, call: Call<'_>) -> ReplyBuf {
        match call {
            Call::LoadSkill { name, arguments } => {
                self.load(name, arguments.unwrap_or_default()).await.unwrap_or_else(|reply| reply)
            }
            other => self.skills.answer(other).await,
        }
    }

    /// The answer to a load; what has gone wrong is one, too.
    async fn load(&self, name: &str, arguments: Arguments<'_>) -> Result<ReplyBuf, ReplyBuf> {
        let skill = self.skills.skill(name).await?;
        self.skills.check_call(&skill, arguments).await?;
        let profile = self.skills.view(|toolbox| toolbox.profile());
        let directory = self.directory(&skill).await?;
        let directory = directory.as_deref();
        let outputs = self.live.outputs(&skill, profile, arguments, directory).await.map_err(failed)?;
        let reply =
            self.live.with(directory, &outputs, |known, outputs| self.skills.reply(&skill, arguments, known, outputs));
        reply.map_err(failed)
    }

    /// Where a skill lies, if its body has any use for it: for some providers it is no small question.
    async fn directory(&self, skill: &SkillBuf) -> Result<Option<String>, ReplyBuf> {
        let is_wanted = skill.view(|skill| {
            let profile = self.skills.view(|toolbox| toolbox.profile());
            let template = skill.template(profile);
            let needs = template.describe();
            needs.commands().next().is_some() || needs.variables().any(|name| name.ends_with("SKILL_DIR"))
        });
        if !is_wanted {
            return Ok(None);
        }
        self.skills.directory(skill.name()).await.map_err(|error| {
            let said = error.to_string();
            let said = helix_skills_agent::__internal::up_to(&said, MAX_SAID);
            failed(format_args!("cannot load the skill `{}`: {said}", OneLine(skill.name())))
        })
    }
}

fn failed(why: impl Display) -> ReplyBuf {
    ReplyBuf::failed(&why.to_string())
}
