//! The events of an answer. `docs/src/how-to/streaming.md` shows this file.

use serde_json::Value;
use std::error::Error;

/// The largest answer, in bytes of its events.
const MAX_BYTES: usize = 8 << 20;

/// Calls `each` with the data of each event as soon as the event is complete.
pub(crate) async fn read(
    mut response: reqwest::Response,
    mut each: impl FnMut(Value) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let (mut line, mut bytes) = (Vec::new(), 0);
    // A piece can end anywhere, also within a character.
    while let Some(piece) = response.chunk().await? {
        bytes += piece.len();
        if bytes > MAX_BYTES {
            return Err("the answer is too long".into());
        }
        for byte in piece {
            if byte != b'\n' {
                line.push(byte);
                continue;
            }
            // Other lines are comments, or repeat the type of the event.
            if let Some(data) = line.strip_prefix(b"data:")
                && data.trim_ascii() != b"[DONE]"
            {
                each(serde_json::from_slice(data)?)?;
            }
            line.clear();
        }
    }
    Ok(())
}
