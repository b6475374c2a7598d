//! The toolbox as tools of a run: skills that load others.

use super::LiveToolbox;
use helix_skills_runtime::{
    Pending, Provider,
    run::{ToolCall, ToolDefinition, Tools},
};

impl<P: Provider + Sync> Tools for LiveToolbox<P> {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let definition = |tool: super::ToolBuf| ToolDefinition {
            name: tool.name,
            description: tool.description,
            parameters: tool.parameters,
        };
        self.tools().into_iter().map(definition).collect()
    }

    /// What arrives as a message of its own follows the confirmation: a run has no other place for it.
    fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
        Box::pin(async {
            let reply = Self::call(self, &call.tool, &call.arguments).await.ok_or("there is no such tool")?;
            match reply.message() {
                _ if reply.is_error() => Err(reply.into_string().into()),
                Some(message) => Ok(format!("{reply}\n\n{message}")),
                None => Ok(reply.into_string()),
            }
        })
    }
}
