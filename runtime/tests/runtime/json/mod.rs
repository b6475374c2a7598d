//! The JSON reader compared with serde_json, and calls and arguments with escapes and white space
//! compared with the same without.

mod arguments;
mod calls;
mod reader;
mod table;

/// Returns a JSON string in which every character is an escape.
fn escaped(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
    format!("\"{units}\"")
}
