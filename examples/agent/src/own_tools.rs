//! The tools that this agent has besides those for skills.

use crate::conversation::{Call, Message};
use serde_json::{Value, json};

const COUNT: &str = "count_characters";

/// Their names, of which none may be the name of a tool for skills.
pub(crate) const NAMES: [&str; 1] = [COUNT];

/// What the model is told of them.
pub(crate) fn definitions() -> [Value; 1] {
    let parameters = json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
    [
        json!({ "name": COUNT, "description": "Count the characters of a text.", "input_schema": parameters }),
    ]
}

/// The answer to a call of one of them, or of a tool that does not exist.
pub(crate) fn answer(call: &Call) -> Message {
    let answered = match call.tool.as_str() {
        COUNT => count_characters(&call.arguments),
        other => Err(format!("there is no tool `{other}`")),
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
