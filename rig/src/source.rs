//! The toolboxes that an agent can have.

use helix_skills_agent::{AsyncToolbox, Provider, run::Tools};
use helix_skills_runtime::Toolbox;
use rig::wasm_compat::{WasmCompatSend, WasmCompatSync};
use std::sync::Arc;

/// A toolbox, with what `Tools` does not have.
pub(crate) trait Source: Tools + WasmCompatSend + WasmCompatSync {
    /// Returns the text for the system prompt.
    fn catalog(&self) -> String;

    /// Returns the answer to a call of a skill as if it were a tool; see
    /// [`Toolbox::skill_as_tool`].
    fn skill_as_tool(&self, called: &str, tools: &[String]) -> Option<String>;
}

impl Source for Toolbox<'static> {
    fn catalog(&self) -> String {
        Toolbox::catalog(self).to_string()
    }

    fn skill_as_tool(&self, called: &str, tools: &[String]) -> Option<String> {
        let tools = tools.iter().map(String::as_str);
        Toolbox::skill_as_tool(self, called, tools).map(|reply| reply.to_string())
    }
}

impl<P: Provider> Source for AsyncToolbox<P> {
    fn catalog(&self) -> String {
        Self::catalog(self).to_owned()
    }

    fn skill_as_tool(&self, called: &str, tools: &[String]) -> Option<String> {
        let tools = tools.iter().map(String::as_str);
        self.listed().skill_as_tool(called, tools).map(|reply| reply.to_string())
    }
}

impl<T: Source> Source for Arc<T> {
    fn catalog(&self) -> String {
        T::catalog(self)
    }

    fn skill_as_tool(&self, called: &str, tools: &[String]) -> Option<String> {
        T::skill_as_tool(self, called, tools)
    }
}
