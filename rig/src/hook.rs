//! The hook that completes the requests of an agent with skills.

use crate::Skills;
use rig::{
    agent::{
        AgentHook, DispatchAction, DispatchEvent, HookContext, InvalidToolCallAction,
        InvalidToolCallContext, InvalidToolCallReason, StepEventKind,
    },
    completion::CompletionRequest,
    effect::EffectKind,
    error::{ErrorKind, ErrorReport},
};

/// Adds the catalog to each request, and answers calls of skills as if they were tools.
///
/// The catalog is not a part of the agent's preamble. A preamble that is set later, or for a single
/// prompt, would replace it, and an agent that is a tool of another one has its preamble in the
/// description of that tool.
pub(crate) struct SkillsHook(pub(crate) Skills);

impl AgentHook for SkillsHook {
    fn observes(&self, kind: StepEventKind) -> bool {
        matches!(kind, StepEventKind::CompletionDispatch | StepEventKind::InvalidToolCall)
    }

    async fn on_dispatch(&self, _: &HookContext, event: DispatchEvent<'_>) -> DispatchAction {
        let EffectKind::Completion { request, stream } = event.kind else {
            return DispatchAction::Proceed;
        };
        if let Some(tool) = self.replaced_tool(request) {
            let message = format!(
                "the agent has another tool named `{tool}`, a name that is reserved for its \
                 skills; rename that tool, and add skills only once"
            );
            return DispatchAction::Deny(ErrorReport::new(ErrorKind::Request, message));
        }
        let catalog = self.0.catalog().trim_end();
        let system = request.system_instructions();
        if catalog.is_empty() || system.is_some_and(|system| system.contains(catalog)) {
            return DispatchAction::Proceed;
        }
        let mut completed = CompletionRequest::clone(request);
        if system.is_some() {
            completed.chat_history.remove(0);
        }
        let request = completed.preamble(match system {
            Some(system) if !system.is_empty() => format!("{system}\n\n{catalog}"),
            _ => catalog.to_owned(),
        });
        DispatchAction::Patch(EffectKind::Completion { request: request.into(), stream: *stream })
    }

    async fn on_invalid_tool_call(
        &self,
        _: &HookContext,
        call: &InvalidToolCallContext,
    ) -> Option<InvalidToolCallAction> {
        match call.reason {
            InvalidToolCallReason::UnknownTool => self
                .0
                .skill_as_tool(&call.tool_name, &call.available_tools)
                .map(InvalidToolCallAction::skip),
            _ => None,
        }
    }
}

impl SkillsHook {
    /// Returns the name of a tool for skills that another tool has replaced.
    fn replaced_tool<'r>(&self, request: &'r CompletionRequest) -> Option<&'r str> {
        let is_replaced = |tool: &rig::completion::ToolDefinition| {
            self.0.definitions().iter().any(|own| own.name == tool.name && own != tool)
        };
        request.tools.iter().find(|tool| is_replaced(tool)).map(|tool| tool.name.as_str())
    }
}
