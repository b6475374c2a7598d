//! The reader of JSON, against serde_json; and what is made of JSON with escapes and blanks, against the same without.

mod arguments;
mod calls;
mod reader;
mod table;

/// A string as JSON in which every character is an escape.
fn escaped(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
    format!("\"{units}\"")
}
