//! Messages of a conversation, independent of a model's API.

use alloc::{string::String, vec::Vec};
#[cfg(feature = "serde")]
use helix_skills_runtime::__internal::json_text;
use helix_skills_runtime::{__internal::tool_json, JsonText, Tool, ToolFormat};

/// One message of a conversation.
///
/// ```
/// use helix_skills::run::{Answer, Message, ToolCall};
/// let call = ToolCall::new("1", "search", r#"{"query": "pdf"}"#);
/// let conversation = [
///     Message::System("You are an agent.".into()),
///     Message::User("Find the report.".into()),
///     Message::Assistant(Answer::new("One moment.", [call.clone()])),
///     Message::Result {
///         id: "1".into(),
///         tool: "search".into(),
///         text: "report.pdf".into(),
///         is_error: false,
///     },
///     Message::Assistant("It is `report.pdf`.".into()),
/// ];
/// ```
///
/// With the feature `serde`, messages can be stored and read again. A message is an object with
/// `role` (`system`, `user`, `assistant` or `result`) and `content`, which is a text, an
/// [`Answer`], or the fields of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase", tag = "role", content = "content"))]
#[non_exhaustive]
pub enum Message {
    /// The instructions above the conversation.
    System(String),
    /// From the user, or from a program in this role.
    User(String),
    /// From the model.
    Assistant(Answer),
    /// The result of a call. The results of one answer follow it, one for each call, in their
    /// order.
    Result {
        /// The [ID](ToolCall::id) of the call.
        id: String,
        /// The name of the tool.
        tool: String,
        /// The text for the model. If the call failed or was refused, it says why.
        text: String,
        /// Whether the call failed or was refused, for APIs that mark such results.
        is_error: bool,
    },
}

/// The answer of a model in one turn: a text, calls of tools, or both.
///
/// ```
/// use helix_skills::run::{Answer, ToolCall};
/// let call = ToolCall::new("1", "search", r#"{"query": "pdf"}"#);
/// assert_eq!(Answer::from("Done.").text, "Done.");
/// assert!(Answer::from(call).text.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default))]
#[non_exhaustive]
pub struct Answer {
    /// The text; empty if the model only calls tools.
    pub text: String,
    /// The calls, in order; none if the model is done.
    pub calls: Vec<ToolCall>,
    /// Data that the model's API requires with this answer in later requests, such as signatures of
    /// its reasoning. Runs keep it unread.
    pub opaque: Option<String>,
}

impl Answer {
    /// Creates an answer with a text and calls.
    #[must_use]
    pub fn new(text: impl Into<String>, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self { text: text.into(), calls: calls.into_iter().collect(), opaque: None }
    }
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
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default))]
#[non_exhaustive]
pub struct ToolCall {
    /// The ID of the call in the model's API. The result of the call repeats it.
    pub id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments, usually the text of a JSON object. The tool checks them.
    pub arguments: String,
}

impl ToolCall {
    /// Creates a call of `tool` with `arguments`, the text of a JSON object.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        tool: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self { id: id.into(), tool: tool.into(), arguments: arguments.into() }
    }
}

/// The definition of a tool, for the model.
///
/// [`json`](Self::json) returns it as a model's API expects it. With the feature `serde`, it
/// serializes to `{"name": …, "description": …, "parameters": {…}}`.
///
/// ```
/// use helix_skills::run::ToolDefinition;
/// let tool = ToolDefinition::new(
///     "time",
///     "The time of day.",
///     r#"{"type": "object", "properties": {}}"#,
/// );
/// assert_eq!(tool.name, "time");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name.
    pub name: String,
    /// What the tool does.
    pub description: String,
    /// The parameters, as the text of a JSON Schema of type `object`. It becomes a part of
    /// requests as it is.
    pub parameters: String,
    /// Whether a call only reads: true for the tools that load skills and read their files, false
    /// for those that can run commands or scripts. A host may skip its confirmation, and a protocol
    /// with such a hint passes it on. It is no part of the definition for the model.
    pub read_only: bool,
}

impl ToolDefinition {
    /// Creates a tool with `parameters`, the text of a JSON Schema of type `object`. It is not
    /// [read-only](Self::read_only).
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters: parameters.into(),
            read_only: false,
        }
    }

    /// Returns the definition as one item of the list of tools in a request to a model.
    ///
    /// ```
    /// use helix_skills::{ToolFormat, run::ToolDefinition};
    /// let tool = ToolDefinition::new("time", "The time of day.", r#"{"type":"object"}"#);
    /// assert_eq!(
    ///     tool.json(ToolFormat::Anthropic).as_str(),
    ///     r#"{"name":"time","description":"The time of day.","input_schema":{"type":"object"}}"#,
    /// );
    /// ```
    #[must_use]
    pub fn json(&self, format: ToolFormat) -> JsonText {
        tool_json(format, &self.name, &self.description, &self.parameters)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ToolDefinition {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{Error as _, SerializeStruct};
        let parameters = json_text(self.parameters.clone()).map_err(|error| {
            S::Error::custom(format_args!(
                "the parameters of the tool `{}` are not JSON: {error}",
                self.name
            ))
        })?;
        let mut tool = serializer.serialize_struct("ToolDefinition", 3)?;
        tool.serialize_field("name", &self.name)?;
        tool.serialize_field("description", &self.description)?;
        tool.serialize_field("parameters", &parameters)?;
        tool.end()
    }
}

impl From<Tool<'_>> for ToolDefinition {
    fn from(tool: Tool<'_>) -> Self {
        Self { read_only: true, ..Self::new(tool.name(), tool.description(), tool.parameters()) }
    }
}
