//! The definition of a tool that owns its texts.

use crate::ScriptTool;
use helix_skills_runtime::Tool;

/// The definition of one tool: what a [`Tool`] is, where the skills do not stay in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolBuf {
    /// The name, which no tool of the agent may have.
    pub name: String,
    /// What the tool does, for the model.
    pub description: String,
    /// The parameters, as the text of a JSON Schema of type `object`.
    pub parameters: String,
}

impl From<&Tool<'_>> for ToolBuf {
    fn from(tool: &Tool<'_>) -> Self {
        Self {
            name: tool.name().to_owned(),
            description: tool.description().to_string(),
            parameters: tool.parameters().to_string(),
        }
    }
}

impl From<&ScriptTool<'_>> for ToolBuf {
    fn from(tool: &ScriptTool<'_>) -> Self {
        Self {
            name: tool.name().to_owned(),
            description: tool.description(),
            parameters: tool.parameters().to_string(),
        }
    }
}
