//! OpenAI's Chat Completions. `docs/src/how-to/streaming.md` shows this file.

use serde_json::{Value, json};
use std::error::Error;

/// Adds an event to the choice, which begins as `null`, and returns new text.
pub(crate) fn add(
    choice: &mut Value,
    event: &Value,
) -> Result<String, Box<dyn Error>> {
    if let Some(error) = event.get("error") {
        return Err(format!("the server reports {error}").into());
    }
    if choice.is_null() {
        *choice = json!({"message": {"role": "assistant", "content": ""}});
    }
    // An event without a choice has the number of tokens.
    let part = event["choices"].get(0).unwrap_or(&Value::Null);
    set(&mut choice["finish_reason"], &part["finish_reason"]);
    let message = &mut choice["message"];
    for piece in part["delta"]["tool_calls"].as_array().into_iter().flatten() {
        let call = call(message, piece)?;
        set(&mut call["id"], &piece["id"]);
        set(&mut call["function"]["name"], &piece["function"]["name"]);
        append(&mut call["function"]["arguments"], &piece["function"]["arguments"]);
    }
    append(&mut message["content"], &part["delta"]["content"]);
    Ok(part["delta"]["content"].as_str().unwrap_or_default().into())
}

/// Returns the call that a piece belongs to. The first piece of a call begins it.
fn call<'m>(
    message: &'m mut Value,
    piece: &Value,
) -> Result<&'m mut Value, Box<dyn Error>> {
    if message["tool_calls"].is_null() {
        message["tool_calls"] = json!([]);
    }
    let calls = message["tool_calls"].as_array_mut().ok_or("no `tool_calls`")?;
    // Some servers send each call whole, and without an index.
    let index = piece["index"].as_u64().map_or(Ok(calls.len()), usize::try_from)?;
    if index == calls.len() {
        let function = json!({"name": "", "arguments": ""});
        calls.push(json!({"id": "", "type": "function", "function": function}));
    }
    Ok(calls.get_mut(index).ok_or("an event of an unknown call")?)
}

/// Sets what one piece of a call has, and some servers repeat.
fn set(value: &mut Value, new: &Value) {
    if new.as_str().is_some_and(|new| !new.is_empty()) {
        *value = new.clone();
    }
}

fn append(value: &mut Value, more: &Value) {
    if let (Value::String(text), Some(more)) = (value, more.as_str()) {
        text.push_str(more);
    }
}
