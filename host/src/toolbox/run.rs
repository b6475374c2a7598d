//! The toolbox as tools of a run: skills that load others.

use super::LiveToolbox;
use helix_skills_agent::{
    Pending, Provider,
    run::{ToolCall, ToolDefinition, Tools},
};

impl<P: Provider + Sync> Tools for LiveToolbox<P> {
    fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools([]).unwrap_or_default()
    }

    fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
        Box::pin(async {
            let reply = Self::call(self, &call.tool, &call.arguments).await.ok_or("there is no such tool")?;
            reply.into_result()
        })
    }
}
