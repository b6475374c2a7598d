//! What is said in a run, in the form that every interface of a model has.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use helix_skills_runtime::Tool;

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// What stands above the conversation.
    System(String),
    /// From whoever asks.
    User(String),
    /// From the model.
    Assistant(Answer),
    /// What a call of the model came to. The results of one answer follow it, one for each call, in their order.
    Result(ToolResult),
}

/// What a model says in one turn: text, calls of tools, or both.
///
/// ```
/// use helix_skills::run::{Answer, ToolCall};
/// let call = ToolCall { id: "1".into(), tool: "search".into(), arguments: r#"{"query": "pdf"}"#.into() };
/// assert_eq!(Answer::from("Done.").text, "Done.");
/// assert!(Answer::from(call).text.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What it says; empty if it only calls tools.
    pub text: String,
    /// What it calls for, in order; none if it is done.
    pub calls: Vec<ToolCall>,
    /// What the model's interface wants back with this answer, such as signatures of its reasoning. It is carried in the
    /// conversation, and read by nobody.
    pub opaque: Option<String>,
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<&str> for Answer {
    fn from(text: &str) -> Self {
        Self::from(String::from(text))
    }
}

impl From<Vec<ToolCall>> for Answer {
    fn from(calls: Vec<ToolCall>) -> Self {
        Self { calls, ..Self::default() }
    }
}

impl From<ToolCall> for Answer {
    fn from(call: ToolCall) -> Self {
        Self::from(alloc::vec![call])
    }
}

/// A call of a tool, as the model wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCall {
    /// What the model's interface knows the call by; it comes back with the result.
    pub id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments, as the text of a JSON object; whether they are one is for the tool to see.
    pub arguments: String,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The [id](ToolCall::id) of the call.
    pub id: String,
    /// The name of the tool.
    pub tool: String,
    /// The text for the model.
    pub text: String,
    /// Whether the call failed, or was refused; for interfaces that mark such results.
    pub is_error: bool,
}

/// What a model is told of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// The name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Its parameters, as the text of a JSON Schema of type `object`.
    pub parameters: String,
}

impl From<Tool<'_>> for ToolDefinition {
    fn from(tool: Tool<'_>) -> Self {
        Self {
            name: tool.name().into(),
            description: tool.description().to_string(),
            parameters: tool.parameters().to_string(),
        }
    }
}
