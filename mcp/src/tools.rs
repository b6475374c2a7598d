//! The tools of a toolbox as tools of MCP.

use helix_skills_agent::run::ToolDefinition;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

/// Converts a definition. Its parameters are a JSON object.
pub(crate) fn tool(tool: ToolDefinition) -> Tool {
    let parameters: JsonObject = serde_json::from_str(&tool.parameters).unwrap_or_default();
    let mut annotations = ToolAnnotations::new().read_only(tool.read_only);
    // What a script or a command does is unknown; reading reaches nothing outside the skills.
    annotations.open_world_hint = tool.read_only.then_some(false);
    Tool::new(tool.name, tool.description, parameters).with_annotations(annotations)
}
