//! Toolboxes as tools of a run, so that a skill can load other skills and read their files.

use super::{ToolCall, ToolDefinition, Tools};
use crate::{AsyncToolbox, BoxFuture, Provider, ProviderError};
use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};
use helix_skills_runtime::{Event, Reply, Toolbox};

/// The error for a tool that the toolbox does not have.
const NO_TOOL: &str = "there is no such tool";

/// Returns the text of a reply as the result of a tool. A [message](Reply::message) is appended,
/// because a run cannot send it separately.
fn result(reply: &Reply<'_>) -> Result<String, ProviderError> {
    match reply.message() {
        _ if reply.is_error() => Err(reply.to_string().into()),
        Some(message) => Ok(format!("{reply}\n\n{message}")),
        None => Ok(reply.to_string()),
    }
}

/// Returns the event of a call that loaded a skill.
fn event<'a>(toolbox: &Toolbox<'a>, call: &ToolCall) -> Option<Event<'a>> {
    let names = toolbox.loaded_skills([(&*call.tool, &*call.arguments)]);
    names.into_iter().next().map(|name| Event::SkillLoaded { name })
}

impl Tools for Toolbox<'_> {
    fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools([]).into_iter().flatten().map(ToolDefinition::from).collect()
    }

    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String> {
        Box::pin(async {
            let reply = Toolbox::call(self, &call.tool, &call.arguments).ok_or(NO_TOOL)?;
            result(&reply)
        })
    }

    fn event<'t>(&'t self, call: &'t ToolCall) -> Option<Event<'t>> {
        event(self, call)
    }
}

impl<P: Provider> Tools for AsyncToolbox<P> {
    fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools([]).unwrap_or_default()
    }

    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String> {
        Box::pin(async {
            let reply = Self::call(self, &call.tool, &call.arguments).await.ok_or(NO_TOOL)?;
            result(&reply)
        })
    }

    fn event<'t>(&'t self, call: &'t ToolCall) -> Option<Event<'t>> {
        event(&self.listed(), call)
    }
}
