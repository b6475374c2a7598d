//! JSON text as a tree of values with their positions.

use helix_skills_runtime::__internal::{Json, JsonError, JsonKind};
use std::borrow::Cow;

/// The byte range of a value in the text, including its quotes or brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

/// A value and its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Value<'t> {
    range: Range,
    /// The data of the value.
    pub data: Data<'t>,
}

/// The data of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Data<'t> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as written in the text.
    Number(&'t str),
    /// A string, with its escapes resolved.
    String(Cow<'t, str>),
    /// A list.
    Array(Vec<Value<'t>>),
    /// The members, in the order of the text; a key may occur more than once.
    Object(Vec<Member<'t>>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'t> {
    /// The key, with its escapes resolved.
    pub name: Cow<'t, str>,
    /// The range of the key.
    pub name_range: Range,
    /// The value.
    pub value: Value<'t>,
}

impl<'t> Value<'t> {
    /// Parses RFC 8259 JSON. Returns `None` if the text is blank.
    pub(super) fn parse(text: &'t str) -> Result<Option<Self>, JsonError> {
        if text.trim_ascii().is_empty() {
            Ok(None)
        } else {
            Json::parse(text).map(|json| Some(of_json(json)))
        }
    }

    /// Returns the value's range.
    #[must_use]
    pub const fn range(&self) -> Range {
        self.range
    }

    /// Returns the text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Data::String(text) = &self.data { Some(text) } else { None }
    }

    /// Returns the members of an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&[Member<'t>]> {
        if let Data::Object(members) = &self.data { Some(members) } else { None }
    }
}

/// Builds the tree of a parsed value. Recursion is bounded by the parser's maximum depth.
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

/// Returns the text of a string; strings of a parsed document always have one.
fn text_of(json: Json<'_>) -> Cow<'_, str> {
    json.text().unwrap_or_default()
}

fn range_of(json: Json<'_>) -> Range {
    Range { start: json.start(), end: json.start() + json.source().len() }
}

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
