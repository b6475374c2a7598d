//! Texts of others that are kept and printed in one line.

/// The longest such text, in characters.
const MAX_CHARS: usize = 256;

/// Checks an untrusted text that is printed in one line: the version of a plugin, the name of
/// a state.
pub fn one_line(text: &str) -> Result<String, &'static str> {
    let good = !text.is_empty()
        && text.chars().nth(MAX_CHARS).is_none()
        && !text.contains(char::is_control);
    if good { Ok(text.to_owned()) } else { Err("expected one line of 1 to 256 characters") }
}
