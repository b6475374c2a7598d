//! A JSON value as arguments, read where it is.

use super::{source::Source, tokens::MAX_LOOKUP_BYTES};
use crate::json::{Json, JsonKind, Text};

/// How many items of an array, or members of an object, have their places kept, on the stack. A
/// later item is found by a walk from the last one that is kept; an object with more members is not
/// split.
const MAX_KEPT: usize = 128;

/// A value that is not a string, and where its parts are.
#[derive(Clone, Debug)]
pub(super) struct Parts<'a> {
    source: &'a str,
    blanks: Blanks,
    kept: [Part; MAX_KEPT],
    len: usize,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// One argument: a number, a boolean, or a value that is not split.
    Whole,
    /// Some of whose items are kept, or all.
    Array { are_all_kept: bool },
    /// All members are kept, each key once: with its last value, and at the place of that.
    Object,
}

/// Where a part is in the source, in bytes, and what is known of it: a lookup reads no value, so
/// that only what is written takes time.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// A hash of the key's text, so that a lookup compares few keys.
    hash: u32,
    /// With its quotes; empty for an item.
    key: (u32, u32),
    value: (u32, u32),
    content: Content,
}

/// What of a value is inserted.
#[derive(Clone, Copy, Debug)]
enum Content {
    /// Nothing, for `null`.
    Nothing,
    /// What is in a string.
    Text { has_escapes: bool },
    /// The source.
    Source,
}

impl Part {
    const UNUSED: Self = Self { hash: 0, key: (0, 0), value: (0, 0), content: Content::Nothing };

    fn item(value: Json<'_>) -> Self {
        let content = match (value.kind(), value.text()) {
            (JsonKind::Null, _) => Content::Nothing,
            (_, Some(text)) => Content::Text { has_escapes: text.as_str().is_none() },
            (_, None) => Content::Source,
        };
        Self { value: span(value), content, ..Self::UNUSED }
    }

    fn member(hash: u32, key: Json<'_>, value: Json<'_>) -> Self {
        Self { hash, key: span(key), ..Self::item(value) }
    }
}

impl<'a> Parts<'a> {
    pub(super) fn new(json: Json<'a>) -> Self {
        let source = json.source();
        let kept = [Part::UNUSED; MAX_KEPT];
        let mut parts =
            Self { source, blanks: Blanks::of(source), kept, len: 0, shape: Shape::Whole };
        // Places are kept in 32 bits.
        if u32::try_from(source.len()).is_ok() {
            parts.shape = match json.kind() {
                JsonKind::Array => parts.array(),
                JsonKind::Object => parts.object().unwrap_or(Shape::Whole),
                _ => Shape::Whole,
            };
        }
        parts
    }

    fn array(&mut self) -> Shape {
        let mut items = Json::from_checked(self.source).items();
        for (part, item) in self.kept.iter_mut().zip(items.by_ref()) {
            *part = Part::item(item);
            self.len += 1;
        }
        Shape::Array { are_all_kept: items.next().is_none() }
    }

    /// `None` if there are too many members, or a key without a text.
    fn object(&mut self) -> Option<Shape> {
        for (key, value) in Json::from_checked(self.source).members() {
            let text = key.text()?;
            let hash = hash(text.chars());
            let is_same = |part: &Part| part.hash == hash && self.key(part).text() == Some(text);
            if let Some(earlier) = self.kept[..self.len].iter().position(is_same) {
                self.kept.copy_within(earlier + 1..self.len, earlier);
                self.len -= 1;
            }
            *self.kept.get_mut(self.len)? = Part::member(hash, key, value);
            self.len += 1;
        }
        Some(Shape::Object)
    }

    /// Leaves the value in one piece, or its blanks in it, if finding its parts or leaving out the
    /// blanks for `lookups` placeholders could read more than [`MAX_LOOKUP_BYTES`]. There are at
    /// most `most` lookups, which need not be counted if the value is short.
    pub(super) fn bound(&mut self, most: usize, lookups: impl FnOnce() -> usize) {
        let walk = if self.shape == (Shape::Array { are_all_kept: false }) {
            self.source.len()
        } else {
            0
        };
        let exceeds = |lookups: usize, step: usize| lookups.saturating_mul(step) > MAX_LOOKUP_BYTES;
        if !exceeds(most, walk.max(self.blanks.others)) {
            return;
        }
        let lookups = lookups();
        if exceeds(lookups, walk) {
            self.shape = Shape::Whole;
        }
        self.blanks.are_kept = exceeds(lookups, self.blanks.others);
    }

    /// The whole value.
    pub(super) fn all(&self) -> Source<'_> {
        self.dense((0, self.source.len()))
    }

    pub(super) fn nth(&self, index: usize, names: &[&str]) -> Option<Source<'_>> {
        match self.shape {
            Shape::Whole => (index == 0).then(|| self.all()),
            Shape::Object if !names.is_empty() => {
                names.get(index).map(|name| self.named(name, None).unwrap_or(Source::EMPTY))
            }
            _ if index < self.len => Some(self.value(&self.kept[index])),
            Shape::Array { are_all_kept: false } => {
                let (start, _) = self.kept[MAX_KEPT - 1].value;
                let mut rest = Json::from_checked(self.source).items_from(start as usize);
                rest.nth(index - (MAX_KEPT - 1)).map(|item| self.value(&Part::item(item)))
            }
            _ => None,
        }
    }

    pub(super) fn named(&self, name: &str, declared: Option<usize>) -> Option<Source<'_>> {
        if self.shape != Shape::Object {
            return self.nth(declared?, &[]);
        }
        self.member(name).map(|part| self.value(part))
    }

    pub(super) fn has_key(&self, name: &str) -> bool {
        self.shape == Shape::Object && self.member(name).is_some()
    }

    fn member(&self, name: &str) -> Option<&Part> {
        let hash = hash(name.chars());
        let is_asked = |part: &&Part| {
            part.hash == hash && self.key(part).text().is_some_and(|key| key == *name)
        };
        self.kept[..self.len].iter().find(is_asked)
    }

    fn slice(&self, (start, end): (u32, u32)) -> &'a str {
        self.source.get(start as usize..end as usize).unwrap_or_default()
    }

    fn key(&self, part: &Part) -> Json<'a> {
        Json::from_checked(self.slice(part.key))
    }

    fn value(&self, part: &Part) -> Source<'_> {
        let (start, end) = part.value;
        match part.content {
            Content::Nothing => Source::EMPTY,
            Content::Text { has_escapes } => {
                let raw = self.slice((start + 1, end - 1));
                if has_escapes {
                    Source::Decoded(Text::from_checked(raw).pieces())
                } else {
                    Source::text(raw)
                }
            }
            Content::Source => self.dense((start as usize, end as usize)),
        }
    }

    /// A part of the source without the blanks between its parts.
    fn dense(&self, (start, end): (usize, usize)) -> Source<'_> {
        let rest = &self.source[..end];
        if self.blanks.are_kept {
            Source::text(&rest[start..])
        } else {
            Source::Dense(Dense { text: rest, at: start, blanks: &self.blanks })
        }
    }
}

fn span(json: Json<'_>) -> (u32, u32) {
    // The source has no more bytes than 32 bits count.
    let start = json.start() as u32;
    (start, start + json.source().len() as u32)
}

/// FNV-1a over characters.
fn hash(text: impl Iterator<Item = char>) -> u32 {
    text.fold(0x811c_9dc5, |hash, c| (hash ^ c as u32).wrapping_mul(0x0100_0193))
}

/// A blank run of at least so many bytes is skipped at once.
const LONG_BLANK: usize = 64;

/// How many long runs have their places kept, on the stack.
const MAX_BLANKS: usize = 16;

/// The blanks between the parts of a value, so that leaving them out takes no longer than writing
/// what is left.
#[derive(Clone, Debug)]
struct Blanks {
    /// Where the first long ones start and end.
    long: [(usize, usize); MAX_BLANKS],
    len: usize,
    /// Bytes of all others.
    others: usize,
    /// Whether they are written, too.
    are_kept: bool,
}

impl Blanks {
    fn of(source: &str) -> Self {
        let mut blanks = Self { long: [(0, 0); MAX_BLANKS], len: 0, others: 0, are_kept: false };
        let mut end = 0;
        loop {
            let start = end_of_text(source, end);
            if start >= source.len() {
                return blanks;
            }
            end = end_of_blank(source, start);
            match blanks.long.get_mut(blanks.len).filter(|_| end - start >= LONG_BLANK) {
                Some(long) => {
                    *long = (start, end);
                    blanks.len += 1;
                }
                None => blanks.others += end - start,
            }
        }
    }

    /// Where the blanks end that start at a place.
    fn end(&self, source: &str, start: usize) -> usize {
        let long = self.long[..self.len].iter().find(|long| long.0 == start);
        long.map_or_else(|| end_of_blank(source, start), |long| long.1)
    }
}

fn end_of_blank(source: &str, start: usize) -> usize {
    let rest = &source.as_bytes()[start..];
    start + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
}

/// Where the next blank outside of strings is, or the end.
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

/// A value without the blanks between its parts, piece by piece.
#[derive(Clone, Debug)]
pub(super) struct Dense<'x> {
    /// The source of all arguments up to the end of the value.
    text: &'x str,
    at: usize,
    blanks: &'x Blanks,
}

impl<'x> Iterator for Dense<'x> {
    type Item = &'x str;

    fn next(&mut self) -> Option<&'x str> {
        // A value starts and ends with text, so there is text after every blank.
        let start = self.at;
        let end = end_of_text(self.text, start);
        self.at = if end < self.text.len() { self.blanks.end(self.text, end) } else { end };
        (start < end).then(|| &self.text[start..end])
    }
}

/// Whether a value is no argument: null, an object without members, a blank string.
pub(super) fn is_empty(json: Json<'_>) -> bool {
    match json.kind() {
        JsonKind::Null => true,
        JsonKind::Object => json.members().next().is_none(),
        JsonKind::String => json.text().is_some_and(|text| text.chars().all(char::is_whitespace)),
        JsonKind::Boolean | JsonKind::Number | JsonKind::Array => false,
    }
}
