//! A JSON text as a tree whose values have places.

use helix_skills_runtime::__internal::{Json, JsonKind};
use std::borrow::Cow;

/// The bytes of a text that a value takes, with its quotes or brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// A value, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Value<'t> {
    range: Range,
    /// What it is.
    pub data: Data<'t>,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Data<'t> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// As it is written.
    Number(&'t str),
    /// Without its escapes.
    String(Cow<'t, str>),
    /// A list.
    Array(Vec<Value<'t>>),
    /// The members, in the order of the text; a key may occur twice.
    Object(Vec<Member<'t>>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'t> {
    /// The key, without its escapes.
    pub name: Cow<'t, str>,
    /// Where the key is.
    pub name_range: Range,
    /// The value.
    pub value: Value<'t>,
}

/// Why a text is not a value, and at which byte.
pub(crate) struct SyntaxError {
    pub(crate) what: String,
    pub(crate) at: usize,
}

impl<'t> Value<'t> {
    /// Reads RFC 8259. `None` if there is nothing in the text.
    pub(super) fn parse(text: &'t str) -> Result<Option<Self>, SyntaxError> {
        if text.trim_ascii().is_empty() {
            return Ok(None);
        }
        let error = |at, what: &str| SyntaxError { what: what.to_owned(), at };
        Json::parse(text)
            .map(|json| Some(of_json(json)))
            .map_err(|why| error(why.offset(), why.message()))
    }

    /// Where it is.
    #[must_use]
    pub const fn range(&self) -> Range {
        self.range
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Data::String(text) = &self.data { Some(text) } else { None }
    }

    /// The members of an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&[Member<'t>]> {
        if let Data::Object(members) = &self.data { Some(members) } else { None }
    }
}

/// The tree of a checked value, read at most once for each level of nesting.
fn of_json(json: Json<'_>) -> Value<'_> {
    let data = match json.kind() {
        JsonKind::Null => Data::Null,
        JsonKind::Boolean => Data::Boolean(json.source() == "true"),
        JsonKind::Number => Data::Number(json.source()),
        JsonKind::String => Data::String(text_of(json)),
        JsonKind::Array => Data::Array(json.items().map(of_json).collect()),
        JsonKind::Object => Data::Object(
            json.members()
                .map(|(key, value)| Member {
                    name: text_of(key),
                    name_range: range_of(key),
                    value: of_json(value),
                })
                .collect(),
        ),
    };
    Value { range: range_of(json), data }
}

/// The text of a string; a strict document has no string without one.
fn text_of(json: Json<'_>) -> Cow<'_, str> {
    json.text().map_or(Cow::Borrowed(""), |text| {
        text.as_str().map_or_else(|| text.to_string().into(), Cow::Borrowed)
    })
}

fn range_of(json: Json<'_>) -> Range {
    Range { start: json.start(), end: json.start() + json.source().len() }
}

/// A text with comments and trailing commas as JSON: each byte of theirs becomes a space, so that
/// all other bytes stay where they are.
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    let mut blank: Vec<std::ops::Range<usize>> = Vec::new();
    // A comma, if only blanks and comments followed so far, and the byte before the next token.
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
    // Whole characters were replaced.
    String::from_utf8(json).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The end of the string that starts at `at`; the end of the text if it is not closed.
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
