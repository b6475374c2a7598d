//! Definitions of tools in the JSON of the APIs that they are sent to.

use crate::json_text::{JsonText, write_string};
use alloc::format;

/// The API that the definition of a tool is for, and so the shape of its JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolFormat {
    /// Anthropic's [Messages API](https://docs.claude.com/en/api/messages), with `input_schema`.
    Anthropic,
    /// A [tool of MCP](https://modelcontextprotocol.io/specification/2025-06-18/server/tools), with
    /// `inputSchema`.
    Mcp,
    /// OpenAI's [Chat Completions](https://platform.openai.com/docs/api-reference/chat), which many
    /// other servers speak: the tool is inside `function`.
    OpenAiChat,
    /// OpenAI's [Responses](https://platform.openai.com/docs/api-reference/responses). It contains
    /// `"strict":false`, because this API makes all parameters required otherwise.
    OpenAiResponses,
}

/// Returns the definition of a tool with `parameters`, the text of a JSON Schema.
#[must_use]
pub fn tool_json(format: ToolFormat, name: &str, description: &str, parameters: &str) -> JsonText {
    let (start, key, end) = match format {
        ToolFormat::Anthropic => ("{", "input_schema", "}"),
        ToolFormat::Mcp => ("{", "inputSchema", "}"),
        ToolFormat::OpenAiChat => (r#"{"type":"function","function":{"#, "parameters", "}}"),
        ToolFormat::OpenAiResponses => {
            (r#"{"type":"function","#, "parameters", r#","strict":false}"#)
        }
    };
    let mut text = format!(r#"{start}"name":"#);
    // Writing to a string cannot fail.
    let _ = write_string(name, &mut text);
    text += r#","description":"#;
    let _ = write_string(description, &mut text);
    text += &format!(r#","{key}":{parameters}{end}"#);
    JsonText::new(text)
}
