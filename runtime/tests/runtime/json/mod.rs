//! The JSON reader, compared with serde_json; and calls and arguments with escapes and blanks,
//! compared with the same ones without.

mod arguments;
mod calls;
mod reader;
mod table;

/// A string as JSON in which every character is an escape.
fn escaped(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
    format!("\"{units}\"")
}
