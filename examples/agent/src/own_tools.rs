//! The agent's own tools, in addition to those for skills.

use crate::conversation::{Call, Message};
use serde_json::{Value, json};

const COUNT: &str = "count_characters";

/// Names of the tools, which must differ from those for skills.
pub(crate) const NAMES: [&str; 1] = [COUNT];

/// Returns the definitions of the tools for the model.
pub(crate) fn definitions() -> [Value; 1] {
    let parameters = json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
    [
        json!({ "name": COUNT, "description": "Count the characters of a text.", "input_schema": parameters }),
    ]
}

/// Answers a call of one of these tools, or of an unknown one.
pub(crate) fn answer(call: &Call) -> Message {
    let answered = match call.tool.as_str() {
        COUNT => count_characters(&call.arguments),
        other => Err(format!("unknown tool `{other}`")),
    };
    let is_error = answered.is_err();
    Message::Result {
        call: call.id.clone(),
        text: answered.unwrap_or_else(|error| error),
        is_error,
    }
}

fn count_characters(arguments: &str) -> Result<String, String> {
    let arguments: Value = serde_json::from_str(arguments)
        .map_err(|error| format!("cannot read the arguments: {error}"))?;
    let text = arguments["text"].as_str().ok_or("the parameter `text` has to be a string")?;
    Ok(text.chars().count().to_string())
}
