//! Comments and trailing commas in JSON text.

use std::borrow::Cow;

/// Replaces each byte of comments and trailing commas by a space, so that the result is JSON and
/// all other bytes keep their positions.
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    let mut blank: Vec<std::ops::Range<usize>> = Vec::new();
    // The position of a comma that only spaces and comments have followed so far, and the last byte
    // of the previous token.
    let mut comma = None;
    let mut last = b'[';
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text.as_bytes()[at..];
        let end = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                let end = rest
                    .iter()
                    .position(|byte| matches!(byte, b'\n' | b'\r'))
                    .map_or(text.len(), |n| at + n);
                blank.push(at..end);
                at = end;
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                match text.get(at + 2..).and_then(|inside| inside.find("*/")) {
                    Some(length) => {
                        let end = at + length + 4;
                        blank.push(at..end);
                        at = end;
                        continue;
                    }
                    None => text.len(),
                }
            }
            b'"' => end_of_string(bytes, at),
            _ => at + 1,
        };
        if let (b']' | b'}', Some(comma)) = (byte, comma) {
            blank.push(comma..comma + 1);
        }
        let ends_value = !matches!(last, b'[' | b'{' | b',' | b':');
        comma = (byte == b',' && ends_value).then_some(at);
        last = byte;
        at = end;
    }
    if blank.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut json = bytes.to_vec();
    for range in blank {
        json[range].fill(b' ');
    }
    // Whole characters were replaced, so the text stays UTF-8.
    String::from_utf8(json).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the end of the string that starts at `at`, or the end of the text if it is not closed.
fn end_of_string(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(byte) = text.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    text.len()
}
