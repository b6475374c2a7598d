//! Untrusted texts that are kept and printed on one line.

use crate::Error;

/// Maximum length of such a text, in characters.
const MAX_CHARS: usize = 256;

/// Checks an untrusted text that is printed on one line, such as the version of a plugin.
pub fn one_line(text: &str) -> Result<String, Error> {
    let good = !text.is_empty()
        && text.chars().nth(MAX_CHARS).is_none()
        && !text.contains(char::is_control);
    if good {
        Ok(text.to_owned())
    } else {
        Err(Error::new("expected one line of 1 to 256 characters"))
    }
}
