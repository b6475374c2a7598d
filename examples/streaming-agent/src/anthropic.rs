//! Anthropic's Messages API. `docs/src/how-to/streaming.md` shows this file.

use serde_json::Value;
use std::error::Error;

/// Adds an event to the response, which begins as `null`, and returns new text.
pub(crate) fn add(
    response: &mut Value,
    event: &Value,
) -> Result<String, Box<dyn Error>> {
    let delta = &event["delta"];
    match event["type"].as_str() {
        Some("message_start") => *response = event["message"].clone(),
        Some("message_delta") => {
            response["stop_reason"] = delta["stop_reason"].clone();
        }
        Some("content_block_start") => {
            let blocks = response["content"].as_array_mut().ok_or("no `content`")?;
            blocks.push(event["content_block"].clone());
        }
        Some("content_block_delta") => {
            let block = block(response, event)?;
            for key in ["text", "thinking", "signature"] {
                append(block, key, &delta[key]);
            }
            // Text until the end of the block, then JSON.
            append(block, "input", &delta["partial_json"]);
            return Ok(delta["text"].as_str().unwrap_or_default().into());
        }
        Some("content_block_stop") => {
            let block = block(response, event)?;
            if let Some(json) = block["input"].as_str() {
                block["input"] = serde_json::from_str(json)?;
            }
        }
        Some("error") => return Err(format!("the server reports {event}").into()),
        // `ping`, `message_stop`, and what the API adds later.
        _ => {}
    }
    Ok(String::new())
}

/// Returns the block of an event.
fn block<'r>(
    response: &'r mut Value,
    event: &Value,
) -> Result<&'r mut Value, Box<dyn Error>> {
    let index = event["index"].as_u64().ok_or("no `index`")?;
    let block = response["content"].get_mut(usize::try_from(index)?);
    Ok(block.ok_or("an event of an unknown block")?)
}

/// Adds to the text at a key.
fn append(block: &mut Value, key: &str, more: &Value) {
    let Some(more) = more.as_str().filter(|more| !more.is_empty()) else { return };
    match &mut block[key] {
        Value::String(text) => text.push_str(more),
        // An `input` is `{}` until its first piece.
        value => *value = more.into(),
    }
}
