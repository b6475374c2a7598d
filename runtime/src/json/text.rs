//! The text of a JSON string.

use alloc::{borrow::Cow, string::String};

/// Returns the text of the source between the quotes of a string; `None` if an escape in it is not
/// a Unicode character.
pub(super) fn decode(source: &str) -> Option<Cow<'_, str>> {
    let Some((start, mut rest)) = source.find('\\').map(|at| source.split_at(at)) else {
        return Some(source.into());
    };
    let mut text = String::from(start);
    while let Some((c, len)) = escape(rest) {
        text.push(c?);
        let after = &rest[len..];
        let (literal, next) = after.split_at(after.find('\\').unwrap_or(after.len()));
        text.push_str(literal);
        rest = next;
    }
    rest.is_empty().then(|| text.into())
}

/// Returns the character of the escape at the start of a text, and the length of the escape.
///
/// The character is `None` for half of a surrogate pair. Returns `None` if the text does not start
/// with an escape.
pub(super) fn escape(text: &str) -> Option<(Option<char>, usize)> {
    let bytes = text.as_bytes();
    let c = match bytes.get(1)? {
        same @ (b'"' | b'\\' | b'/') => char::from(*same),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(bytes),
        _ => return None,
    };
    Some((Some(c), 2))
}

/// Returns the character of one `\u` escape, or of two that are a surrogate pair.
fn unicode(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let first = code_unit(bytes)?;
    let character = char::from_u32(first);
    if character.is_some() || first >= 0xdc00 {
        return Some((character, 6));
    }
    match bytes.get(6..).and_then(code_unit) {
        Some(second @ 0xdc00..=0xdfff) => {
            Some((char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)), 12))
        }
        _ => Some((None, 6)),
    }
}

/// Returns the number of the `\u` escape at the start of `bytes`.
fn code_unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}
