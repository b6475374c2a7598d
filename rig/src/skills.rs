//! The skills of an agent: definitions, calls and events of their tools.

use crate::source::Source;
use helix_skills_agent::{
    AsyncToolbox, Provider,
    run::{ToolCall, Tools},
};
use helix_skills_runtime::{Event, Toolbox};
use rig::{
    completion::{ToolAnnotations, ToolDefinition},
    message::ToolName,
    tool::{DynamicTool, ToolContext, ToolErrorKind, ToolExecutionError, ToolOutput},
    wasm_compat::{WasmCompatSend, WasmCompatSync},
};
use serde_json::{Value, json};
use std::{fmt, sync::Arc};

/// The skills of an agent, made from a toolbox.
///
/// Clones share the toolbox. To keep an `AsyncToolbox` for your own calls, such as
/// `toolbox.slash(message)`, pass it in an [`Arc`].
///
/// ```
/// use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
/// use helix_skills_rig::Skills;
///
/// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// static SKILLS: SkillSet = skill_set![PDF];
///
/// let skills = Skills::from(Toolbox::new(SKILLS)); // AgentBuilder::new(model).skills(skills)
/// # let _ = skills;
/// ```
#[derive(Clone)]
pub struct Skills {
    source: Arc<dyn Source>,
    catalog: Arc<str>,
    definitions: Arc<[ToolDefinition]>,
    on_event: Option<Arc<dyn OnEvent>>,
}

/// A function for events, `Send` and `Sync` except on wasm.
trait OnEvent: Fn(Event<'_>, &ToolContext) + WasmCompatSend + WasmCompatSync {}

impl<F: Fn(Event<'_>, &ToolContext) + WasmCompatSend + WasmCompatSync> OnEvent for F {}

impl Skills {
    fn new(source: impl Source + 'static) -> Self {
        let definition = |tool: helix_skills_agent::run::ToolDefinition| {
            // A toolbox has no tool without a name, and its schemas are JSON.
            let parameters = serde_json::from_str(&tool.parameters);
            let parameters = parameters.unwrap_or_else(|_| json!({ "type": "object" }));
            let annotations = ToolAnnotations::default().with_read_only(tool.read_only);
            // A tool that only reads does so in the files of the skills.
            let annotations = match tool.read_only {
                true => annotations.with_open_world(false),
                false => annotations,
            };
            let name = ToolName::new(tool.name).ok()?;
            let definition = ToolDefinition::new(name, tool.description, parameters);
            Some(definition.with_annotations(annotations))
        };
        Self {
            catalog: source.listed().catalog().to_string().into(),
            definitions: source.definitions().into_iter().filter_map(definition).collect(),
            source: Arc::new(source),
            on_event: None,
        }
    }

    /// Calls `on_event` with each event: a skill was loaded.
    ///
    /// The function is called in the agent's loop, when the tool has answered and before the model
    /// gets the result, and should return soon. It is called in the order in which calls end, which
    /// can differ from their order if the agent runs tools concurrently. The context is the one of
    /// the prompt ([`AgentRunner::tool_context`](rig::agent::AgentRunner::tool_context)): if an
    /// agent serves many users, it says whose conversation this is.
    ///
    /// ```
    /// # use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use it.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// use helix_skills::Event;
    /// use helix_skills_rig::Skills;
    ///
    /// let skills = Skills::from(Toolbox::new(SKILLS)).on_event(|event, _context| {
    ///     if let Event::SkillLoaded { name } = event {
    ///         println!("loaded {name}");
    ///     }
    /// });
    /// // AgentBuilder::new(model).skills(skills)
    /// # let _ = skills;
    /// ```
    #[must_use = "the returned skills have the function"]
    pub fn on_event<F>(mut self, on_event: F) -> Self
    where
        F: Fn(Event<'_>, &ToolContext) + WasmCompatSend + WasmCompatSync + 'static,
    {
        self.on_event = Some(Arc::new(on_event));
        self
    }

    pub(crate) fn catalog(&self) -> &str {
        &self.catalog
    }

    pub(crate) fn tools(&self) -> Vec<DynamicTool> {
        self.definitions.iter().map(|definition| self.tool(definition)).collect()
    }

    pub(crate) fn definitions(&self) -> &[ToolDefinition] {
        &self.definitions
    }

    /// Returns the answer to a call of a skill as if it were a tool.
    pub(crate) fn skill_as_tool(&self, called: &str, tools: &[String]) -> Option<String> {
        let tools = tools.iter().map(String::as_str);
        self.source.listed().skill_as_tool(called, tools).map(|reply| reply.to_string())
    }

    fn tool(&self, definition: &ToolDefinition) -> DynamicTool {
        let ToolDefinition { name, description, parameters, annotations } = definition.clone();
        let (skills, tool) = (self.clone(), name.to_string());
        DynamicTool::new_with_context(name, description, parameters, move |context, arguments| {
            let (skills, tool) = (skills.clone(), tool.clone());
            Box::pin(async move { skills.call(tool, &arguments, context).await })
        })
        .with_annotations(annotations)
    }

    async fn call(
        &self,
        tool: String,
        arguments: &Value,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolExecutionError> {
        let call = ToolCall::new("", tool, arguments.to_string());
        let answered = self.source.call_tool(&call).await;
        let text = answered
            .map_err(|why| ToolExecutionError::new(ToolErrorKind::Other, why.to_string()))?;
        if let (Some(on_event), Some(event)) = (&self.on_event, self.source.event(&call)) {
            on_event(event, context);
        }
        Ok(ToolOutput::text(text))
    }
}

impl From<Toolbox<'static>> for Skills {
    fn from(toolbox: Toolbox<'static>) -> Self {
        Self::new(toolbox)
    }
}

impl<P: Provider + 'static> From<AsyncToolbox<P>> for Skills {
    fn from(toolbox: AsyncToolbox<P>) -> Self {
        Self::new(toolbox)
    }
}

impl<P: Provider + 'static> From<Arc<AsyncToolbox<P>>> for Skills {
    fn from(toolbox: Arc<AsyncToolbox<P>>) -> Self {
        Self::new(toolbox)
    }
}

impl fmt::Debug for Skills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools: Vec<_> = self.definitions.iter().map(|tool| tool.name.as_str()).collect();
        f.debug_struct("Skills").field("tools", &tools).finish_non_exhaustive()
    }
}
