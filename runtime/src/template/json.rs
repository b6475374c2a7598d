//! JSON values as arguments, read in place.

use super::{inserted::ValuePieces, tokens::MAX_LOOKUP_BYTES};
use crate::json::{Json, JsonKind, Text};

/// Maximum number of array items or object members whose positions are stored, on the stack. Later
/// items are found by a walk from the last stored one. An object with more members is not split.
const MAX_KEPT: usize = 128;

/// A JSON value other than a string, with the positions of its parts.
#[derive(Clone, Debug)]
pub(super) struct JsonParts<'a> {
    source: &'a str,
    white_space: WhiteSpace,
    kept: [JsonPart; MAX_KEPT],
    len: usize,
    shape: JsonShape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JsonShape {
    /// One argument: a number, a boolean, or a value that is not split.
    Whole,
    /// The items are arguments; the first [`MAX_KEPT`] have stored positions.
    Array { are_all_kept: bool },
    /// All members are stored, each key once: with its last value, in the order of the last
    /// occurrences.
    Object,
}

/// The position of an item or member in the source, in bytes. It also has all that a lookup needs,
/// so that only inserting a value reads it.
#[derive(Clone, Copy, Debug)]
struct JsonPart {
    /// A hash of the key's text, so that lookups compare few keys.
    hash: u32,
    /// The key with its quotes; empty for an item.
    key: (u32, u32),
    value: (u32, u32),
    content: InsertedText,
}

/// The text to insert for a value.
#[derive(Clone, Copy, Debug)]
enum InsertedText {
    /// Nothing, for `null`.
    Nothing,
    /// The text of a string.
    Text { has_escapes: bool },
    /// The source of the value.
    Source,
}

impl JsonPart {
    const UNUSED: Self =
        Self { hash: 0, key: (0, 0), value: (0, 0), content: InsertedText::Nothing };

    fn item(value: Json<'_>) -> Self {
        let content = match (value.kind(), value.text()) {
            (JsonKind::Null, _) => InsertedText::Nothing,
            (_, Some(text)) => InsertedText::Text { has_escapes: text.as_str().is_none() },
            (_, None) => InsertedText::Source,
        };
        Self { value: span(value), content, ..Self::UNUSED }
    }

    fn member(hash: u32, key: Json<'_>, value: Json<'_>) -> Self {
        Self { hash, key: span(key), ..Self::item(value) }
    }
}

impl<'a> JsonParts<'a> {
    pub(super) fn new(json: Json<'a>) -> Self {
        let source = json.source();
        let kept = [JsonPart::UNUSED; MAX_KEPT];
        let mut parts = Self {
            source,
            white_space: WhiteSpace::find(source),
            kept,
            len: 0,
            shape: JsonShape::Whole,
        };
        // Positions are stored in 32 bits.
        if u32::try_from(source.len()).is_ok() {
            parts.shape = match json.kind() {
                JsonKind::Array => parts.array(),
                JsonKind::Object => parts.object().unwrap_or(JsonShape::Whole),
                _ => JsonShape::Whole,
            };
        }
        parts
    }

    fn array(&mut self) -> JsonShape {
        let mut items = Json::from_checked(self.source).items();
        for (part, item) in self.kept.iter_mut().zip(items.by_ref()) {
            *part = JsonPart::item(item);
            self.len += 1;
        }
        JsonShape::Array { are_all_kept: items.next().is_none() }
    }

    /// Returns `None` if there are too many members or a key is not valid text.
    fn object(&mut self) -> Option<JsonShape> {
        for (key, value) in Json::from_checked(self.source).members() {
            let text = key.text()?;
            let hash = hash(text.chars());
            let is_same =
                |part: &JsonPart| part.hash == hash && self.key(part).text() == Some(text);
            if let Some(earlier) = self.kept[..self.len].iter().position(is_same) {
                self.kept.copy_within(earlier + 1..self.len, earlier);
                self.len -= 1;
            }
            *self.kept.get_mut(self.len)? = JsonPart::member(hash, key, value);
            self.len += 1;
        }
        Some(JsonShape::Object)
    }

    /// Treats the value as one argument, or keeps its white space, if finding parts or skipping
    /// white space for `lookups` placeholders could read more than [`MAX_LOOKUP_BYTES`].
    ///
    /// `most` is an upper bound of `lookups`, which is called only if that is not enough.
    pub(super) fn limit_lookups(&mut self, most: usize, lookups: impl FnOnce() -> usize) {
        let walk = if self.shape == (JsonShape::Array { are_all_kept: false }) {
            self.source.len()
        } else {
            0
        };
        let exceeds = |lookups: usize, step: usize| lookups.saturating_mul(step) > MAX_LOOKUP_BYTES;
        if !exceeds(most, walk.max(self.white_space.others)) {
            return;
        }
        let lookups = lookups();
        if exceeds(lookups, walk) {
            self.shape = JsonShape::Whole;
        }
        self.white_space.are_kept = exceeds(lookups, self.white_space.others);
    }

    /// Returns the whole value.
    pub(super) fn all(&self) -> ValuePieces<'_> {
        self.compact((0, self.source.len()))
    }

    pub(super) fn nth(&self, index: usize, names: &[&str]) -> Option<ValuePieces<'_>> {
        match self.shape {
            JsonShape::Whole => (index == 0).then(|| self.all()),
            JsonShape::Object if !names.is_empty() => {
                names.get(index).map(|name| self.named(name, None).unwrap_or(ValuePieces::EMPTY))
            }
            _ if index < self.len => Some(self.value(&self.kept[index])),
            JsonShape::Array { are_all_kept: false } => {
                let (start, _) = self.kept[MAX_KEPT - 1].value;
                let mut rest = Json::from_checked(self.source).items_from(start as usize);
                rest.nth(index - (MAX_KEPT - 1)).map(|item| self.value(&JsonPart::item(item)))
            }
            _ => None,
        }
    }

    pub(super) fn named(&self, name: &str, declared: Option<usize>) -> Option<ValuePieces<'_>> {
        if self.shape != JsonShape::Object {
            return self.nth(declared?, &[]);
        }
        self.member(name).map(|part| self.value(part))
    }

    pub(super) fn has_key(&self, name: &str) -> bool {
        self.shape == JsonShape::Object && self.member(name).is_some()
    }

    fn member(&self, name: &str) -> Option<&JsonPart> {
        let hash = hash(name.chars());
        let is_named = |part: &&JsonPart| {
            part.hash == hash && self.key(part).text().is_some_and(|key| key == *name)
        };
        self.kept[..self.len].iter().find(is_named)
    }

    fn slice(&self, (start, end): (u32, u32)) -> &'a str {
        self.source.get(start as usize..end as usize).unwrap_or_default()
    }

    fn key(&self, part: &JsonPart) -> Json<'a> {
        Json::from_checked(self.slice(part.key))
    }

    fn value(&self, part: &JsonPart) -> ValuePieces<'_> {
        let (start, end) = part.value;
        match part.content {
            InsertedText::Nothing => ValuePieces::EMPTY,
            InsertedText::Text { has_escapes } => {
                let raw = self.slice((start + 1, end - 1));
                if has_escapes {
                    ValuePieces::Decoded(Text::from_checked(raw).pieces())
                } else {
                    ValuePieces::text(raw)
                }
            }
            InsertedText::Source => self.compact((start as usize, end as usize)),
        }
    }

    /// Returns a part of the source without white space between its tokens.
    fn compact(&self, (start, end): (usize, usize)) -> ValuePieces<'_> {
        let rest = &self.source[..end];
        if self.white_space.are_kept {
            ValuePieces::text(&rest[start..])
        } else {
            ValuePieces::Compact(Compact { text: rest, at: start, white_space: &self.white_space })
        }
    }
}

fn span(json: Json<'_>) -> (u32, u32) {
    // The source has at most `u32::MAX` bytes.
    let start = json.start() as u32;
    (start, start + json.source().len() as u32)
}

/// FNV-1a over characters.
fn hash(text: impl Iterator<Item = char>) -> u32 {
    text.fold(0x811c_9dc5, |hash, c| (hash ^ c as u32).wrapping_mul(0x0100_0193))
}

/// Minimum length in bytes of white space whose position is stored, to skip it at once.
const LONG_RUN: usize = 64;

/// Maximum number of stored white-space positions, on the stack.
const MAX_LONG_RUNS: usize = 16;

/// The white space between the tokens of a value. Skipping it takes no longer than writing the
/// rest.
#[derive(Clone, Debug)]
struct WhiteSpace {
    /// Start and end of the first long runs.
    long: [(usize, usize); MAX_LONG_RUNS],
    len: usize,
    /// The total length of all other runs, in bytes.
    others: usize,
    /// Whether white space is kept in the output.
    are_kept: bool,
}

impl WhiteSpace {
    fn find(source: &str) -> Self {
        let mut white_space =
            Self { long: [(0, 0); MAX_LONG_RUNS], len: 0, others: 0, are_kept: false };
        let mut end = 0;
        loop {
            let start = end_of_text(source, end);
            if start >= source.len() {
                return white_space;
            }
            end = end_of_white_space(source, start);
            match white_space.long.get_mut(white_space.len).filter(|_| end - start >= LONG_RUN) {
                Some(long) => {
                    *long = (start, end);
                    white_space.len += 1;
                }
                None => white_space.others += end - start,
            }
        }
    }

    /// Returns the end of the white space that starts at `start`.
    fn end(&self, source: &str, start: usize) -> usize {
        let long = self.long[..self.len].iter().find(|long| long.0 == start);
        long.map_or_else(|| end_of_white_space(source, start), |long| long.1)
    }
}

fn end_of_white_space(source: &str, start: usize) -> usize {
    let rest = &source.as_bytes()[start..];
    start + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
}

/// Returns the offset of the next white space outside strings, or the end.
fn end_of_text(source: &str, start: usize) -> usize {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let ends = |byte: &u8| {
        if is_quoted {
            is_quoted = is_escaped || *byte != b'"';
            is_escaped = *byte == b'\\' && !is_escaped;
            return false;
        }
        is_quoted = *byte == b'"';
        byte.is_ascii_whitespace()
    };
    let rest = &source.as_bytes()[start..];
    start + rest.iter().position(ends).unwrap_or(rest.len())
}

/// An iterator over the text of a value without the white space between its tokens.
#[derive(Clone, Debug)]
pub(super) struct Compact<'x> {
    /// The source of all arguments up to the end of this value.
    text: &'x str,
    at: usize,
    white_space: &'x WhiteSpace,
}

impl<'x> Iterator for Compact<'x> {
    type Item = &'x str;

    fn next(&mut self) -> Option<&'x str> {
        // A value starts and ends with text, so text follows all white space.
        let start = self.at;
        let end = end_of_text(self.text, start);
        self.at = if end < self.text.len() { self.white_space.end(self.text, end) } else { end };
        (start < end).then(|| &self.text[start..end])
    }
}

/// Returns whether a value means no arguments: null, an object without members, or a blank string.
pub(super) fn is_empty(json: Json<'_>) -> bool {
    match json.kind() {
        JsonKind::Null => true,
        JsonKind::Object => json.members().next().is_none(),
        JsonKind::String => json.text().is_some_and(|text| text.chars().all(char::is_whitespace)),
        JsonKind::Boolean | JsonKind::Number | JsonKind::Array => false,
    }
}
