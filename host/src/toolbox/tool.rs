//! The tool of scripts, as the others of a toolbox are told.

use crate::ScriptTool;
use helix_skills_agent::run::ToolDefinition;

impl From<ScriptTool<'_>> for ToolDefinition {
    fn from(tool: ScriptTool<'_>) -> Self {
        Self::new(tool.name(), tool.description(), tool.parameters().to_string())
    }
}
